"""The address of a Swank server, as written and as resolved."""

from __future__ import annotations

import ipaddress
import re
import socket
import threading
from collections.abc import Sequence
from dataclasses import dataclass

from ...errors import AttachError
from .protocol import Address

_EXPECTED = "expected swank:HOST:PORT, for example swank:127.0.0.1:4005"
_RESOLVING_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class SwankAddress:
    """The place of a server: its address as written, and the socket addresses it resolves to."""

    written: str
    addresses: Sequence[Address]


def place_of(address: str, remote: bool) -> SwankAddress:
    """The place that ``address``, swank:HOST:PORT, names.

    Raises AttachError when it is malformed and, without ``remote``, when any of its socket addresses belongs
    to another machine.
    """
    protocol, _, written = address.partition(":")
    host, _, port = written.rpartition(":")
    if protocol.lower() != "swank":
        what = f"{protocol}: is not a supported protocol" if written else "it names no protocol"
        raise AttachError(f"Cannot attach to {address!r}: {what}; {_EXPECTED}.")
    if host.startswith("[") and host.endswith("]"):
        host = host[1:-1]
    elif ":" in host:
        raise AttachError(f"Cannot attach to {address!r}: put brackets around {host!r}; {_EXPECTED}.")
    if not (host and re.fullmatch(r"[0-9]{1,5}", port, re.ASCII) and 0 < int(port) < 1 << 16):
        raise AttachError(f"Cannot attach to {address!r}: it needs a host and a valid port; {_EXPECTED}.")
    addresses = _resolved(host, int(port))
    outside = [str(where[0]) for _, where in addresses if not _is_loopback(where[0])]
    if outside and not remote:
        resolved = "" if outside[0] == host else f" ({outside[0]})"
        raise AttachError(
            f"Cannot attach to {address!r}: {host}{resolved} is another machine, and Swank is neither "
            "encrypted nor protected from others. To attach anyway, use --attach-remote."
        )
    return SwankAddress(written, addresses)


def _resolved(host: str, port: int) -> Sequence[Address]:
    """Resolve ``host``, in a thread, since the system's resolver has no time limit."""
    found: list[Address] = []
    reasons = ["its name was not resolved in time"]

    def resolve() -> None:
        try:
            for family, _, _, _, where in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM):
                if family in {socket.AF_INET, socket.AF_INET6}:
                    found.append((family, where))  # type: ignore[arg-type]
            reasons.append("its name has no address")
        except (OSError, UnicodeError) as error:
            reasons.append(f"its name does not resolve ({getattr(error, 'strerror', None) or error})")

    thread = threading.Thread(target=resolve, name="oblist resolver", daemon=True)
    thread.start()
    thread.join(_RESOLVING_SECONDS)
    if thread.is_alive() or not found:
        raise AttachError(f"Cannot attach to {host}: {reasons[-1]}.")
    return found


def _is_loopback(address: str) -> bool:
    parsed = ipaddress.ip_address(address)
    mapped = getattr(parsed, "ipv4_mapped", None)
    return (mapped or parsed).is_loopback
