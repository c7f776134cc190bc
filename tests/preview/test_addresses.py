"""Ports and tokens."""

from __future__ import annotations

import itertools
import socket
from typing import Any

import pytest

from cardgen.preview import auth, server


def test_ports_are_the_same_for_a_game_and_tokens_belong_to_one_secret_game_and_port() -> None:
    ports = list(auth.list_ports(b"secret", "game"))
    assert ports == list(auth.list_ports(b"secret", "game"))
    assert ports[-1] == 0
    assert all(20_000 <= port < 30_000 for port in ports[:-1])
    assert len(set(ports)) == len(ports)
    told = itertools.product([b"secret", b"another"], ["game", "other"], [20_001, 20_002])
    tokens = [auth.make_token(*each) for each in told]
    assert len(set(tokens)) == len(tokens) == 8
    assert all((len(token) == 22 and token.replace("-", "_").isidentifier()) or token[0].isdigit()
               for token in tokens)  # fmt: skip
    assert auth.make_token(b"secret", "game", 20_001) == tokens[0]


class _Asking:
    """A socket of a machine that has an address."""

    def __init__(self, address: str) -> None:
        self.address = address

    def __enter__(self) -> _Asking:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def connect(self, _: object) -> None:
        if not self.address:
            raise OSError(101, "Network is unreachable")

    def getsockname(self) -> tuple[str, int]:
        return self.address, 4242


@pytest.mark.parametrize(("address", "said"), [
    ("192.168.1.20", ""), ("10.3.2.1", ""), ("100.64.3.1", ""), ("", "not in a network"),
    ("127.0.0.1", "not in a network"), ("8.8.8.8", "the whole internet"),
])  # fmt: skip
def test_only_addresses_in_private_networks_are_used(
    monkeypatch: pytest.MonkeyPatch, address: str, said: str
) -> None:
    def made(*_: Any) -> _Asking:
        return _Asking(address)

    monkeypatch.setattr(socket, "socket", made)
    if not said:
        assert auth.find_lan_address() == address
        return
    with pytest.raises(auth.NoNetworkError, match=said):
        auth.find_lan_address()


def test_a_port_in_use_is_skipped() -> None:
    (first,) = server._open_sockets(["127.0.0.1"], iter([0]))
    with first:
        taken = first.getsockname()[1]
        both = server._open_sockets(["127.0.0.1", "127.0.0.2"], iter([taken, 0]))
        assert len({each.getsockname()[1] for each in both} | {taken}) == 2
        assert [each.getsockname()[0] for each in both] == ["127.0.0.1", "127.0.0.2"]
        for each in both:
            each.close()
        with pytest.raises(server.PortTakenError, match=f"cannot listen at port {taken}"):
            server._open_sockets(["127.0.0.1"], iter([taken]))
