"""Offers in Chinese: what an assistant could do next, what it would have to know for that, and in which case.

如果您告诉我型号，我可以给出更准确的步骤。 A clause is told by its grammar: the assistant speaks of work on texts that
it itself could do, or asks to be told something; nothing in it may state, name, count or value anything. What a
company would do (我们可以退款) is a claim.
"""

from __future__ import annotations

import re

from monitor.judges.text.tokens import tokenize

_YOU = "(?:[您你]们?)"
_LEADS = "(?:那么?|所以|另外|此外|同时|最后|当然|好的|也|还|不过|另|这样|以便|方便|然后|或者?|以及|并且?|顺便)*+"
_HOW = (
    "(?:也|还|就|都|再|先|会|能够?|可以|可|想|将|来|很|非常|十分|随时|这边|更?(?:准确|精准|具体|详细|好|快"
    "|有针对性)地|继续|进一步|尽力|尽量|更|一起|直接|帮忙|乐意|愿意|乐于|马上|立即|立刻|逐一|逐步|一步一?步"
    "|详细|简单|具体|重新|试着)"
)
_WORK = (
    "(?:解释|说明|讲解|讲讲|讲|介绍|计算|核算|估算|测算|换算|推算|算|整理|总结|归纳|概括|汇总|梳理|比较|对比"
    "|比对|分析|判断|评估|诊断"
    "|排查|查一?下|查一查|查找|查询|查|核对|撰写|写|起草|草拟|拟定?|润色|修改|改写|改|翻译|列出?|制定|制作|规划"
    "|设计|细化|展开|补充|演示|示范|解读"
    "|简化|精简|生成|画|绘制|举|解答|回答|看看|看一?下|查看|定制|优化|调整|完善|填写|填|准备|选择|选|挑选|找出?"
    "|定位|指导|引导|辅导|协助"
    "|说说|聊聊|做|转换|换成|转成|变成|搭建|构思|策划|安排|排|理一理|理清|缩小|缩短|深入|细说|详述|搞定这|解决)"
)
"""What an assistant does with texts."""
_TEXT = (
    "(?:模板|样本|范本|范文|示例|样例|例子|例|案例|清单|表格|列表|一览表|对照表|步骤|方法|说明|解释|建议|方案"
    "|思路|信息|资料|链接|指南|指导|指引|解答|答案"
    "|回答|答复|计划|规划|流程图|思维导图|图表|版本?|总结|摘要|概要|大纲|提纲|代码|脚本|文案|话术|草稿|初稿"
    "|公式|计算|攻略|参考|对比|比较|细节|帮助"
    "|支持|分析|估算|教程|译文|翻译|提示|技巧|邮件|信|申请书|报告|判断|意见|推荐|选项|时间表|行程)"
)
"""A text that an assistant can write."""
_GIVES = "(?:提供|给出|给到|给|分享|推荐|发送|发|提出|附上)"
_ONE = re.compile(
    "一(?=[个份封次下遍张步些篇段条种点套起张句]|一)|一步步|逐一|进一步|第一时间|统一|一般|一样|一致|唯一|万一"
)
"""Of one that counts nothing."""
_SAYS = (
    "是|不(?!同|错)|没|无|非|未|免|均|已经?|必须|务必|应[当该]|须|全额|优惠(?!方案)|折|赠|送(?!一份)|有权"
    "|有资格|因为|由于|所以|因此|但|虽|尽管|只[需能要]|仅|将|可以|可(?!能)|会(?!员|议|计)"
    "|为(?![您你]|什)|有(?!关|效|什么|哪|没有|用|针对)|保证|确认|包含|包括|禁止|过(?!程)|了(?!解)|任何|终身|永久|随时"
    "|自动|立即|立刻|马上"
)
"""What says how something is."""
_STATES = re.compile(_SAYS)
_ASKS = re.compile(
    "哪|什么(?<!为什么)|是否|如何|怎[么样]|多少|几(?=[个种天年月次款])|能否|能不能|有没有|是不是|可不可以"
    "|该不该|要不要|需不需要"
)
_WHY = re.compile("为什么|为何|免费|全额|终身|永久|白送|赠送|因为|由于")
_REST = "(?P<rest>[^，。；：]{0,36})"
_I = "(?:(?P<we>我们|咱们)|我)"
_TELL = (
    "(?:告诉|告知)我(?!们)|(?:跟|和|与|向)我(?:说|讲|联系|沟通|反馈|提)|(?:问|找|叫|喊|戳"
    "|联系)我(?=[吧哦呢啦哈]?$)|(?:发|贴|传|提供|分享|描述|反馈|展示|列)(?:给|到|在|出)?(?:我(?!们)|这里|这儿"
    "|对话里?|出来)"
)
_OFFER = re.compile(
    rf"{_LEADS}(?:{_I}(?=[^，]{{0,8}}(?:可以|可|能|会|来|帮助?(?=[您你忙])|为[您你]|给[您你]|乐意|愿意|再|继续))"
    rf"|(?=(?:很|非常|十分)?(?:乐意|愿意|可以|可)(?:为|帮|给)[您你]))"
    rf"{_HOW}*+(?:(?:(?P<to>给)|帮助?|为|替|陪|和|跟|与|协助|向|(?P<how>教|告诉"
    rf"|告知))[您你]们?)?{_HOW}*+(?P<of>把|将|对|就|针对|按照?|根据|用|以|从)?"
    rf"(?P<work>{_WORK}|{_GIVES})?{_REST}"
)
_ASK = re.compile(
    rf"{_LEADS}(?:请|麻烦|欢迎|可以|可|也|还|都|随时|直接|再|继续|只需|只要|尽管|先|{_YOU}|就|能否|不妨|需要"
    rf"|方便时|[:：])*+"
    rf"(?:(?:把|将)(?P<what>[^，。]{{1,16}}?))?(?:{_TELL}|(?<=随时)(?:提出来?|提问|反馈)$){_REST}"
)
_GIVEN = re.compile(
    rf"{_LEADS}(?:请|麻烦|可以|也|还|直接|再|只需|先|{_YOU}|就|需要|不妨|欢迎|能|随时)*+(?:提供|补充|描述|说明"
    rf"|说说|告知|分享|上传|发送|留言)(?:一下)?{_REST}"
)
"""What is to be told, where an offer stands beside it."""
_MORE = re.compile("(?:更多|更具体|更详细|进一步)的?(?:细节|信息|情况|背景|详情)$")
_CASE = re.compile(
    rf"{_LEADS}(?:{_YOU})?(?:(?:如果|若是?|如(?=[有需您你果])|假如|要是|倘若|万一|只要|一旦|等(?=[您你]))"
    rf"|(?=[^，]{{1,30}}的话$)|(?=(?:有|需要|方便|想|想要|希望)(?:进一步)?(?:需要|了解|知道|查看|看|更多|时)"
    rf"|需要更|有(?:问题|疑问|需要|不懂)))"
    r"(?P<rest>[^，。；：]{0,40})"
)
_PARTS = re.compile(
    "(?<=[^诉给发问让由叫跟和向为找把])(?=我(?:也|还|就|很)*(?:可以|能|会|乐意))|(?<=[要便意以需有问题]的话)(?=.)"
    "|(?<=[^，以也都您你接请时迎])(?=(?:也|都)?(?:可以|随时|请|欢迎|直接)+(?:告诉|问|找|叫|跟|联系|发给)我)"
)
"""Where parts of an offer meet without a comma."""
_WORKS = re.compile(rf"[^，。]{{0,24}}?(?:{_WORK}|{_TEXT})")
_TELLS_HOW = re.compile(f"(?:具体|应该|应当|到底|去)*+(?:{_ASKS.pattern})")
_ENDS_AS_TEXT = re.compile(rf"[^，。]{{0,24}}?{_TEXT}(?:的)?(?:参考|帮助|支持|说明)?(?:[吧哦呢啦]|供您参考|给您)?$")
_OTHERS_DO = re.compile(
    "退款|免除|减免|延长|赔|发货|送货|上门|安装(?!步骤|方法|说明)|办理(?!流程|步骤|材料|方法)|报销|补偿|优惠券?"
    "|折扣|领取|免费"
)
_COMPARES, _COMPARED = re.compile("[对相]比|比较|区别|异同|优缺点"), re.compile("[两二](?=[个种款者项类份])")
_FORMATS = re.compile("(?ai:PDF|Excel|Word|CSV|JSON|Markdown|Python|JavaScript|Java|SQL|HTML|FAQ|PPT|AI)(?![a-zA-Z])")
"""In which any text can be written."""
_TO_YOU = re.compile(rf"[您你]|帮忙|再|继续|进一步|详细|一起|重新|[成个份封]|[一几]下|讲讲|看看|更多|{_TEXT}")
"""What makes an offer of what one can do."""
_LED, _GIVING = re.compile(rf"\A{_LEADS}"), re.compile(_GIVES)
_MORE_WORK = re.compile(f"{_HOW}*+(?:{_WORK}|{_GIVES})")
_LONGEST = 60


