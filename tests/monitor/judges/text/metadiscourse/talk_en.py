"""Talk, which claims nothing, as assistants write it in English."""

TALK_EN = """\
Click here for more information.
Scroll down for video.
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
Here is a summary of the article in 200 words or less:
Here's the summary within 58 words:
Sure! Here's a 100-word summary of the text:
Here's my attempt to briefly answer the question based on the provided passages:
Here's my answer based on the three provided passages:
Sure, here's a brief guide to setting goals based on the given passages:
Passage 1:
""".splitlines()
"""Greetings, thanks, lead-ins, closings, offers, questions back, hedges, words about the answer itself."""
