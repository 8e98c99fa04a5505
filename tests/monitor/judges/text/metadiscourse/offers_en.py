"""Offers, closings, wishes and disclaimers, as assistants write them in English."""

OFFERS_EN = """\
If you'd like, I can also draft a short email to customer service for you.
If you want, I can put this into a table.
If you like, I can show you a worked example.
If you need, I can translate this into German.
If it helps, I can break this down by month.
If you share your contract start date, I can work out the exact deadline.
If you tell me your model number, I can give you the exact steps.
If you send me the error message, I can help narrow down the cause.
If you provide your order number, I'll gladly help you figure out the next step.
If you paste the letter here, I can help you understand what it says.
If you describe the symptoms in more detail, I can try to help further.
Just tell me your tariff and I'll do the calculation.
Just say the word and I'll draft it.
Just let me know!
I can also help you fill in the form.
I can also provide a sample letter.
I can also explain how to read the display, if you want.
I can help you draft a message to your landlord.
I can go deeper into any of these steps if that would be useful.
I could also sketch a weekly plan for you.
I'd be happy to help you compare it with other tariffs.
I'd be glad to clarify any of these points.
I'm happy to help you work out the costs if you share your usage.
Happy to go into more detail on any of these.
Glad to help further if you need it.
I would be happy to prepare a template for you.
I'm here to help if you run into any problems.
We can work through it together step by step if you'd like.
Would you like a step-by-step guide for your specific device?
Would you like to know how to apply?
Do you want me to put this in a table?
Want a quick example?
Shall I explain how the deposit is calculated?
Let me know if you'd like an example.
Let me know which option suits you best.
Let me know what model you have, and I can be more specific.
Let me know whether you'd like the short or the long version.
Let me know if that works for you.
Let me know if you get stuck on any step.
Let me know if you'd like help drafting the letter or filling in the form.
Let me know your situation and I'll tailor this.
Please tell me a bit more about your situation so I can help further.
Tell me more about your case, and I can give more specific advice.
Feel free to share more details about your setup.
Feel free to come back if the problem persists.
Don't hesitate to ask if anything is unclear.
If you have a specific case in mind, let me know and I can look at it more closely.
If you get stuck, let me know which step you're on.
If you have more questions about the warranty, I'm happy to help.
If you want more detail on a particular step, let me know.
If you need help choosing, I can compare the options for you.
If that doesn't work, let me know and I can suggest other options.
If you'd rather have this as a list, I can reformat it.
To give you a more precise answer, I'd need to know your tariff.
Could you tell me a bit more about what you're looking for?
Which device are you using?
Does that answer your question?
Is there a particular part you'd like me to explain?
Anything else I can help you with?
You're all set!
Done!
Congratulations!
Wishing you a speedy recovery!
Safe travels!
Have a good flight!
Enjoy your new bike!
Best of luck with the exam!
Happy baking!
I hope this helps!
I hope your claim goes smoothly.
Thanks for your question!
Sorry to hear that.
Take care!
This is general information and not legal advice.
Please note that this is general information and does not replace medical advice.
This answer is for general information only.
I'm not a lawyer, so please treat this as general information.
When in doubt, ask your doctor or pharmacist.
If it would be helpful, I can put together a comparison table of both plans.
I can also put the dates into a calendar-style list if you like.
If you want to share the exact wording of your contract, I can take a closer look.
If you upload the bill, I can go through it line by line with you.
If you have your policy handy, feel free to paste the relevant section and I'll explain it.
Let me know if you want a shorter version.
Let me know if you'd prefer a bullet-point version.
Let me know if you have a specific scenario you'd like me to look at.
Let me know if there's a specific part you'd like to dive deeper into.
Let me know if you would like assistance with any of these steps.
Let me know which of these you'd like to explore further.
Let me know how it goes!
Let me know what you decide!
Let me know where you're stuck and we can take it from there.
If you'd like to go through any of these points in more detail, I'm here to help.
If you're still having trouble after that, tell me what you see on the screen.
If none of that works, let me know and we can try something else.
If your situation is different, let me know the details and I'll adjust the answer.
If your case differs from this, share a few details and I can be more specific.
Want me to check a specific date?
I can walk you through filling out the form if that's useful.
I can help you phrase the request if you'd like.
I can help you figure out which deadline applies.
I can help you decide which plan fits better if you tell me how much you travel.
I can help you plan the next steps.
I can help you estimate the total cost.
I can also help you prepare questions for your doctor.
I can also help you understand the terms of the policy.
I can also suggest a few ways to phrase this.
I can also show you what that would look like in practice.
I can also rewrite this as an email.
I can also convert these to metric units.
I can also provide the same information in German.
I can also create a checklist you can print.
I can also give you a version for your colleagues.
I could also write this up as a short notice for the team.
I can expand on any of the above.
I can tailor this to your situation if you tell me a bit more.
I'd be happy to provide more details on any of these topics.
I'd be happy to draft a response to the landlord.
I'd be happy to look into a specific case.
I'd be glad to help you prepare the claim.
I'm happy to dig into any of these further.
Happy to clarify anything that's unclear.
Happy to put together a quick checklist if useful.
Happy to break it down further if needed!
More than happy to help you compare quotes.
Just let me know what works best for you.
Just let me know which one you have, and I'll give you the exact steps.
Just send me the details and I can work it out for you.
Just give me the numbers and I'll run the calculation.
Please let me know which product you are referring to.
Please share more details so I can help you better.
Please provide more context if you'd like a more specific answer.
Feel free to tell me more about your situation.
Feel free to ask follow-up questions.
Feel free to let me know if you'd like help with the application.
Feel free to ask if you need help with the next step.
Don't hesitate to ask if you want me to clarify any of the steps.
Is there a specific step you'd like help with?
Hope your trip goes well!
Hope you have a wonderful trip!
Hope the repair goes smoothly!
I hope your little one feels better soon!
Good luck with your move!
Good luck, and let me know how it goes!
Wishing you and your family all the best!
Wishing you a smooth move!
Enjoy the concert!
Enjoy your new phone!
Have a safe trip!
Have fun!
Have a great time at the festival!
Happy travels!
Happy reading!
Happy gardening!
Congratulations on your new job!
Congrats on the new baby!
Welcome aboard!
You've got this!
That should do it!
That's all there is to it!
And you're done!
Problem solved!
Voilà!
I hope this gives you a clear picture.
I hope this makes the process a bit clearer.
Please keep in mind that this is not professional advice.
This isn't legal advice, just general information.
Keep in mind that I can't give legal advice.
I'm an AI, so please double-check important details.
Please note that I'm not a medical professional.
""".splitlines()
"""What it could do, what it would have to know, wishes, and what an answer is not."""