def kind_of(text: str, clause: str, *, offered: bool) -> str:
    """`offer`, `condition` of what counts beside one only, `promise` of what counts beside a condition, or nothing.

    `text` is the clause in letters only.

    `offered`: an offer stands before it, which this clause may go on.
    """
    if not text or len(text) > _LONGEST or _WHY.search(text):
        return ""
    kinds = [_kind_of_part(part) for part in _PARTS.split(text)]
    if all(kinds):
        kind = "offer" if "offer" in kinds or len(set(kinds)) > 1 else kinds[0]
    else:
        kind = "offer" if offered and _goes_on(text) else ""
    return "" if kind and _names_something(clause) else kind


def _kind_of_part(part: str) -> str:
    case = _CASE.fullmatch(part)
    if case is not None:
        return "condition"
    asked = _ASK.fullmatch(part)
    if asked is not None and _states_nothing(asked["rest"]) and _states_nothing(asked["what"] or ""):
        return "offer"
    offer = _OFFER.fullmatch(part)
    if offer is not None and _is_work(offer, part) and _states_nothing(offer["rest"]):
        return "offer" if _TO_YOU.search(part) else "promise"
    given = _GIVEN.fullmatch(part)
    if given is None or not _states_nothing(given["rest"]):
        return ""
    return "offer" if _MORE.match(given["rest"]) else "condition"


