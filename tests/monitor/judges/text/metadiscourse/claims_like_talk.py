"""Claims that look like talk, in both languages."""

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
