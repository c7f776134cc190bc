"""Tables fetched from where they are published: what is asked, what is taken, what is written."""

from __future__ import annotations

import email
import io
import socket
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import BaseHandler, Request
from urllib.response import addinfourl

import pytest
from conftest import Cardgen
from small_games import TEXT_GAME, edit

from cardgen.game import table_fetch
from cardgen.game.table_fetch import FetchError

PUBLISHED = "https://docs.google.com/spreadsheets/d/e/2PACX-1/pub?output=csv"
HANDED = "https://doc-08-sheets.googleusercontent.com/pub/abc"
CSV = b"id,value\nten,10\n"
BUILT = {
    **TEXT_GAME,
    "cards/notes.yaml": TEXT_GAME["cards/notes.yaml"].replace(
        "cards:", f'rows: {{file: notes.csv, from: "{PUBLISHED}"}}\ncards:'
    ),
    "cards/notes.csv": "id,value\ntwenty,20\n",
}
Answer = tuple[int, Mapping[str, str], bytes] | Exception


class Server(BaseHandler):
    """Answers of a server, by their addresses; what was asked is remembered."""

    def __init__(self, answers: Mapping[str, Answer]) -> None:
        self.answers, self.asked = answers, [""][:0]

    def https_open(self, req: Request) -> Any:
        self.asked.append(req.full_url)
        answer = self.answers[req.full_url]
        if isinstance(answer, Exception):
            raise answer
        status, headers, body = answer
        lines = "".join(f"{name}: {value}\n" for name, value in headers.items())
        made = addinfourl(
            io.BytesIO(body), email.message_from_string(lines + "\n"), req.full_url, status
        )
        made.msg = "so"  # type: ignore[attr-defined]
        return made


def table(body: bytes = CSV, kind: str = "text/csv") -> Answer:
    return 200, {"Content-Type": kind}, body


def led(to: str) -> Answer:
    return 307, {"Location": to}, b""


def got(answers: Mapping[str, Answer], address: str = PUBLISHED) -> bytes:
    return table_fetch.fetch_table(address, table_fetch.make_opener(Server(answers)))


# -- addresses


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        (PUBLISHED, PUBLISHED),
        ("https://docs.google.com/spreadsheets/d/e/2PACX-1/pubhtml?gid=7&single=true",
         "https://docs.google.com/spreadsheets/d/e/2PACX-1/pub?gid=7&single=true&output=csv"),
        ("https://docs.google.com/spreadsheets/d/1abc/edit#gid=42",
         "https://docs.google.com/spreadsheets/d/1abc/export?format=csv&gid=42"),
        ("https://docs.google.com/spreadsheets/d/1abc/edit?usp=sharing",
         "https://docs.google.com/spreadsheets/d/1abc/export?format=csv"),
        ("https://docs.google.com/spreadsheets/d/1abc/export?format=xlsx&gid=3",
         "https://docs.google.com/spreadsheets/d/1abc/export?format=csv&gid=3"),
        ("https://docs.google.com:443/spreadsheets/d/1abc/",
         "https://docs.google.com/spreadsheets/d/1abc/export?format=csv"),
        ("https://docs.google.com/spreadsheets/d/1abc/edit#gid=x%26y",
         "https://docs.google.com/spreadsheets/d/1abc/export?format=csv"),
    ],
)  # fmt: skip
def test_an_address_becomes_that_of_the_csv(written: str, asked: str) -> None:
    assert table_fetch.make_csv_address(written) == asked


@pytest.mark.parametrize(
    "written",
    [
        "http://docs.google.com/spreadsheets/d/1abc/edit", "ftp://docs.google.com/spreadsheets/d/1",
        "https://example.org/spreadsheets/d/1abc/pub?output=csv",
        "https://docs.google.com.example.org/spreadsheets/d/1abc/edit",
        "https://user:word@docs.google.com/spreadsheets/d/1abc/edit",
        "https://docs.google.com:8443/spreadsheets/d/1abc/edit",
        "https://docs.google.com@example.org/spreadsheets/d/1abc/edit",
        "https://x.googleusercontent.com/spreadsheets/d/1abc/edit",
        "https://docs.google.com/spreadsheets/d/1abc/edit?é", "https://docs.google.com/spreadsheets"
        "/d/1 abc/edit", "https://docs.google.com/spreadsheets/d/1abc/edit\n",
        "https://docs.google.com/document/d/1abc/edit", "https://docs.google.com/", "file:///etc/x",
        "https://[::1", "https://docs.google.com:99999/spreadsheets/d/1abc/edit", "ships", "",
    ],
)  # fmt: skip
def test_other_addresses_are_refused(written: str) -> None:
    with pytest.raises(FetchError):
        table_fetch.make_csv_address(written)