def _is_work(offer: re.Match[str], part: str) -> bool:
    """Whether it is work on a text that an assistant does, or gives one."""
    work, rest = offer["work"] or "", offer["rest"]
    if _OTHERS_DO.search(part) or (offer["we"] and "一起" not in part):
        return False
    if offer["how"]:
        return _TELLS_HOW.match(work + rest) is not None
    if _GIVING.fullmatch(work) or (offer["to"] and not work):
        return _ENDS_AS_TEXT.match(rest) is not None
    if work:
        return True
    return part[-1] in "您你" if not rest else bool(offer["of"]) and _WORKS.match(rest) is not None


def _goes_on(text: str) -> bool:
    """Whether a clause goes on with what an offer before it lists."""
    rest = _LED.sub("", text, count=1)
    return _MORE_WORK.match(rest) is not None and _states_nothing(rest) and not _OTHERS_DO.search(rest)


def _states_nothing(rest: str) -> bool:
    asks = _ASKS.search(rest)
    return not _STATES.search(rest[: asks.start()].removesuffix("是") if asks else rest)


def _names_something(clause: str) -> bool:
    compared = _COMPARED.sub("", clause) if _COMPARES.search(clause) else clause
    tokens = tokenize(_ONE.sub("", _FORMATS.sub("", compared)))
    return bool(tokens.numbers or tokens.named or tokens.names or tokens.values)
