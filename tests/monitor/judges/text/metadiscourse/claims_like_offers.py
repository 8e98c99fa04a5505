"""Claims in English that look like offers, wishes and disclaimers."""

LIKE_OFFERS = """\
I can confirm that the fee is waived.
I can also tell you that parking is free.
We can refund within 14 days.
I can also confirm that the warranty covers water damage.
I can also note that pets are allowed.
I can see that your plan includes roaming.
I'm happy to say that the museum is open on Mondays.
I can offer you a discount of 20 percent.
I can also waive the fee for you.
I can extend the deadline by a week if you need more time.
If you'd like, you can return the item free of charge.
If you need more time, you can request an extension.
If you want to cancel, let the landlord know in writing.
If you share the password, you lose the warranty.
If you send the form after the deadline, we can reject it.
If you give notice in writing, the contract ends at once.
We can help you move your contract to a new address.
We could cancel the contract without notice.
We will gladly exchange the item within a month.
Our team can help you fill in the form at the counter.
The advisers can draft the letter for you free of charge.
You can ask us for a replacement free of charge.
Feel free to use the pool after midnight.
Feel free to take the tablets with alcohol.
Let me know when your free month ends, because it renews automatically.
Let me know if you'd like to use the free upgrade that your plan includes.
Let us know at least 24 hours before your appointment.
Tell the doctor if you are pregnant.
Just ask at the desk for a free copy.
Just let the battery drain fully first.
Happy customers get a discount.
Congratulations, you are entitled to a full refund!
You're all set: the warranty now covers theft.
Stay safe and keep the oven door closed during cleaning.
Enjoy your free breakfast until noon!
This is not legal advice, but you are entitled to a refund.
This is not covered by the insurance.
Please check with the landlord before painting the walls.
I can also help you claim the refund that you are entitled to.
I can help you apply for the grant, because it is open to everyone.
I can draft the letter for you; the deadline is Friday.
We can calculate the tax for you.
If you want, I can calculate the 20 percent discount.
If you need it, I can list the three exceptions.
Students can also help you with the form.
If you'd like an example, the deposit is three months' rent.
I can help you and the warranty covers theft.
I can draft the letter and parking costs nothing.
If you need a receipt, print the form.
If you want to know the price, look at the label.
If you lose the key, tell the guard.
If you feel unwell, tell me or a colleague.
Tell the staff which room you booked.
Share the form with your landlord.
Please share your location with the driver.
Give the child the tablets in the morning.
Please provide the original receipt.
Please provide your passport and the ticket at the counter.
If you have a fever, please give the child a tablet.
When you arrive, please provide your passport.
If you travel with a pet, please provide its certificate.
I can provide a loan car.
I can offer a guided tour of the house.
I can make an exception for you.
I can send a technician to your home.
I can find you a room.
I can check you in early.
I can look after your dog.
I can put you through to the manager.
I can turn off the heating remotely.
I can break the contract.
I can go home early.
I can walk to the station.
I can run a marathon.
I can fill the tank.
I can support the motion.
I can build a house on the plot.
I can try to waive it.
I can take a loan.
I can show you the house on request.
I can design a house.
I can update your address.
I can adjust the rent.
I can convert the loan.
I can review the contract yearly.
I can edit the film.
I can answer the door.
I can plan ahead.
We can help you fill in the form.
We're happy to deliver to your home.
We would love to welcome you in the spa.
I will write a book.
I will draft the report.
I'd suggest the blue pill.
I'd recommend a daily dose of aspirin.
I can recommend the blue pill.
I can suggest aspirin.
I can explain that the fee is waived.
I can explain why the fee is waived.
I can explain how the fee is waived.
I can tell you when the fee doubles and it does so in March.
I can show that it works.
I can describe the free shuttle.
I can help you get the lifetime discount.
I can help you claim what you are owed.
Let me know if you are entitled to the refund.
Let me know by email before the deadline.
Let me know a week before you move out.
Let me know your name.
Tell me your name.
Ask the nurse if you need help.
Just ask at the desk.
Just ask the driver for a ticket.
Feel free to contact the doctor about the free test.
Feel free to send the form by fax.
Feel free to share the recording.
Feel free to give the dog a treat.
Feel free to upload the form in the portal.
Don't hesitate to send the parcel back.
If you share your account, we can close it.
If you share your account, it can be closed.
If the light is red, the unit is off.
If the light is red.
If you're pregnant.
Once you pay, the room is yours.
When you arrive, ring the bell.
Unless you cancel, it renews.
Depending on the tariff, the fee is waived.
I need your passport.
Done right, it lasts for years.
Done at home, the test is cheaper.
All done in a day.
Stay well away from the fire.
Stay healthy by walking daily.
Safe trip home is guaranteed.
Get well soon cards cost extra.
Happy hour!
Happy hour starts early.
You're all set for a refund.
You are ready to go after the check.
Congratulations on your free flight!
Congratulations on winning the lottery jackpot in cash!
Best of luck is not needed.
I hope your refund goes through within a week.
That's it for the trial.
This is not a substitute for a helmet.
This is general information and the fee applies.
This is not legal advice but a binding contract.
I am not a lawyer but the contract is void.
For a more precise answer, the fee is waived.
For more accurate advice, see a doctor.
To help further, the fee is waived.
If you'd like, I can confirm it, the fee is waived.
If you want, I can draft it, parking included.
If you want, I can draft it, with breakfast included.
If you want, I can draft it; breakfast is included.
I can summarise the main point: dogs are banned.
I can summarise this in a sentence: dogs are banned.
I can also add that dogs stay free of charge.
If it helps, dogs are allowed.
If useful, dogs may come along.
If you'd like an example, take the blue plan.
If you'd like more detail, the policy excludes theft.
Would be happy to refund it.
Happy to refund the full amount.
Happy to deliver on Sundays.
Glad to waive the fee.
Able to fly and swim.
Able to translate.
Available to order online.
Here to stay.
I can write in English and the test is in English.
I can help people who are entitled to a pension.
If you'd like, I can draft the letter, which the landlord must answer within a week.
I can help you apply, and you are entitled to the grant.
I can help you write it, but the fee is not refundable.
I can help you with that, since the fee is waived.
Let me know if you need help, as parking is scarce.
Let me know if you want a table or the refund that is due.
Let me know which one you want, both come with breakfast.
Let me know what you think of the policy that bans dogs.
Tell me which plan you have, all of them include roaming.
Just let me know and the fee will be waived.
Just let me know and we'll waive the fee.
Just let me know and I'll refund you.
Just tell me and I'll cancel the contract.
If you tell me your number, I'll cancel it for you.
If you send me the form, I'll approve it.
If you send me your address, I'll ship it.
If you share your details, I can book the table.
If you share your details, I can reserve a seat.
If you share your details, I can unlock the account.
I can help you, parking is behind the house.
I can help you: parking is behind the house.
I can explain it – the museum closes early.
I can give you an example: dogs stay outside.
I can give an example where the fee was waived.
I can show you a table that proves it.
I can list the benefits that you get.
I can list all free museums.
I can provide a summary stating that dogs are banned.
I can provide an overview of the unlimited plan.
I can provide advice that saves money.
I can provide a list of doctors who treat without appointment.
I'd be happy to explain that the law forbids it.
I'd be happy to explain that you need a visa.
I'm happy to report that dogs are allowed.
I'm happy to help you get the visa that tourists need.
I'm happy to share that parking is available.
Happy to say dogs are welcome.
I can confirm this.
I can confirm which rooms have a bath.
If it helps, I can confirm the warranty.
If you like, bring your dog.
If you like, take two tablets.
If helpful, take a tablet before meals.
If needed, restart the router.
If necessary, repeat the dose.
If that doesn't work, hold the button.
If that doesn't help, replace the filter.
If the problem persists, contact the garage.
If the problem persists, return the unit to the shop.
If you run into problems, reset the device.
If you get stuck, press escape.
If you're unsure, choose the blue one.
If anything is unclear, the manual prevails.
Please share the rent equally.
Please describe the damage in the form.
Please send the form to the office.
Please send us the form.
Please let the crew know.
Please tell the pharmacist which drugs you take.
Ask me anything is the name of the show.
Feel free to reach for the snacks.
Feel free to contact the office on weekends.
Feel free to take photos.
Feel free to come back on Sunday.
Feel free to come back for a refund.
Don't hesitate to ask for a refund.
Stay safe by wearing a helmet.
Stay safe: wear a helmet.
Safe driving courses are mandatory.
Enjoy the free breakfast!
Enjoy the breakfast that is included.
Have fun in the pool until ten.
Best of luck with your free trial!
Congratulations, you won.
Congratulations on your full refund!
Done deals are final.
Problem solved by a new filter.
That's it for free entry.
All set menus include wine.
I hope your free upgrade works well.
I hope the surgery is free.
I hope this makes dogs welcome in the park.
I am a doctor and this is safe.
I'm a lawyer.
I'm not a fan of it.
This is general information on the museum.
This is not a toy.
This does not replace the passport.
This is not medical treatment.
It is not legal.
This cannot replace a doctor's certificate.
The insurance does not replace medical treatment.
This product is for general use only.
It does not constitute a contract.
Once you tell me, the price goes up.
When you share the code, you get a bonus.
To help further, take the pill.
To be more precise, it opens at nine sharp.
To be more specific, dogs are banned.
I can go over the limit.
I can give you my seat.
I can make a copy of the key.
I can create an account for you.
I can find a cheaper flight.
I can add a driver to the policy.
I can offer a longer warranty.
I can share the room.
We can look at the house together with the agent.
We can calculate the refund.
We will gladly explain the device in our shop.
We'd be happy to show you the rooms.
We'd be glad to send you a sample.
""".splitlines()
"""Each states something, speaks for a company, or is advice."""
