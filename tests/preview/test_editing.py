"""Cards edited through the preview's server."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
from PIL import Image
from previews import BARN, Preview, previewing
from small_games import TEXT_GAME

from cardgen.preview.auth import AllowedHost, _check_token

LOOT = TEXT_GAME["cards/loot.yaml"]


@pytest.fixture(scope="module")
def edited_game(
    built: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Path, Preview]]:
    root = Path(shutil.copytree(built, tmp_path_factory.mktemp("edited") / "game"))
    with previewing(root) as preview:
        preview.wall()
        yield root, preview


class Editor:
    """The page's requests, without the page."""

    def __init__(self, root: Path, preview: Preview) -> None:
        self.root, self.preview = root, preview
        self.path = root / "cards/loot.yaml"

    def ask(self, what: str, **body: Any) -> dict[str, Any]:
        status, text = self.preview.ask(
            f"/TOKEN/edit/{what}", "POST", json.dumps(body), origin=self.preview.origin
        )
        assert status == 200, text
        answer: dict[str, Any] = json.loads(text)
        return answer

    def change(self, what: str, value: Any, field: str = "name", **more: Any) -> dict[str, Any]:
        return self.ask(
            what, deck="loot", card="barn", field=field, value=value, **{"language": "en", **more}
        )

    def describe(self, card: str = "loot/barn") -> dict[str, Any]:
        status, text = self.preview.ask(f"/TOKEN/edit/card/{card}")
        assert status == 200
        answer: dict[str, Any] = json.loads(text)
        return answer


@pytest.fixture
def editor(edited_game: tuple[Path, Preview]) -> Iterator[Editor]:
    editor = Editor(*edited_game)
    yield editor
    editor.path.chmod(0o644)
    editor.path.write_text(LOOT, encoding="utf-8")
    while editor.ask("undo").get("why") != "there is nothing to undo":
        pass
    editor.path.write_text(LOOT, encoding="utf-8")
    until = time.monotonic() + 60
    while editor.describe().get("why"):
        assert time.monotonic() < until
        time.sleep(0.05)


def test_the_fields_of_a_card_are_described(editor: Editor) -> None:
    told = editor.describe()
    fields = {field["name"]: field for field in told["fields"]}
    assert list(fields) == ["copies", "name", "text", "art"]
    assert fields["name"]["kind"] == "text"
    assert fields["name"]["value"] == {"fi": "Lato", "en": "Barn"}
    assert fields["name"]["whyIn"] == {"fi": "", "en": ""}
    assert (fields["copies"]["value"], fields["copies"]["default"]) == (None, 1)
    assert (fields["copies"]["minimum"], fields["copies"]["maximum"]) == (0, 1000)
    assert list(told["icons"]) == ["coin"]
    assert "there is no card" in editor.describe("loot/castle")["why"]


def test_a_value_is_tried_before_it_is_written(editor: Editor) -> None:
    before = editor.preview.wall()["faces"][BARN]
    told = editor.change("try", "A great barn", face=BARN)
    face = told["faces"][BARN]
    assert face["picture"] != before
    assert "A great barn" in " ".join(text["text"] for text in face["texts"])
    status, _ = editor.preview.ask(f"/TOKEN/picture/{face['picture']}/200")
    assert status == 200
    told = editor.change("try", "Take it all. " * 80, "text", face=BARN)
    (box,) = told["faces"][BARN]["boxes"]
    assert box["excess_height"] > 1
    assert editor.path.read_text(encoding="utf-8") == LOOT
    assert editor.preview.wall()["faces"][BARN] == before


