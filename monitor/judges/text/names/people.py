"""Names of people in Chinese, which no capital marks: which ones a text puts forward, and whether passages hold them.

A Chinese name is a common surname and a given name where the words around it ask for a person: behind a title and in
front of what can follow a name, or in front of a verb that people do where a clause begins. A foreign one is told by
the dot between its parts, or by three characters in a row that hardly stand together but in names written by their
sound. A passage holds a name by any two neighbouring characters of it: what is in doubt is no invention.
"""

from __future__ import annotations

import itertools
import operator
import re

_SURNAMES = (
    "王李张刘陈杨赵吴周徐孙朱胡郭郑梁谢宋唐许邓冯韩曹彭萧蔡潘董袁蒋杜苏魏吕丁沈姚卢傅姜崔谭廖范汪陆戴贾韦邱侯邹熊孟秦阎薛"
    "尹黎贺顾郝龚邵覃孔赖樊殷洪翁庞颜倪聂鲁葛俞辛翟阮耿柯乔霍祝冉骆柳蒲"
)
_WORDLIKE = "黄马何高林罗曾田余叶程任钟金石夏白江段雷史龙陶毛万武钱严莫汤施章欧管蓝焦左齐谷纪"
"""Surnames that begin many words: told in the open only with two characters behind them."""
_NOT_GIVEN = (
    "的了是在有和与不会将把被就也都要为对到从时候后前上下中里们这那其此该等及或但而并以于至由让给向往去来说话表示称"
    "某总女先小老大人者方面级位名次个第年月日县市省区局部院校司厂店家所科处室站台各每全多少几两一二三四五六七八九十"
    "员层组队社馆奖费率额型式性度感器机板网款版线证券税价险病药课题制类"
)
_WORDS = "|".join(
    """丁[卯字] 万[一事余元公亩分千份吨国岁户斤民物科米种美股能辆达里英般]
    严[加厉守密寒峻惩打控明格禁肃苛谨酷重防] 乔木 何[人以况在处妨地方时必故苦种须] 任[何免务命性意教期由用职]
    余[下热款粮地生数温量额] 冉冉 刘海 史[书册前学实料记诗] 叶[子片绿菜轮酸] 吴国
    周[一三二五六代全刊到四围岁密年日期朝末易济游身转边遭长报] 唐[代初宋朝装诗] 夏[令代商天季日秋至装]
    孔[子径洞隙雀] 孙子 孟[买子] 宋[代词朝] 左[上下侧右岸手派脚臂路转边近] 庞[大杂] 张[口开扬贴]
    徐徐 戴[上着] 施[加压展工政放教救用肥行] 曾[任在于为经获] 朱[漆红] 李子 杜绝 杨[柳树梅]
    林[业农区场地带木] 柳树 欧[元共洲盟美式亚] 武[侠力器士断术装警] 段[位落子] 殷[商墟切实]
    毛[利发坯孔巾毯病皮笔衣重] 江[东北南岸底心水河流湖边面] 汤[料汁面] 汪洋 洪[水流涝灾]
    焦[急灼炭点虑距躁] 王[位冠后国子室朝牌] 田[地径园野间] 白[云板菜酒宫昼细天皮糖纸色血衣费送银雪领名]
    石[刻化头块墨板材棉油灰窟膏英器雕] 祝[愿福贺] 秦[代国朝腔] 程[序度式控] 章[法程节]
    管[事制委家护控教理用线束道辖子] 范[例围本畴] 纪[事元委实录律念检要] 罗[列盘] 耿直 胡[乱同椒萝须]
    苏[打绣维联格] 莫[名大非] 萧条 葛根 董[事监] 蒲[公团] 蓝[图天牙色领] 谢[意绝罪谢] 谷[地底歌物]
    许[久可多愿配] 贺[信卡电词] 赖[以账] 辛[勤苦辣劳酸] 郑重 金[价卡奖字属币库本条牌矿色融质钱银额黄]
    钟[头情点表] 钱[包币款财] 阎王 陆[军上地战续路] 陈[列皮设词述酿旧醋] 陶[器瓷] 雷[击电达雨] 霍乱
    韩[元剧国方流语] 顾[全及客念虑问] 颜[值料色] 马[上力匹桶来路车铃] 骆驼
    高[中产价位低兴出分危压原呼品声学尚层山峰度性手效新校档楼标水温潮烧点端等管级考职薪血调质贵路速铁频额龄] 魏国
    鲁莽 黄[土山昏油河海牌瓜色豆金] 黎[明族] 齐[全发备心整聚集国] 龙[卷头虾门]
    """.split()  # noqa: SIM905 - a word list reads as text
)
"""What begins like a name and is a word."""
_ALSO_NAMES = (
    "(?:黄[金山河海]|白[云雪露]|严明|夏[天雨]|马力|高[峰山原]|江[南河海水]|万里|石头|林海|金[银贵秋]|钟情|黎明|章程|周[密全游]"
    "|史诗|叶子|雷雨|田[园野]|汪洋|杨柳|唐诗|宋词|张扬)"
)
"""Those of them that people are called as well, alone or with one character more: 高峰, 黄金荣."""
_GIVEN = f"[\u4e00-\u9fff](?<![{_NOT_GIVEN}])"
_NAME = f"(?!{_WORDS})[{_SURNAMES}{_WORDLIKE}](?:{_GIVEN}){{1,2}}"
_CLEAR_NAME = f"(?!{_WORDS})(?:[{_SURNAMES}](?:{_GIVEN}){{1,2}}|[{_WORDLIKE}](?:{_GIVEN}){{2}})"
_MORE = f"{_GIVEN}(?<![周股期商书山湖区机市场源牌])"
_TITLE = (
    "(?:记者|主席|书记|总理|总统|首相|外长|[部局省市县区镇乡村校院所处科厅司行会店团队班]长|董事长|秘书长|主任|教授|博士|研究员|工程师|经理|总监|总裁|律师"
    "|医生|医师|护士|老师|教练|队员|选手|名将|主持人|发言人|代表|委员|院士|专家|导演|演员|歌手|作家|画家|诗人|作者|主编|编辑|创始人|负责人|联系人"
    "|居民|村民|市民|游客|学生|司机|民警|首席执行官|客服|同学|同事|丈夫|妻子|儿子|女儿|父亲|母亲)"
)
_SAYS = "(?:说(?![明法服])|表示|介绍|指出|认为|告诉|强调|透露|坦言|回忆|解释|补充|提醒|呼吁|宣布|称[，：])"
_DOES = "(?:负责|担任|出任|当选|出生|毕业|创立|创办|获得|赢得|夺得|击败|战胜|主持|执导|主演|撰写)"
_BEHIND = f"(?={_SAYS}|{_DOES}|[在和与及等摄、，。；：:,;（）()“”《》的]|也|则|是|率|$)"
_BEGINS = "(?:^|[，。；：、“”！？,;:!?\n（）() ]|由)"
_CHINESE = re.compile(
    f"(?:{_TITLE}(?:[是为叫：:]|名叫)?|由)({_ALSO_NAMES}(?:{_MORE})?)(?={_SAYS}|{_DOES})"
    f"|{_TITLE}(?:[是为叫：:]|名叫)?({_NAME}){_BEHIND}"
    f"|{_BEGINS}({_CLEAR_NAME}|{_ALSO_NAMES}{_MORE})(?={_SAYS}|{_DOES}|(?:先生|女士|教授|博士|院士){_SAYS})"
)
_SOUNDS = (
    "阿埃艾昂奥巴拜班邦鲍贝彼博布查茨达戴丹德迪蒂杜顿多厄恩尔法凡菲费弗夫盖甘冈戈格葛古圭哈豪赫亨霍基吉加贾杰卡凯坎康考科克肯库奎昆拉"
    "莱兰朗劳勒雷里利丽莉琳隆卢鲁露伦罗洛玛马麦曼梅门蒙米敏摩莫姆穆娜纳内尼妮宁纽努诺欧帕派潘庞佩彭皮珀普奇齐恰乔切琼丘撒萨塞桑瑟森沙莎"
    "史什舒斯丝苏索塔泰坦汤唐陶特滕提廷图托瓦旺威韦维温翁沃乌伍西希夏肖谢辛休亚扬耶叶伊尤泽扎詹哲茱兹佐"
)
_SOUND = f"(?:(?!加[盟入])[{_SOUNDS}])"
_HAN = "[\u4e00-\u9fff]"
_FOREIGN = re.compile(
    f"伊斯兰|诺贝尔|可可西里|马拉松|乌托邦|迪斯科|法西斯|吉尼斯|斯诺克|罗曼史|巴洛克|多米诺|哈哈+"
    f"|((?:{_SOUND}{{1,8}}|{_HAN}{{2}}(?<![{_SOUNDS}]))(?:·(?:{_HAN}{{2}}{_SOUND}{{0,6}}|{_SOUND}{{1,8}}))+|{_SOUND}{{3,}})"
)
_DOTS = str.maketrans("•・‧∙", "····")
"""Other dots that stand between the parts of a foreign name."""
_LATIN_NAME = re.compile("[A-Z][a-z]{2,}")


def people_in(text: str) -> frozenset[str]:
    """The names of people that a text puts forward. Expects simplified characters, and no name of a place."""
    text = text.translate(_DOTS)
    chinese = itertools.chain.from_iterable(_CHINESE.findall(text))
    return frozenset(filter(None, itertools.chain(chinese, _FOREIGN.findall(text))))


def is_held(person: str, texts: str) -> bool:
    """Whether `texts` hold two neighbouring characters of a name, or may write a foreign one in Latin letters."""
    pairs = map(operator.add, person, person[1:])
    if any(pair in texts for pair in pairs if "·" not in pair):
        return True
    return _FOREIGN.fullmatch(person) is not None and _LATIN_NAME.search(texts) is not None
