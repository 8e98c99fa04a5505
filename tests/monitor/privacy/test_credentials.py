from __future__ import annotations

import random
import string

import pytest

from monitor.privacy.scan import KINDS, scan_text

WORD = string.ascii_letters + string.digits
RNG = random.Random(4)


def word(size: int, alphabet: str = WORD) -> str:
    """Random characters: no test data that a real scanner would take for a live credential."""
    return "".join(RNG.choice(alphabet) for _ in range(size - 1)) + "7"


def found(text: str) -> list[tuple[str, str]]:
    return [(span.kind, text[span.start : span.end]) for span in scan_text(text, KINDS)]


@pytest.mark.parametrize(
    ("kind", "secret"),
    [
        ("secret.aws", "AKIA" + word(16, string.ascii_uppercase)),
        ("secret.aliyun", "LTAI" + word(20)),
        ("secret.tencent", "AKID" + word(32)),
        ("secret.baidu", "ALTAK" + word(21)),
        ("secret.volcengine", "AKLT" + word(40)),
        ("secret.openai", "sk-" + "proj-" + word(48)),
        ("secret.openai", "sk-" + word(32, "0123456789abcdef")),
        ("secret.anthropic", "sk-" + "ant-api03-" + word(60)),
        ("secret.github", "ghp_" + word(36)),
        ("secret.gitlab", "glpat-" + word(20)),
        ("secret.slack", "xoxb-" + "123456789012-" + word(24)),
        ("secret.google", "AIza" + word(35)),
        ("secret.stripe", "sk_" + "live_" + word(24)),
        ("secret.huggingface", "hf_" + word(34)),
        ("secret.telegram", word(9, string.digits) + ":AA" + word(33)),
        ("secret.jwt", "eyJ" + word(20) + ".eyJ" + word(30) + "." + word(43)),
        ("secret.url", "postgres://svc:" + word(12) + "@10.1.2.3:5432/prod?sslmode=on"),
        ("secret.password", "Zk8Pna6ce!88x"),
        (
            "secret.private_key",
            "-----BEGIN " + "RSA PRIVATE KEY-----\n" + word(64) + "\n-----END " + "RSA PRIVATE KEY-----",
        ),
    ],
)
@pytest.mark.parametrize("around", ["use {} now", "密钥是{}。", "{}", "({})", "是{}吗"])
def test_a_credential_with_a_form_of_its_own_is_found_whole(kind: str, secret: str, around: str) -> None:
    assert found(around.format(secret)) == [(kind, secret)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("password: hunter22x", "hunter22x"),
        ("The password is Tr0ub4dor.", "Tr0ub4dor"),
        ("初始密码为abc12345,请尽快修改", "abc12345"),
        ("密码:864209", "864209"),
        ('{"api_key": "q8w7e6r5t4", "user": "x"}', "q8w7e6r5t4"),
        ("export CLIENT_SECRET=a1b2c3d4e5", "a1b2c3d4e5"),
        ("令牌=zx90cv12bn", "zx90cv12bn"),
    ],
)
def test_a_value_that_is_called_a_secret_is_found_and_nothing_around_it(text: str, value: str) -> None:
    assert [hit for _, hit in found(text)] == [value]


@pytest.mark.parametrize(
    "text",
    [
        "The password is required and must be at least 8 characters long.",
        "密码是6位数字,区分大小写",
        "token: bearer authentication",
        "A token is a piece of text; the token limit is 128000.",
        "api_key=${API_KEY_2}",
        "password: aaaaaaaaaaaa1",
        "password reset link: https://example.com/reset1",
        "AT&T2020 sold C#9 licences for US$120bn, up 50%!",
        "Your request id is 6db93f091de846ffa334502f6cfbb858f9d00eb4.",
        "提交2b25016dcc54e355187be9582d86c3e73b63e4cf已修复该问题。",
        "Order qYtmuL/2ef68miK8ofaWhyU9ZComOmsI has shipped.",
        "see https://example.com/a:b@c and http://user@example.com",
        "sk-learn and scikit-learn-contrib-extension-packages",
        "PRIVATE KEY handling",
    ],
)
def test_words_about_secrets_and_look_alikes_are_left_alone(text: str) -> None:
    assert [hit for hit in found(text) if hit[0].startswith("secret")] == []


def test_hexadecimal_text_is_a_key_only_where_it_is_used_as_one() -> None:
    value = word(40, "0123456789abcdef")
    assert found(f"put {value} into the header") == [("secret.hex", value)]
    assert found(f"build {value} of the header parser") == []


def test_a_private_key_that_was_cut_off_goes_as_far_as_its_body() -> None:
    begin = "-----BEGIN " + "PRIVATE KEY-----\n"
    body = word(64) + "\n" + word(30)
    assert found(f"key:\n{begin}{body}") == [("secret.private_key", begin + body)]