def test_where_it_leads_on_to_is_looked_at_again() -> None:
    assert got({PUBLISHED: table()}) == CSV
    assert got({PUBLISHED: led(HANDED), HANDED: table()}) == CSV
    for elsewhere in (
        "http://doc-08-sheets.googleusercontent.com/x", "https://example.org/x",
        "https://googleusercontent.com.example.org/x", "https://evilgoogleusercontent.com/x",
        "file:///etc/passwd", "https://127.0.0.1/x", "https://doc.googleusercontent.com:8080/x",
        "https://docs.google.com.example.org/",
    ):  # fmt: skip
        server = Server({PUBLISHED: led(HANDED), HANDED: led(elsewhere), elsewhere: table()})
        with pytest.raises(FetchError, match=r"leads on to|answers 307"):
            table_fetch.fetch_table(PUBLISHED, table_fetch.make_opener(server))
        assert server.asked == [PUBLISHED, HANDED], "nothing else is asked"


def test_a_sheet_that_asks_to_sign_in() -> None:
    sign_in = "https://accounts.google.com/ServiceLogin?continue=x"
    with pytest.raises(FetchError, match="asks to sign in; publish it: in the sheet, File → Share"):
        got({PUBLISHED: led(sign_in), sign_in: table()})


def test_a_circle_ends() -> None:
    with pytest.raises(FetchError, match="answers 307"):
        got({PUBLISHED: led(HANDED), HANDED: led(PUBLISHED)})


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (table(b"<!DOCTYPE html><html>", "text/html; charset=utf-8"), "a web page and no table; "
                                                                        "publish it"),
        (table(b"\n <html>", "text/csv"), "a web page and no table"),
        (table(b"PK\x03\x04\x00\xff", "application/zip"), "not UTF-8 text"),
        (table(b"a,b\0\n"), "not text, as CSV is"),
        (table(b" \n"), "the sheet is empty"),
        (table(b"a," * 2_000_001), "larger than 4 MB"),
        ((401, {}, b""), r"may not be seen \(401\); publish it"),
        ((404, {}, b""), r"no such sheet \(404\)"),
        ((503, {}, b""), "answers 503; try again"),
        (URLError(socket.gaierror(-2, "no such name")), "cannot be asked: .*no such name"),
        (URLError(TimeoutError()), "says nothing for 20 s"),
        (TimeoutError(), "says nothing for 20 s"),
        (ConnectionResetError("reset"), "cannot be asked: reset"),
    ],
)  # fmt: skip
def test_what_is_no_table(answer: Answer, why: str) -> None:
    with pytest.raises(FetchError, match=why):
        got({PUBLISHED: answer})


def test_a_server_that_dribbles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_fetch, "_WHOLE", -1.0)
    with pytest.raises(FetchError, match="takes longer"):
        got({PUBLISHED: table()})


class Dripping:
    """A stream without an end, of which a byte comes each second; to read a whole part of it would
    take longer than all may."""

    def __init__(self) -> None:
        self.clock = 0.0

    def read1(self, _most: int) -> bytes:
        self.clock += 1
        return b"x"

    def read(self, most: int) -> bytes:
        self.clock += most
        return b"x" * most


def test_a_server_that_drips_is_left_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Dripping()
    monkeypatch.setattr(time, "monotonic", lambda: stream.clock)
    with pytest.raises(FetchError, match="takes longer than 60 s"):
        list(table_fetch._read_chunks(stream))
    assert 60 <= stream.clock <= 62


def test_only_https_is_spoken() -> None:
    with pytest.raises(FetchError, match="cannot be asked: unknown url type: http"):
        table_fetch.fetch_table("http://docs.google.com/x", table_fetch.make_opener(Server({})))


# -- the command


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Callable[[Answer], None]:
    made = table_fetch.make_opener

    def serve(answer: Answer) -> None:
        monkeypatch.setattr(table_fetch, "make_opener", lambda: made(Server({PUBLISHED: answer})))

    return serve


