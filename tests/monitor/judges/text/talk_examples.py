"""Sentences as assistants write them: talk, which claims nothing, and claims that look like talk."""

TALK_EN = """\
Hello!
Hi there!
Hello John,
Dear Ms. Smith,
Good morning!
Thank you for your question.
Thanks for reaching out!
Thank you for contacting Acme Support.
Thanks for asking about parking!
Sure!
Certainly!
Of course.
Absolutely!
Great question!
That's a great question.
Sure, here is the answer:
Sure! Let me explain.
Let me explain how this works.
Let me break this down for you.
I'd be happy to help you with that.
I'm glad to help!
Here is what I found for you.
Here's what I found about the warranty:
Here is what I found about the Eiffel Tower.
Here are the key points:
Here are three key points:
Here is a summary of the refund policy:
Here's a step-by-step breakdown:
Below is a short overview of the topic.
The following points are relevant:
Based on the documents you provided:
Based on the provided context:
According to the passages above:
From what I can see in the documents,
I found the following information in the documents:
I have reviewed the passages you provided.
I looked through the sources and summarized the main points below.
This answer is based on the passages above.
This information is taken from the provided documents.
The above answer is based only on the provided sources.
See source [2].
See the passages above for more details.
Please refer to the documents above for further information.
In summary:
To summarize:
In conclusion,
Overall:
Let me know if you need anything else.
Please let me know if you have any further questions!
Let me know if you have any questions about the warranty.
I hope this helps!
Hope that helps!
I hope this answers your question.
Feel free to ask.
Feel free to reach out if you have more questions.
Please don't hesitate to contact our support team.
If you have any other questions, feel free to ask!
If you need further assistance, I'm here to help.
Have a great day!
I hope you have a wonderful day.
I wish you all the best.
You're welcome!
No problem!
I'm here to help.
Is there anything else I can help you with?
I am not entirely sure.
I'm not certain about this.
It depends.
It depends on the situation.
It's hard to say.
As an AI language model, I cannot give advice on this.
I apologize for the confusion.
Sorry for the inconvenience.
I understand your concern.
To answer your question:
As mentioned above,
As you can see,
Please note:
Hopefully this clears things up.
That is everything I found in the documents.
I will walk you through it step by step.
Thank you for your patience and understanding.
Best regards,
**I hope this helps!**
Happy to help! 😊
I'd be glad to explain this in more detail.
Would you like me to explain further?
We appreciate your interest.
Looking forward to hearing from you.
Sure thing! I can help with that.
Of course! I'd be glad to help.
Happy to help with your question about parking.
Here's the information you requested:
Here is the information you asked for.
Here are the details from the documents:
Here is a brief summary of what I found in the passages.
Here's what the documents say about this:
Here is what the sources say:
Below you will find the answer to your question.
Below are the relevant details.
I was able to find the following information.
I have found some relevant information for you.
I've gone through the documents and found the answer.
After reviewing the provided documents, here is what I found:
After looking through the passages, I found the following:
Looking at the documents you shared,
From the documents provided, here is what I can tell you:
According to the information provided, here's what I found:
Based on my knowledge,
Based on your question, here is the relevant information.
Great, let's take a look.
Let's go through it step by step.
Let me summarize the key points for you.
Let me help you with that.
Allow me to explain.
I will now explain the details.
In short:
To put it simply:
Simply put,
Long story short:
The short answer:
In other words:
Thank you for your interest!
Thanks again for your question.
Thank you so much for asking.
I appreciate your patience.
Please let me know if this answers your question.
Let me know if that helps!
Let me know if I can help you with anything else.
Let me know if you'd like more details.
If you have more questions, just ask.
If there is anything else I can do for you, please let me know.
If you would like more information, I am happy to provide it.
Should you have any further questions, please do not hesitate to contact us.
Don't hesitate to reach out.
Feel free to ask me anything else.
Feel free to ask if something is unclear.
I'm always here to help.
I am here if you need me.
I hope you find this helpful.
I hope this information is useful to you.
I hope that clears things up!
Hope this helped!
Hopefully, this answers your question.
Glad I could help!
Good luck!
Have a nice day!
Enjoy your day!
Take care!
Best wishes,
Cheers!
Goodbye!
Bye for now!
See you soon!
Welcome back!
You are welcome!
Anytime!
My pleasure.
No worries.
I'm sorry to hear that.
I'm sorry for the confusion.
Apologies for the inconvenience.
I'm not sure about that.
I am not 100% sure.
I'm not completely certain.
I could be wrong.
I may be mistaken.
It's difficult to say for certain.
That depends.
It depends on several factors.
It depends on your situation.
It varies.
This is only a summary.
This is just a general overview.
This summary is based solely on the documents above.
The answer above is taken from the sources you provided.
The information above comes from the passages.
All information is taken from the provided passages.
This response was generated by an AI assistant.
The sources are listed below.
See the sources below.
See [1] and [2].
For more details, see source [3].
Please see the passages above.
You can find more details in the documents above.
You can read more in the sources.
The details are as follows:
The steps are as follows:
The main points are:
The key points are as follows:
Some key points:
Key takeaways:
Good question!
What a great question!
That's an interesting question.
Interesting question!
I understand that this can be confusing.
I understand how frustrating this is.
Just to clarify:
With that said,
Now, let's look at the details.
First, some context:
Does this answer your question?
Do you want to know more?
**Overview**
**Summary**
Key Points
Conclusion
This is a list of Nobel laureates.
Of course! Here's a quick overview:
I've summarized the relevant passages below.
Hope this clears it up for you!
Is there something specific you'd like to know?
This is what I was able to find in the documentation.
You can find this information in the documents above.
If any of this is unclear, let me know.
If you run into any issues, feel free to reach out.
Just let me know.
I trust this helps.
Thanks for your patience!
That covers everything.
Those are the main points.
These are the main points from the documents:
I'd recommend asking again.
As always, feel free to ask.
Based on what you've shared,
The passages above were used as sources.
My answer is based on source 1.
No problem at all!
You're most welcome!
Alright, here we go:
Let me check that for you.
One moment please.
Hi, how can I help you today?
Hello and welcome!
I hope that answers your question; if not, just ask.
The answer can be found in the passages.
I do not have enough information to be certain.
It is not entirely clear.
""".splitlines()
"""Greetings, thanks, lead-ins, closings, offers, questions back, hedges, words about the answer itself."""
TALK_ZH = """\
您好，很高兴为您服务。
您好！
你好呀！
亲，您好！
尊敬的用户，您好：
根据您提供的资料，
根据上述文档的内容，
以下是我为您找到的信息。
以下是相关内容：
以下是关于退款政策的说明：
下面我来为您详细介绍一下。
让我来为您解答。
我来为您解释一下。
具体步骤如下：
详细信息如下：
退款流程如下：
以上就是关于退款政策的介绍。
以上就是我为您整理的内容。
以上信息仅供参考。
以上内容均来自您提供的资料。
以上回答基于您提供的文档。
本回答根据上述资料整理。
仅供参考。
希望对您有帮助！
希望对您有所帮助！
希望以上信息对您有所帮助。
希望我的回答能帮到您。
如有其他问题，欢迎随时提问。
如果您还有其他问题，请随时告诉我。
如有疑问，请联系客服。
如需进一步帮助，请随时与我们联系。
如果您需要更多信息，请告诉我。
欢迎随时咨询。
有任何问题请随时联系我们。
请问还有什么可以帮您？
温馨提示：
感谢您的提问。
感谢您的耐心等待。
谢谢您的理解与支持！
非常感谢您的咨询！
抱歉给您带来不便。
很抱歉让您久等了。
祝您生活愉快！
祝您购物愉快，再见！
好的，
没问题！
不客气！
当然可以！
这是一个很好的问题。
我不太确定。
这取决于具体情况。
视具体情况而定。
总的来说，
综上所述：
简单来说，
我已经查阅了您提供的资料。
我在资料中找到了以下内容：
请参考以上资料。
作为一个人工智能助手，我很乐意为您解答。
很高兴能为您提供帮助。
请稍等，我来为您查询。
您好！感谢您的咨询。
您好，感谢您联系我们。
您好，很高兴回答您的问题。
你好，我是您的智能助手。
您好，我是小助手，很高兴为您服务！
亲爱的用户，您好！
非常感谢您的提问！
感谢您的关注与支持！
感谢您对我们的信任。
根据您提供的信息，以下是我的回答：
根据您的问题，我找到了以下内容：
根据检索到的资料，为您整理如下：
根据资料显示，
根据文档内容，回答如下：
针对您的问题，回答如下：
关于您的问题，以下是详细说明：
关于您咨询的问题，我为您解答如下：
以下是详细的解答：
以下是具体信息：
以下内容供您参考：
以下信息来自您提供的文档。
为您找到以下信息：
为您整理如下：
为了回答您的问题，我查阅了相关资料。
下面为您详细说明。
接下来我将为您逐一说明。
现在我来回答您的问题。
让我们一起来看看。
首先，让我来解释一下。
总结如下：
总结一下，
简单总结：
以上就是全部内容。
以上就是我的回答，希望对您有帮助。
以上是为您整理的相关信息，供您参考。
以上是我的解答。
以上资料供您参考。
以上信息来源于您提供的资料。
希望以上回答能够帮到您！
希望这个回答对您有用。
希望这些信息能帮助到您。
希望能帮到你！
希望我的解答对您有所帮助，祝您生活愉快！
如果还有其他问题，欢迎继续提问！
如果还有疑问，随时问我。
如果您有任何疑问，欢迎随时联系我们。
如您还有其他疑问，请随时咨询。
若有其他需要，请随时联系。
如有需要，请随时与我联系。
如需了解更多信息，请随时咨询我们的客服。
有问题随时问我哦！
还有什么可以帮到您的吗？
请问您还有其他问题吗？
您还想了解哪些方面的内容？
随时欢迎您的提问。
随时为您服务。
很高兴为您解答。
很高兴能帮到您！
祝您一切顺利！
祝您使用愉快！
祝您有美好的一天！
祝好！
谢谢！
谢谢您的提问。
再见！
不用谢！
不客气，很高兴帮到您。
好的，我明白了。
好的，我来为您解答。
明白您的问题了。
理解您的心情。
非常理解您的担忧。
抱歉，给您带来了不便。
非常抱歉，让您久等了。
我不确定。
我不是很清楚。
这个不好说。
这要看具体情况。
具体情况因人而异。
请注意：
需要注意的是，
友情提示：
仅供您参考。
详见资料[2]。
请参阅上述资料。
本回答仅基于所提供的资料。
本回答仅供参考，不构成专业建议。
该回答由人工智能生成。
详细说明如下：
具体如下：
要点如下：
主要包括以下几点：
主要有以下几点：
可以从以下几个方面来看：
您的问题很好！
这个问题很好。
换句话说，
一句话总结：
**总结**
温馨提示
您好，请问有什么可以帮您？
以上就是我能提供的全部信息。
以上为相关说明，供您参考。
希望这些对您有帮助，谢谢！
如果有任何疑问，请与我们联系。
如还有疑问，欢迎继续追问。
若您还有其他问题，欢迎随时向我提问。
感谢您的支持！
根据现有资料，
根据我查到的资料，
从您提供的文档来看，
从资料中可以看到，
综合以上信息，
下面是具体的说明：
好的，以下是您需要的信息：
我会尽力为您解答。
我帮您查了一下。
有什么可以帮您的吗？
如需更多帮助，请告诉我。
祝您身体健康！
以上回答仅供参考，具体以官方信息为准。
这个问题比较复杂。
""".splitlines()
"""As above."""
CLAIMS = """\
Here is what I found: the fee is 40 euros.
Sure, the fee is 40 euros.
Certainly the fee is 40 euros.
Hello, the museum opens at nine.
Thank you for your question, the fee is 40 euros.
Thanks to the reform of 2019, taxes fell.
Of course the museum is closed on Monday.
If you have a fever, see a doctor.
If you need more than 5 GB, the price is 20 euros.
If you have any questions, call 555-1234.
Please consult a doctor.
I hope the fee is 40 euros.
Let me know if you want the 40 euro ticket.
Based on the documents you provided, the warranty lasts two years.
I found that dogs are allowed.
I can confirm that the warranty covers water damage.
This answer is 42.
The answer is Paris.
The following countries signed the treaty: France and Spain.
The following documents are required.
In summary, dogs are allowed.
It depends on the temperature of the water.
As mentioned above, Otto Weiss founded it.
I am not entirely sure, but the fee is 40 euros.
Please note that refunds take five days.
Here is the fee: 40 euros.
You need to provide the documents.
The information desk is open on Monday.
We are closed on Sundays.
We do not offer refunds.
Feel free to park in the yard.
Good results were seen in patients.
Great Britain left the union.
Welcome to Paris, the capital of France.
See the doctor every year.
The source of the Nile is Lake Victoria.
The context was the war of 1812.
This is based on a novel by Jane Austen.
It is based on a novel.
That is the tallest tower.
I would recommend the blue pill.
Have a doctor check it.
Note that dogs are banned.
In general, cats sleep all day.
Best known for her novels, she lived in Rome.
For more information about prices, visit the office in Berlin.
From the documents it follows that Anna left.
Let me explain why the museum closed.
The point guard scored.
These are endangered species.
Here is Napoleon's second wife, Marie Louise.
Also known as Bombay, it is large.
Just add water.
When you have a fever, rest.
Should you want a refund, return the item within 14 days.
We have offices in Rome.
I was born in 1950.
His answer was no.
My name is Anna.
Hi, the warranty lasts two years.
Enjoy your stay for 30 days free.
保修期为两年，希望对您有帮助。
您好，退款将在3天内到账。
根据您提供的资料，保修期为两年。
以下是我为您找到的信息：保修期为两年。
很高兴地通知您，保修期为三年。
如有问题请拨打400-123-456。
温馨提示：雨天路滑。
总的来说，该产品支持退货。
感谢他的捐款，学校得以重建。
请联系北京分公司。
我们不支持退货。
以上海为中心的城市群。
下面的房间是厨房。
根据规定，退货需在7天内。
您需要提供身份证。
我不太确定，不过价格是40元。
首先，打开电源。
以下三种材料是必需的。
祝英台是梁山伯的恋人。
希望小学成立于1990年。
好的产品质量可靠。
亲水性材料适合过滤。
当然科学家反对该计划。
我们在上海有分公司。
该公司总部位于杭州。
谢谢惠顾活动6月1日结束。
作为首都，北京人口众多。
关于价格，每张票12元。
I think the museum is closed.
I understand the fee is 40 euros.
I can tell you that dogs are banned.
The answer is 40 euros.
The summary was written by Otto Weiss.
The information desk is on the second floor.
The points table is led by Bayern.
Let's Dance is a song by David Bowie.
Thank You is a song by Dido.
Hello is a song by Adele.
Hello, Dolly! opened in 1964.
Good Morning America airs daily.
Good luck charms were found in the tomb.
Sorry is a single by Justin Bieber.
Here lies Shakespeare.
Here are buried three kings.
If you have diabetes, avoid sugar.
If you need surgery, the cost is covered.
If this happens, restart the router.
If there is smoke, leave the building.
If you like hiking, go to Nepal.
When you have finished, turn off the lamp.
From this, he concluded that light bends.
Given the circumstances, the trial was postponed.
Feel free to bring your dog.
Feel free to use the pool.
Don't hesitate to call 911.
Let me know your name.
Ask the doctor about side effects.
It depends on the temperature.
It depends on your age.
It varies by region.
That is the law.
This is the capital of France.
These are the symptoms: fever and cough.
The following is true: dogs bark.
As of 2020, Rome has 2.8 million people.
As an assistant coach, he won twice.
As a model, she worked in Paris.
For your child, the limit is 5 mg.
For further study, he went to Bonn.
See Naples and die.
Reference works are kept upstairs.
Note the red button.
Please press the red button.
Please consult your lawyer.
Perhaps Otto Weiss wrote it.
Maybe dogs are allowed.
Overall, sales fell by half.
In fact, the museum never opened.
Enjoy your free drink at the bar.
Best Buy sells phones.
Kind Hearts and Coronets is a film.
We found gold in the river.
We help farmers in Kenya.
We look after your dog.
We do not share your data.
We may share your information with partners.
Your information is sold.
The provided documents must be signed.
The documents you provide are kept for ten years.
I recommend the blue pill.
I suggest you see a doctor.
My summary: dogs are allowed.
Thanks to him, the war ended.
Thanks to vaccines, smallpox is gone.
Welcome bonuses expire after a month.
To answer the phone, press the green button.
Regarding safety, helmets are required.
As for dogs, they are banned.
Yes, dogs are allowed.
Sure, dogs are allowed.
Well water is safe.
So far, nobody has won.
First aid is free.
Please note the fee of 40 euros.
Let me explain: the fee is 40 euros.
I hope this helps, and the fee is 40 euros.
I found 12 errors.
Here are the 2023 results.
根据合同，租期为三年。
根据法律，未成年人不得饮酒。
以下人员不得入内：儿童。
以下药物有效。
以上人员均已获救。
以上海为例，房价上涨。
希望之星获得冠军。
感谢信由市长签署。
感谢张三的帮助，项目完成。
您好公司成立于2001年。
好的睡眠有助于健康。
当然，价格是40元。
我们提供24小时服务。
我们会分享您的信息。
我们收集您的信息。
我们的总部在北京。
我们找到了三处遗址。
请联系医生。
请提供身份证原件。
如果您有高血压，请避免盐分。
如有发热，请立即就医。
如需退款，请在7天内申请。
如果需要手术，费用由保险承担。
请随时携带身份证。
欢迎来到北京故宫。
祝融号火星车于2021年着陆。
总之，比赛推迟了。
注意：本品含酒精。
温馨提示：请勿吸烟。
这取决于温度。
取决于您的年龄。
不客气地说，他错了。
再见面时他已八十岁。
亲戚来访。
您的订单已发货。
您的会员将于明天到期。
本文作者是鲁迅。
本回答的依据是第5条。
这是法国的首都。
这是一个重要的港口。
关于退款，需要五天。
详细地址是中山路。
具体时间是周一。
主要成分如下：维生素C。
最后，关闭电源。
可能是鲁迅写的。
也许是明天。
很高兴认识的人是他。
抱歉，我们不支持退货。
对不起，该商品已售罄。
请稍等三天。
没问题的零件会被重新使用。
他不确定。
If you are pregnant, avoid alcohol.
I suggest aspirin.
I have no children.
Those are the Alps.
It is unclear who won.
It is not clear water.
This covers dental care.
That answers the riddle of the Sphinx.
One moment changed history.
As always, Rome won.
This should help asthma.
I trust the government.
Always wear a helmet.
The summary judgment was reversed.
Here is where Napoleon died.
The list price is high.
The sources of the river are in Spain.
The documents provided the proof of fraud.
Hello Kitty sells.
Let us now praise Anna.
Happy to report growth in sales.
Looking forward, sales will rise.
I can swim.
I found a dog.
We see growth.
Given the rain, roads closed.
现有官方资料显示增长。
查理是国王。
综合医院位于城东。
我帮助过灾民。
该问题由议会解决。
以上是五个国家。
这是他的回答：不去。
我理解您的退款申请已通过。
请随时关注血压。
如有胸痛，请拨打120。
本文介绍了量子力学。
您的问题是密码错误。
从资料看，销售额下降。
""".splitlines()
"""Each begins like talk or holds its words, and states something."""
