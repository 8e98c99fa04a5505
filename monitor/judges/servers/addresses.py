"""Where a judge call may go: the configured URL, and the addresses that its name leads to. Pure checks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import SplitResult, urlsplit

Address = IPv4Address | IPv6Address

_ALWAYS_REFUSED = tuple(
    ip_network(text)
    for text in (
        "0.0.0.0/8",  # "this host": connects to loopback on Linux
        "169.254.0.0/16",  # link-local, where clouds serve metadata and credentials
        "100.100.100.200/32",  # metadata of Alibaba Cloud
        "168.63.129.16/32",  # host agent of Azure
        "192.0.0.192/32",  # metadata of Oracle Cloud
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, broadcast
        "::/128",
        "fe80::/10",
        "fec0::/10",
        "ff00::/8",
        "fd00:ec2::/32",  # metadata of AWS
        "fd20:ce::254/128",  # metadata of Google Cloud
    )
)
_NAT64 = ip_network("64:ff9b::/96")
_COMPATIBLE = ip_network("::/96")
_OWN = 0xFFFF
"""Up to here `::/96` holds IPv6's own special addresses, such as the loopback."""
_DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The checked parts of a judge's URL."""

    scheme: str
    host: str
    """Name or address literal, without brackets."""
    port: int
    target: str
    """Path and query of a call."""

    @property
    def authority(self) -> str:
        """What the `Host` header says."""
        host = bracketed(self.host)
        return host if self.port == _DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"


def parse_endpoint(base_url: str, path_of: Callable[[str], str], *, allow_private: bool) -> Endpoint:
    """The endpoint of a base URL; its query (such as an API version) is kept, `path_of` completes its path.

    Raises ValueError, in words that name the setting but never quote the URL: it may hold a secret.
    """
    try:
        parts = urlsplit(base_url)
        port = parts.port
    except ValueError:
        msg = "base_url is not a URL; write http(s)://host[:port]/path"
        raise ValueError(msg) from None
    if parts.scheme not in _DEFAULT_PORTS or not parts.hostname:
        msg = "base_url needs http:// or https:// and a host"
        raise ValueError(msg)
    if "@" in parts.netloc:
        msg = "base_url holds a user name or password; use api_key or headers instead"
        raise ValueError(msg)
    if parts.fragment or any(not "!" <= character <= "~" for character in base_url):
        msg = "base_url holds a fragment, a blank or a character outside ASCII"
        raise ValueError(msg)
    _check_literal(parts.hostname, allow_private=allow_private)
    return Endpoint(parts.scheme, parts.hostname, port or _DEFAULT_PORTS[parts.scheme], _target(parts, path_of))


def is_allowed(address: Address, *, allow_private: bool) -> bool:
    """Whether a call may go to the address. Link-local, metadata, multicast and reserved ones never."""
    address = _innermost(address)
    if any(address in network for network in _ALWAYS_REFUSED if network.version == address.version):
        return False
    return allow_private or address.is_global


def bracketed(host: str) -> str:
    """The host as it stands in a URL."""
    return f"[{host}]" if ":" in host else host


def _target(parts: SplitResult, path_of: Callable[[str], str]) -> str:
    path = path_of(parts.path)
    return f"{path}?{parts.query}" if parts.query else path


def _check_literal(host: str, *, allow_private: bool) -> None:
    try:
        address = ip_address(host)
    except ValueError:
        return  # a name: checked when it is resolved, before each call
    if is_allowed(address, allow_private=allow_private):
        return
    hint = "" if is_allowed(address, allow_private=True) else "; this one never is"
    msg = f"base_url leads to a private or forbidden address; set allow_private for an endpoint of your own{hint}"
    raise ValueError(msg)


def _innermost(address: Address) -> Address:
    """The IPv4 address that an IPv6 one carries (mapped, compatible, 6to4, Teredo, NAT64), else the address itself."""
    if isinstance(address, IPv4Address):
        return address
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    if address.teredo is not None:
        return address.teredo[1]
    if address in _NAT64 or (address in _COMPATIBLE and int(address) > _OWN):
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address
