"""What the demo's service knows: texts about an invented ferry line (English) and an invented bookshop (Chinese)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Document:
    """One text of the knowledge base, with questions that it answers."""

    id: str
    language: str
    text: str
    questions: tuple[str, ...]


ENGLISH = (
    Document(
        "ferry-01",
        "en",
        "The ferry from Aldery to Port Lune takes 55 minutes. It leaves every hour from 06:30 to 21:30.",
        ("How long does the crossing to Port Lune take?", "When does the last ferry to Port Lune leave?"),
    ),
    Document(
        "ferry-02",
        "en",
        "A single ticket for an adult costs 14 crowns. Children under six travel free with an adult.",
        ("How much is a single ticket for an adult?", "Do small children need a ticket?"),
    ),
    Document(
        "ferry-03",
        "en",
        "Bicycles are carried for 3 crowns each. Tandems and cargo bicycles count as two bicycles.",
        ("Are bicycles carried, and for how many crowns?", "How is a cargo bicycle charged?"),
    ),
    Document(
        "ferry-04",
        "en",
        "Dogs are welcome on the open deck and must be kept on a lead. Assistance dogs may enter the saloon.",
        ("May I bring my dog on board?", "Are assistance dogs allowed in the saloon?"),
    ),
    Document(
        "ferry-05",
        "en",
        "In winds above 20 metres per second all crossings are cancelled. Tickets then stay valid for 14 days.",
        ("When are crossings cancelled because of wind?", "What happens to my ticket when a crossing is cancelled?"),
    ),
    Document(
        "ferry-06",
        "en",
        "Lost property is kept at the Aldery office for 30 days. The office is open on weekdays from 9:00 to 16:00.",
        ("Where is lost property kept?", "When is the Aldery office open?"),
    ),
    Document(
        "ferry-07",
        "en",
        "Cars must be at the quay 20 minutes before departure. A car with driver costs 38 crowns.",
        ("How early must a car be at the quay?", "How much does a car with driver cost?"),
    ),
    Document(
        "ferry-08",
        "en",
        "The saloon serves soup, coffee and cardamom buns. Warm meals end half an hour before arrival.",
        ("Does the saloon serve soup and coffee?", "Until when can I order a warm meal?"),
    ),
    Document(
        "ferry-09",
        "en",
        "A monthly pass costs 190 crowns and is personal. It is sold at the office and on board.",
        ("How much is a monthly pass?", "Where can I buy a monthly pass?"),
    ),
    Document(
        "ferry-10",
        "en",
        "Both ships have a lift to the upper deck. The wheelchair space is booked by telephone one day ahead.",
        ("Is there a lift to the upper deck?", "How do I book the wheelchair space?"),
    ),
)

CHINESE = (
    Document(
        "shop-01",
        "zh",
        "青石书店周二至周日营业，营业时间为上午十点到晚上八点。每周一闭店盘点。",
        ("书店的营业时间是几点到几点？", "周一书店营业吗？"),
    ),
    Document(
        "shop-02",
        "zh",
        "会员年费为60元，购书可享九折优惠。会员卡不可转借他人使用。",
        ("会员年费是多少？", "会员买书有什么优惠？"),
    ),
    Document(
        "shop-03",
        "zh",
        "图书自购买之日起15天内可凭小票退换。拆封的漫画和音像制品不予退换。",
        ("买的书多少天内可以退换？", "拆封的漫画能退吗？"),
    ),
    Document(
        "shop-04",
        "zh",
        "二楼茶座提供红茶和桂花糕，每位最低消费25元。茶座内请勿接打电话。",
        ("茶座的最低消费是多少？", "二楼茶座提供什么？"),
    ),
    Document(
        "shop-05",
        "zh",
        "旧书回收按重量计价，每公斤3元。教材和残缺的图书不在回收范围内。",
        ("旧书回收怎么计价？", "教材可以回收吗？"),
    ),
    Document(
        "shop-06",
        "zh",
        "每月最后一个星期六下午三点举办读书会，名额为30人。报名须提前两天在前台登记。",
        ("读书会什么时候举办？", "怎么报名参加读书会？"),
    ),
    Document(
        "shop-07",
        "zh",
        "店内可以代订外文图书，到货一般需要四周。订金为书价的一半。",
        ("代订外文图书要等多久？", "代订图书要付多少订金？"),
    ),
    Document(
        "shop-08",
        "zh",
        "书店提供免费寄存柜，最长可寄存6小时。贵重物品请随身携带。",
        ("寄存柜最长可以用多久？", "书店有寄存柜吗？"),
    ),
)

DOCUMENTS = (*ENGLISH, *CHINESE)

INVENTED = {
    "en": (
        "This offer was extended to all neighbouring islands by the harbour council in March 2031.",
        "Passengers from Norway receive a refund of 85 percent at the customs desk.",
        "A second terminal with 400 parking places opens behind the lighthouse next week.",
        "Guests who show a library card are driven home by the captain free of charge.",
        "Since the merger with Blue Heron Airways all tickets include a return flight.",
    ),
    "zh": (
        "此外，持护照的外籍游客还可以获得价值500元的代金券。",
        "该服务由市政府与航空公司联合补贴，有效期至2031年底。",
        "店长还会为前一百名顾客赠送一台平板电脑。",
        "新的分店将于下周在火车站地下三层开业。",
        "所有顾客都可以免费乘坐书店的直升机回家。",
    ),
}
"""Sentences that stand in no document: what the service says when it invents."""