def test_what_comes_is_written(
    cardgen: Cardgen, root: Path, serve: Callable[[Answer], None]
) -> None:
    serve(table())
    (root / "cards/notes.csv").unlink()
    assert "is missing; 'cardgen fetch' fetches it" in cardgen("check").err
    assert cardgen("fetch").out.splitlines() == [
        "docs.google.com → cards/notes.csv", "cards/notes.csv: 2 lines, new",
    ]  # fmt: skip
    assert "  1 × ten  value: 10" in cardgen("list").out
    assert cardgen("fetch").out.endswith("2 lines, unchanged\n")
    serve(table(b"id,value\nten,11\n"))
    assert cardgen("fetch").out.endswith("2 lines, changed\n")
    assert "value: 11" in cardgen("list").out


def test_what_was_changed_here_is_left(
    cardgen: Cardgen, root: Path, serve: Callable[[Answer], None]
) -> None:
    serve(table())
    result = cardgen("fetch")
    assert (result.code, result.err) == (
        1,
        "cards/notes.yaml:6: error: cards/notes.csv is not as it was fetched; --force writes over "
        "what was changed here [fetch]\n",
    )
    assert cardgen("fetch", "--force").code == 0
    assert (root / "cards/notes.csv").read_bytes() == CSV
    (root / "cards/notes.csv").write_text("id,value\nmine,1\n")
    serve(table(b"id,value\nten,12\n"))
    assert cardgen("fetch").code == 1
    assert "mine" in (root / "cards/notes.csv").read_text()


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ('{file: notes.csv, from: "https://example.org/x.csv"}',
         "'https://example.org/x.csv'; only addresses at https://docs.google.com can be fetched "
         "[fetch]"),
        (f'{{file: notes.xlsx, from: "{PUBLISHED}"}}',
         "'notes.xlsx' cannot be fetched: what comes is CSV; call it …csv [fetch]"),
        (f'{{file: ../game.csv, from: "{PUBLISHED}"}}', "'../game.csv' is not a path in cards/ "
                                                          "[fetch]"),
        (f'{{file: /x.csv, from: "{PUBLISHED}"}}', "'/x.csv' is not a path in cards/ [fetch]"),
        (f'[{{file: a.csv, from: "{PUBLISHED}"}}, {{file: a.csv, from: "{PUBLISHED}&gid=2"}}]',
         "cards/a.csv comes from another address, too, at cards/notes.yaml:6 [fetch]"),
        ("{file: notes.csv, from: [x]}", "from is a list; expected the address of a sheet [type]"),
        ("[" + ", ".join(f'{{file: t{n}.csv, from: "{PUBLISHED}"}}' for n in range(51)) + "]",
         "the game has 51 tables to fetch; 50 are allowed [bounds]"),
    ],
    ids=lambda value: value[:30],
)  # fmt: skip
def test_tables_that_are_not_fetched(
    cardgen: Cardgen, root: Path, serve: Callable[[Answer], None], rows: str, told: str
) -> None:
    serve(table(b"x,y\n"))
    edit(root, "cards/notes.yaml", f'{{file: notes.csv, from: "{PUBLISHED}"}}', rows)
    result = cardgen("fetch")
    assert (result.code, result.err.splitlines()[0]) == (1, f"cards/notes.yaml:6: error: {told}")


def test_a_link_is_not_written_through(
    cardgen: Cardgen, root: Path, tmp_path: Path, serve: Callable[[Answer], None]
) -> None:
    serve(table())
    outside = tmp_path / "outside.csv"
    outside.write_text("mine\n")
    (root / "cards/notes.csv").unlink()
    (root / "cards/notes.csv").symlink_to(outside)
    cardgen("fetch", "--force")
    assert outside.read_text() == "mine\n"
    edit(root, "cards/notes.yaml", "file: notes.csv", "file: more/notes.csv")
    (root / "cards/more").symlink_to(tmp_path)
    result = cardgen("fetch", "--force")
    assert (result.code, "nothing is written through links" in result.err) == (1, True)
    assert not (tmp_path / "notes.csv").exists()


def test_a_game_without_such_tables(
    cardgen: Cardgen, root: Path, serve: Callable[[Answer], None]
) -> None:
    serve(table())
    edit(root, "cards/notes.yaml", f', from: "{PUBLISHED}"', "")
    result = cardgen("fetch")
    assert (result.code, result.out) == (
        0, "no table is fetched; a deck asks for it with rows: {file: ships.csv, from: …}\n",
    )  # fmt: skip
