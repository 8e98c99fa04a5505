"""Whom to ask for more is no claim; what is said beside it, promised for it or known of it is one."""

import pytest

from monitor.judges.text.claims import claims_of


@pytest.mark.parametrize(
    "answer",
    [
        "It is recommended to consult a tax professional for more information on the rules.",
        "If the problem persists, it may be best to contact a professional locksmith or carpenter.",
        "If you have any further questions or concerns, consult your veterinarian for advice.",
        "It may be necessary to seek professional help to diagnose the problem.",
        "It's always best to consult with a healthcare professional before using it as a remedy.",
        "For more specific advice, please contact the manufacturer.",
        "If these steps do not help, please refer to the manual or contact customer service.",
        "You may want to check with your doctor to rule out other causes.",
        "Please consult your doctor or pharmacist before changing any medication.",
        "I'd suggest checking with the airline.",
        "I'd recommend contacting the lodge directly to confirm whether a pool is available.",
        "This information is for general purposes only and does not replace professional medical advice.",
        "Please note that individual circumstances may vary.",
        "For the most accurate information, please check the official website.",
        "For legal questions, consult an attorney.",
        "Seek professional help if needed.",
        "建议咨询专业人士的意见。",
        "具体情况建议咨询专业律师。",
        "以上内容仅供参考，不能代替医生的诊断。",
        "以上信息仅供参考，具体以官方规定为准。",
        "请遵医嘱。",
        "**Disclaimer:** This information is for general purposes only.",
        "建议您向相关部门进一步确认。",
        "建议您直接致电酒店询问。",
        "如有不适，请及时就医或咨询医生。",
        "如果症状持续，建议您尽快咨询医生，以获取专业的诊断和治疗。",
        "建议联系客服，以便获得更多帮助。",
    ],
)
def test_a_referral_is_no_claim(answer: str) -> None:
    assert claims_of(answer) == ()


@pytest.mark.parametrize(
    "answer",
    [
        "Contact support for a full refund.",
        "Contact support to get a full refund.",
        "If it breaks, contact support within 30 days for help.",
        "You can contact support and cancel your order for free.",
        "If you smoke, do not consult a doctor.",
        "It is best not to contact the manufacturer for help.",
        "If in doubt, refer to the manual, which says that it explodes.",
        "People with epilepsy should talk to a doctor first, since lack of sleep can make it worse.",
        "If you are ill, ask your doctor about Xanax.",
        "If you consult your doctor about the device, it will explode.",
        "Please consult a doctor.",
        "If you feel better you may stop the drug on your own, contact your doctor.",
        "If you miss a dose take a double one, contact your doctor.",
        "If you are pregnant, the vaccine is perfectly safe, please consult a doctor.",
        "If the tank leaks you can seal it with tape, then contact a plumber.",
        "If you cancel the booking the hotel keeps the whole price, contact support.",
        "For more than half of the guests dinner is free, contact support.",
        "Please contact support to verify your lifetime guarantee.",
        "Please ask an expert to rule out the mould found in every room.",
        "You can visit the museum shop and get help.",
        "如果头痛可以服用阿司匹林，请咨询医生。",
        "如产品开封后一律不退，请联系客服。",
        "假如电池起火可用水扑灭，请联系客服。",
        "如需退款，请联系客服获取全额退款。",
        "请咨询客服了解退款需要3天。",
        "建议不要咨询医生。",
    ],
)
def test_what_says_more_than_whom_to_ask_is_a_claim(answer: str) -> None:
    assert claims_of(answer) != ()