def test_a_value_is_written_undone_and_redone(editor: Editor) -> None:
    house = LOOT.replace("en: Barn", "en: House")
    told = editor.change("write", "House", was="Barn", digest=editor.describe()["digest"])
    assert (told["path"], told["line"], told["undo"], told["redo"]) == ("cards/loot.yaml", 10, 1, 0)
    assert editor.path.read_text(encoding="utf-8") == house
    three = house.replace("- id: barn\n", "- id: barn\n    copies: 3\n")
    told = editor.change("write", 3, "copies", was=None, digest=told["digest"])
    assert editor.path.read_text(encoding="utf-8") == three
    for step, text, counts in (
        ("undo", house, (1, 1)), ("undo", LOOT, (0, 2)), ("redo", house, (1, 1)),
        ("redo", three, (2, 0)), ("undo", house, (1, 1)),
    ):  # fmt: skip
        told = editor.ask(step)
        assert editor.path.read_text(encoding="utf-8") == text
        assert (told["undo"], told["redo"]) == counts
    assert editor.change("write", "Hut", was="House")["redo"] == 0
    assert editor.ask("redo")["why"] == "there is nothing to redo"


def test_undo_leaves_alone_what_others_wrote_meanwhile(editor: Editor) -> None:
    editor.change("write", "House")
    other = LOOT.replace("en: Barn", "en: House").replace("en: Shop", "en: Store")
    editor.path.write_text(other, encoding="utf-8")
    assert not editor.ask("undo").get("why")
    assert editor.path.read_text(encoding="utf-8") == LOOT.replace("en: Shop", "en: Store")
    editor.change("write", "House")
    theirs = editor.path.read_text(encoding="utf-8").replace("House", "Hut")
    editor.path.write_text(theirs, encoding="utf-8")
    told = editor.ask("undo")
    assert told["conflict"]
    assert told["theirs"] == "Hut"
    assert editor.path.read_text(encoding="utf-8") == theirs


def test_a_card_that_is_called_by_its_name_is_undone_by_its_old_one(editor: Editor) -> None:
    nameless = LOOT.replace("  - id: barn\n    name", "  - name")
    editor.path.write_text(nameless, encoding="utf-8")
    told = editor.ask("write", deck="loot", card="lato", field="name", language="fi", value="Riihi")
    assert not told.get("why")
    assert editor.path.read_text(encoding="utf-8") == nameless.replace("Lato", "Riihi")
    assert editor.ask("undo")["card"] == "lato"
    assert editor.path.read_text(encoding="utf-8") == nameless
    assert not editor.ask("redo").get("why")
    assert editor.path.read_text(encoding="utf-8") == nameless.replace("Lato", "Riihi")


def test_nothing_is_written_over_what_another_wrote(editor: Editor) -> None:
    digest = editor.describe()["digest"]
    hut = LOOT.replace("en: Barn", "en: Hut")
    editor.path.write_text(hut, encoding="utf-8")
    told = editor.change("write", "House", was="Barn", digest=digest)
    assert (told["conflict"], told["theirs"], told["line"]) == (True, "Hut", 10)
    assert editor.path.read_text(encoding="utf-8") == hut
    broken = LOOT.replace("en: Barn}", "en: Barn")
    editor.path.write_text(broken, encoding="utf-8")
    told = editor.change("write", "House", was="Barn", digest=digest)
    assert "not YAML" in told["why"]
    assert editor.path.read_text(encoding="utf-8") == broken
    editor.path.write_text(LOOT, encoding="utf-8")
    editor.path.chmod(0o444)
    told = editor.change("write", "House", was="Barn", digest=digest)
    assert told["why"] == (
        "cards/loot.yaml is not written: it is read-only; allow writing to it first"
    )
    editor.path.unlink()
    told = editor.change("write", "House", was="Barn", digest=digest)
    assert told["why"] == "there is no card loot/barn now"
    assert not editor.path.exists()
    editor.path.touch()


def test_no_link_is_written_through(editor: Editor, tmp_path: Path) -> None:
    inside = editor.root / "cards/linked.txt"
    inside.write_text(LOOT, encoding="utf-8")
    editor.path.unlink()
    editor.path.symlink_to(inside)
    told = editor.change("write", "House")
    editor.path.unlink()
    assert "not written" in told["why"]
    assert inside.read_text(encoding="utf-8") == LOOT
    inside.unlink()
    editor.path.touch()


