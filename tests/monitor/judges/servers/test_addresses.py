from __future__ import annotations

from ipaddress import ip_address

import pytest

from monitor.judges.servers.addresses import Endpoint, is_allowed, parse_endpoint
from monitor.judges.servers.providers import Provider


@pytest.mark.parametrize(
    ("url", "endpoint", "authority"),
    [
        ("https://judge.example/v1", Endpoint("https", "judge.example", 443, "/v1/chat/completions"), "judge.example"),
        (
            "http://judge.example:8000/",
            Endpoint("http", "judge.example", 8000, "/chat/completions"),
            "judge.example:8000",
        ),
        (
            "https://x.example/openai/deployments/d?api-version=2026-01",
            Endpoint("https", "x.example", 443, "/openai/deployments/d/chat/completions?api-version=2026-01"),
            "x.example",
        ),
        (
            "https://[2606:4700::1]:444/v1",
            Endpoint("https", "2606:4700::1", 444, "/v1/chat/completions"),
            "[2606:4700::1]:444",
        ),
    ],
)
def test_the_path_is_completed_and_the_query_kept(url: str, endpoint: Endpoint, authority: str) -> None:
    parsed = parse_endpoint(url, Provider().path, allow_private=False)
    assert (parsed, parsed.authority) == (endpoint, authority)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("judge.example/v1", "http:// or https://"),
        ("ftp://judge.example", "http:// or https://"),
        ("https://", "http:// or https://"),
        ("https://user:hunter2@judge.example/v1", "user name or password"),
        ("https://hunter2@judge.example/v1", "user name or password"),
        ("https://judge.example/v1#hunter2", "fragment"),
        ("https://judge.example/v1 hunter2", "blank"),
        ("https://judge.example:hunter2/v1", "not a URL"),
        ("https://[hunter2/v1", "not a URL"),
        ("http://169.254.169.254/hunter2", "never is"),
        ("http://[::ffff:169.254.169.254]/hunter2", "never is"),
        ("http://127.0.0.1:8000/hunter2", "allow_private"),
        ("http://10.0.0.7/hunter2", "allow_private"),
    ],
)
def test_a_refused_url_is_explained_without_quoting_it(url: str, words: str) -> None:
    with pytest.raises(ValueError, match=words) as caught:
        parse_endpoint(url, Provider().path, allow_private=False)
    assert "hunter2" not in str(caught.value)


NEVER = [
    "169.254.169.254",
    "169.254.0.1",
    "fe80::1",
    "100.100.100.200",
    "168.63.129.16",
    "fd00:ec2::254",
    "0.0.0.0",  # noqa: S104 - not bound, but refused
    "::",
    "224.0.0.1",
    "255.255.255.255",
    "::ffff:169.254.169.254",
    "64:ff9b::a9fe:a9fe",
    "2002:a9fe:a9fe::1",
    "::a9fe:a9fe",
]
PRIVATE = [
    "127.0.0.1",
    "127.9.9.9",
    "::1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "fd12::1",
    "100.64.0.1",
    "::ffff:10.0.0.1",
]
PUBLIC = ["93.184.216.34", "2606:4700::1111", "::ffff:93.184.216.34", "64:ff9b::5db8:d822"]


@pytest.mark.parametrize("address", NEVER)
def test_link_local_and_metadata_are_never_allowed(address: str) -> None:
    assert [is_allowed(ip_address(address), allow_private=allowed) for allowed in (False, True)] == [False, False]


@pytest.mark.parametrize("address", PRIVATE)
def test_private_ones_only_when_the_settings_say_so(address: str) -> None:
    assert [is_allowed(ip_address(address), allow_private=allowed) for allowed in (False, True)] == [False, True]


@pytest.mark.parametrize("address", PUBLIC)
def test_public_ones_always(address: str) -> None:
    assert [is_allowed(ip_address(address), allow_private=allowed) for allowed in (False, True)] == [True, True]
