"""An address is the same with a scheme, `www.`, a stroke at its end or marks around it; another address is missing."""

import pytest

from monitor.judges.grounding.assessment import assess
from monitor.judges.text.spellings.addresses import addresses_in

_ROUTER = "Open http://192.168.50.1 in a browser."
_PORTAL = "Sign in at https://portal.acme.example/login to see your bills."
_WWW = "Sign in at `www.acme.com` to see your bills."
_HAN, _HAN_BARE = (
    "请打开https://portal.acme.example登录，修改密码。",
    "请打开 portal.acme.example 登录，修改密码。",
)


@pytest.mark.parametrize(
    ("passage", "answer"),
    [
        *(
            (_ROUTER, f"Open {address} in a browser.")
            for address in (
                *("192.168.50.1", "`http://192.168.50.1`", "**http://192.168.50.1/**", '"192.168.50.1"'),
                *("[http://192.168.50.1](http://192.168.50.1)", "<http://192.168.50.1>", "(http://192.168.50.1)"),
            )
        ),
        *(
            (_PORTAL, f"Sign in at {address} to see your bills.")
            for address in (
                *("portal.acme.example/login", "www.portal.acme.example/login", "`https://portal.acme.example/login/`"),
                *("https://portal.acme.example", "portal.acme.example", "HTTPS://Portal.Acme.Example/login"),
            )
        ),
        (_WWW, "Sign in at https://www.acme.com/ to see your bills."),
        (_WWW, "Sign in at acme.com to see your bills."),
        ("Sign in at acme.com to see your bills.", "Sign in at https://www.acme.com to see your bills."),
        (_HAN, "请打开`https://portal.acme.example`登录，修改密码。"),
        (_HAN, "请打开portal.acme.example登录，修改密码。"),
        (_HAN, "请打开“https://portal.acme.example”登录，修改密码。"),
        (_HAN_BARE, "请打开`https://portal.acme.example/`登录，修改密码。"),
        (_HAN_BARE, "请打开（https://portal.acme.example）登录，修改密码。"),
        ("Start it at http://localhost:8080.", "Start it at localhost:8080."),
    ],
)
def test_the_same_address_is_supported(passage: str, answer: str) -> None:
    assert all(piece.score > 0.85 for piece in assess(answer, [passage]).evidence)


@pytest.mark.parametrize(
    ("passage", "answer"),
    [
        *(
            (_ROUTER, f"Open {address} in a browser.")
            for address in (
                *("192.168.50.2", "http://192.168.50.17", "http://192.168.50.1:8080", "http://192.168.50.1/admin"),
                "`http://192.168.50.2`",
            )
        ),
        *(
            (_PORTAL, f"Sign in at {address} to see your bills.")
            for address in (
                *("https://portal.acme.example/signup", "https://acme.example", "https://portal.other.example/login"),
                *("https://portal.acme.example/login/new", "https://portal.acme.example/login?ref=1"),
            )
        ),
        (_WWW, "Sign in at https://acme.org to see your bills."),
        (_WWW, "Sign in at https://acme.com/bills to see your bills."),
        ("Write to info@acme.com to see your bills.", "Write to https://acme.com to see your bills."),
        (_HAN, "请打开https://portal.acmf.example登录，修改密码。"),
        (_HAN_BARE, "请打开https://portal.acme.org登录，修改密码。"),
    ],
)
def test_another_address_is_a_lack(passage: str, answer: str) -> None:
    """No name, as many answers add the address of their source, which is in no passage."""
    right, wrong = (assess(said, [passage]).evidence[0].score for said in (passage, answer))
    assert wrong < right - 0.05


def test_numbers_and_abbreviations_are_no_addresses() -> None:
    text = "The fee is 3.50 euros, e.g. 1.250.000 in the U.S. at 9 p.m. Then 10.5 follows."
    assert not list(addresses_in(text))