def test_a_value_that_a_field_cannot_have_is_refused(editor: Editor) -> None:
    assert "at most 1000" in editor.change("write", 2000, "copies")["why"]
    assert "no field 'size'" in editor.change("write", "tarot", "size")["why"]
    assert "not a language" in editor.change("write", "x", language="sv")["why"]
    wrong: list[Any] = [[], {"deck": "loot"}, {"deck": 1, "card": "barn", "field": "name"}]
    for body in wrong:
        status, _ = editor.preview.ask(
            "/TOKEN/edit/write", "POST", json.dumps(body), origin=editor.preview.origin
        )
        assert status == 400
    assert editor.path.read_text(encoding="utf-8") == LOOT


def drop(editor: Editor, name: str, data: bytes, card: str = "loot/barn") -> dict[str, Any]:
    connection = HTTPConnection(urlsplit(editor.preview.address).netloc, timeout=60)
    path = f"{urlsplit(editor.preview.address).path}edit/picture/{card}?name={quote(name)}"
    connection.request("POST", path, data, {"origin": editor.preview.origin})
    answer: dict[str, Any] = json.loads(connection.getresponse().read())
    return answer


def test_a_picture_is_copied_and_named(editor: Editor) -> None:
    svg = (editor.root / "art/house.svg").read_bytes()
    told = drop(editor, "../../My House.svg", svg.replace(b"#b8392a", b"#123456"))
    assert told["picture"] == "art/my-house.svg"
    assert editor.path.read_text(encoding="utf-8") == LOOT.replace(
        "Barn}\n    text: {fi: \"Ota {coin} ja lähde.\", en: \"Take {coin} – and leave.\"}\n"
        "    art: house", "Barn}\n    text: {fi: \"Ota {coin} ja lähde.\", en: \"Take {coin} – and "
        "leave.\"}\n    art: my-house",
    )  # fmt: skip
    assert b"#123456" in (editor.root / "art/my-house.svg").read_bytes()
    assert drop(editor, "My House.svg", svg)["picture"] == "art/my-house-2.svg"
    picture = BytesIO()
    Image.new("RGB", (8, 8), "red").save(picture, "BMP")
    # The template of this game says .svg, so that no other can be shown.
    assert "end in .svg, and this is .png" in drop(editor, "a.bmp", picture.getvalue())["why"]
    assert "web page" in drop(editor, "a.png", b"<html>")["why"]
    script = b'<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'
    assert drop(editor, "a.svg", script)["why"]
    assert "no field" in drop(editor, "a.svg", svg, "notes/one")["why"]
    names = {path.name for path in (editor.root / "art").iterdir()}
    assert names == {"house.svg", "icons", "my-house.svg", "my-house-2.svg"}
    assert not (editor.root.parent / "my-house.svg").exists()
    for name in ("my-house.svg", "my-house-2.svg"):
        (editor.root / "art" / name).unlink()


def test_another_origin_and_a_guest_write_nothing(editor: Editor) -> None:
    body = json.dumps({"deck": "loot", "card": "barn", "field": "name", "value": "House",
                       "language": "en"})  # fmt: skip
    for more in ({}, {"origin": "http://example.org"}):
        status, _ = editor.preview.ask("/TOKEN/edit/write", "POST", body, **more)
        assert status == 403
    assert editor.preview.ask("/TOKEN/edit/write")[0] == 405
    guest = AllowedHost("10.0.0.1:80", "token", is_guest=True)
    for request in ("POST edit/write", "POST edit/try", "POST edit/undo", "GET edit/card/loot/barn",
                    "GET edit/font/0"):  # fmt: skip
        method, _, path = request.partition(" ")
        scope = {"method": method, "path": f"/token/{path}"}
        assert _check_token(scope, guest) == "Guests can only look at the game."
    assert editor.path.read_text(encoding="utf-8") == LOOT
