from __future__ import annotations

import pytest

from monitor.privacy.scan import KINDS, scan_text


def wide(text: str) -> str:
    """The full-width form of ASCII text."""
    return "".join(chr(ord(char) + 0xFEE0) for char in text)


def found(text: str) -> list[tuple[str, str]]:
    return [(span.kind, text[span.start : span.end]) for span in scan_text(text, KINDS)]


@pytest.mark.parametrize(
    ("text", "kind", "hit"),
    [
        ("write to li.lei+tag@mail.example.com.", "email", "li.lei+tag@mail.example.com"),
        ("邮箱li@example.com谢谢", "email", "li@example.com"),
        (f"邮箱{wide('li@example.com')}谢谢", "email", wide("li@example.com")),
        ("a@b.com13812345678", "email", "a@b.com"),
        ("手机13800138000,请保密", "phone", "13800138000"),
        ("联系+86 138-0013-8000吧", "phone", "+86 138-0013-8000"),
        ("8613800138000", "phone", "8613800138000"),
        (f"电话{wide('13800138000')}。", "phone", wide("13800138000")),
        ("138\u200b0013\u200b8000", "phone", "138\u200b0013\u200b8000"),
        ("座机010-62345678转801", "phone", "010-62345678转801"),
        ("(021)62345678", "phone", "(021)62345678"),
        ("热线400-820-8820", "phone", "400-820-8820"),
        ("拨打4008208820即可", "phone", "4008208820"),
        ("ring +44 20 7946 0958 now", "phone", "+44 20 7946 0958"),
        ("(212) 555-0143", "phone", "(212) 555-0143"),
        ("212-555-0143 ext. 12", "phone", "212-555-0143 ext. 12"),
        ("001-518-640-0854", "phone", "001-518-640-0854"),
        ("Phone: 451 5986", "phone", "451 5986"),
        ("我的卡号4111111111111111谢谢", "card", "4111111111111111"),
        ("pay with 5555 5555 5555 4444 please", "card", "5555 5555 5555 4444"),
        ("银行卡6200000000000005", "card", "6200000000000005"),
        ("身份证11010519491231002X的用户", "resident_id", "11010519491231002X"),
        (f"身份证{wide('11010519491231002X')}", "resident_id", wide("11010519491231002X")),
        ("IP是10.20.3.15的机器", "ip", "10.20.3.15"),
        ("from 2001:db8::8a2e:370:7334 today", "ip", "2001:db8::8a2e:370:7334"),
        ("IBAN DE89 3704 0044 0532 0130 00", "iban", "DE89 3704 0044 0532 0130 00"),
        ("my iban is gb82west12345698765432", "iban", "gb82west12345698765432"),
        ("SSN为123-45-6789的", "us_ssn", "123-45-6789"),
        ("加微信wx_test01聊", "wechat", "wx_test01"),
        ("QQ:123456789", "qq", "123456789"),
        ("护照号E12345678", "passport", "E12345678"),
        ("driver's license number is 5130634", "driver_license", "5130634"),
    ],
)
def test_a_sensitive_text_is_found_wherever_it_stands(text: str, kind: str, hit: str) -> None:
    assert (kind, hit) in found(text)


@pytest.mark.parametrize(
    "text",
    [
        "订单202612962234170252已发货,运单号SF6293242058034",
        "型号7924386632705的保修期为2年",
        "统一社会信用代码91756575MABUAKLUQE",
        "序列号38652378584",
        "commit 1bca43176fc42b0718c94d7447487b36abf7090d",
        "id 550e8400-e29b-41d4-a716-446655440000",
        "order 4111111111111112",
        "resident 110105194912310021",
        "from 2019-2020 to 2021-2022, 2026-11-29 10:20:30",
        "at 12:34:56 the MAC 00:1b:44:11:3a:b7 came up",
        "version 1.2.3.4 and v10.0.0.1",
        "127.0.0.1, 0.0.0.0, 255.255.255.0, 300.1.1.1, 1.2.3.4.5",
        "std::string a::b c::d",
        "call us toll free at 1-800-799-7233",
        "price 1,299.00 for 12 345 678 units",
        "a @ b . com, user@localhost, @handle",
        "3.14159265358979 and 1e10",
        "GB83WEST12345698765432 is no account",
        "2026年11月29日,第12345678号文件",
    ],
)
def test_what_only_looks_alike_is_left_alone(text: str) -> None:
    assert found(text) == []


def test_thirteen_digits_are_a_card_only_where_they_are_called_one() -> None:
    assert found("barcode 4222222222222") == []
    assert found("card 4222222222222") == [("card", "4222222222222")]
