"""Comparison of two states: the page, the summary, the JSON, and what is typeset again."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
import shutil
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from conftest import Cardgen
from git_games import commit, git
from PIL import Image
from small_games import TEXT_GAME, edit, write_game

from cardgen.changes.card_changes import FieldEdit
from cardgen.changes.diff_model import CardDiff, Difference, FieldDiff
from cardgen.diff import summary
from cardgen.diff.html_page import render_page
from cardgen.outputs import face_pictures
from cardgen.outputs.card_images import CardImages, ImageRecipe

RULES = """rules:
  - {id: loot-size, count: loot, is: 4, because: so many fit the box}
  - {id: notes-sum, sum: notes, of: value, is: 7, because: change is given}
"""
SIZES = "  - {id: large, text_size: notes, at_least: 5, because: notes are read from afar}\n"
VILE = "</style><script>alert(1)</script>"


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game with a commit, and nothing built."""
    root = write_game(tmp_path_factory.mktemp("diff"), {**TEXT_GAME, "cards/rules.yaml": RULES})
    commit(root)
    return root


@pytest.fixture
def root(first: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(first, tmp_path / "game"))


class Parsed(HTMLParser):
    """The page's tags with their attributes, its text, and what stands in style and script."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.raw: dict[str, str] = {}
        self.text = ""
        self._within = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._within = tag if tag in {"style", "script"} else ""

    def handle_endtag(self, tag: str) -> None:
        self._within = ""

    def handle_data(self, data: str) -> None:
        if self._within:
            self.raw[self._within] = self.raw.get(self._within, "") + data
        else:
            self.text += data

    def count(self, tag: str) -> int:
        return sum(each == tag for each, _ in self.tags)


def parsed(root: Path) -> Parsed:
    return Parsed((root / "build/diff.html").read_text(encoding="utf-8"))


def compared(cardgen: Cardgen, *words: str) -> Any:
    result = cardgen("diff", "--json", *words)
    assert result.code == 0, result.err
    return json.loads(result.out)


def cards(found: Any, kind: str) -> list[str]:
    some = [card for card in found["cards"] if card["kind"] == kind]
    return [f"{card['deck']}/{name}" for card in some for name in card["cards"]]


def test_nothing_changed(cardgen: Cardgen, root: Path) -> None:
    result = cardgen("diff")
    assert result.out.splitlines()[1:] == [
        "  nothing changed",
        "build/diff.html: every changed card before and after",
    ]
    seen = parsed(root)
    assert "Nothing changed: cards, rules, decks and the rulebook are as they were." in seen.text
    assert seen.count("img") == 0
    assert cardgen("diff", "--exit-code").code == 0


def test_a_changed_text_is_typeset_and_drawn_before_and_after(
    cardgen: Cardgen, root: Path, monkeypatch: pytest.MonkeyPatch, one_process: None
) -> None:
    """One face of twelve, in one language, in two states: nothing else is set, and none drawn."""
    edit(root, "cards/loot.yaml", "Take {coin} – and leave.", "Take {coin} – and stay.")
    drawn: list[ImageRecipe] = []
    make = CardImages.make

    def counted(self: CardImages, recipes: Sequence[ImageRecipe]) -> list[bytes]:
        drawn.extend(recipes)
        return make(self, recipes)

    monkeypatch.setattr(CardImages, "make", counted)
    found = compared(cardgen)
    assert (found["typeset"], found["drawn"], len(drawn)) == (2, 2, 2)
    (card,) = found["cards"]
    assert (card["deck"], card["cards"], card["copies"]) == ("loot", ["barn"], [1, 1])
    assert [(face["side"], face["languages"]) for face in card["faces"]] == [("front", ["en"])]
    assert card["fields"][0]["languages"] == ["en"]
    (spot,) = card["faces"][0]["spots"]
    assert 0.6 < spot[1] < 0.7, "the word stands two thirds down the card"
    assert found["to_print"] == [
        {"language": "en", "name": "loot", "deck": "loot", "numbers": "1", "count": 1, "total": 1}
    ]
    pictures = [a["src"] for tag, a in parsed(root).tags if tag == "img"]
    assert len({*pictures}) == 2
    assert all(str(src).startswith("data:image/webp;base64,") for src in pictures)
    again = compared(cardgen)
    assert (again["typeset"], again["drawn"]) == (0, 2), "the store keeps both"


def test_changes_of_cards_decks_rules_and_sheets(cardgen: Cardgen, root: Path) -> None:
    edit(root, "cards/loot.yaml", "id: shop", "id: store")
    edit(root, "cards/loot.yaml", "copies: 3", "copies: 4")
    edit(root, "cards/notes.yaml", "  - {id: five, value: 5}\n", "  - {id: ten, value: 10}\n")
    found = compared(cardgen, "--lang", "en")
    assert found["languages"] == ["en"]
    assert (cards(found, "moved"), cards(found, "new")) == (["loot/store"], ["notes/ten"])
    assert cards(found, "gone") == ["notes/five"]
    moved = next(card for card in found["cards"] if card["kind"] == "moved")
    assert (moved["was"], moved["copies"], moved["faces"]) == (["loot", "shop"], [3, 4], [])
    assert [(deck["id"], deck["cards"], deck["copies"]) for deck in found["decks"]] == [
        ("loot", [2, 2], [4, 5])
    ]
    rules = {rule["id"]: rule for rule in found["rules"]}
    assert rules["loot-size"]["kind"] == "broken"
    figures = [(f["old"], f["new"], f["least"], f["most"]) for f in rules["loot-size"]["figures"]]
    assert figures == [(4, 5, 4, 4)]
    assert rules["notes-sum"]["kind"] == "broken"
    assert [problem["kind"] for problem in found["appeared"]] == ["loot-size", "notes-sum"]
    assert {(each["name"], each["numbers"]) for each in found["to_print"]} == {
        ("loot", "1"), ("notes", "1"),
    }  # fmt: skip


def test_reasons_why_a_face_changed_without_its_fields(cardgen: Cardgen, root: Path) -> None:
    edit(root, "templates/loot.html", "{{ card.name }}", "{{ card.name }}!")
    edit(root, "templates/card.css", "left: 5mm; top: 5mm", "left: 6mm; top: 5mm")
    edit(root, "art/house.svg", "#b8392a", "#2a57b8")
    edit(root, "art/icons/coin.svg", 'r="9"', 'r="5"')
    found = compared(cardgen, "--lang", "en")
    told = [
        (card["cards"], face["side"], face["why"])
        for card in found["cards"]
        for face in card["faces"]
    ]
    everywhere = ["templates/loot.html", "templates/card.css", "art/house.svg"]
    assert told == [
        (["barn", "shop"], "back", ["art/house.svg"]),
        (["barn"], "front", [*everywhere, "the icon coin"]),
        (["shop"], "front", everywhere),
    ]
    assert not any(card["fields"] for card in found["cards"])


def test_a_shared_back_is_shown_once(cardgen: Cardgen, root: Path) -> None:
    edit(root, "templates/back.html", 'class="art"', 'class="text"')
    (card,) = compared(cardgen)["cards"]
    assert card["cards"] == ["barn", "shop"]
    assert [(face["side"], face["languages"]) for face in card["faces"]] == [("back", ["fi", "en"])]


def test_a_card_that_prints_as_before_has_no_pictures(cardgen: Cardgen, root: Path) -> None:
    edit(root, "templates/card.css", "width: 50mm }\n.text", "width: 50mm; min-width: 1mm }\n.text")
    (card,) = compared(cardgen)["cards"]
    assert (card["faces"], card["unseen"]) == ([], ["templates/card.css"])
    said = cardgen("diff", "--summary", "said.md").out
    assert said.count("prints as before") == 1
    assert "  cards: 2 printing as before\n" in said
    assert "**2** cards printing as before" in (root / "said.md").read_text()


def test_two_commits_and_their_merge_base(cardgen: Cardgen, root: Path) -> None:
    """`A..B` has what A got since, taken back; `A...B` has what B did alone."""
    main = git(root, "rev-parse", "--abbrev-ref", "HEAD")
    git(root, "checkout", "-q", "-b", "work")
    edit(root, "cards/loot.yaml", "en: Barn", "en: Byre")
    commit(root)
    git(root, "checkout", "-q", main)
    edit(root, "cards/loot.yaml", "Pay € 5.", "Pay € 6.")
    commit(root)
    only = ("--lang", "en")
    assert cards(compared(cardgen, *only, f"{main}..work"), "changed") == ["loot/barn", "loot/shop"]
    found = compared(cardgen, *only, f"{main}...work")
    assert cards(found, "changed") == ["loot/barn"]
    edits = [(each["edit"]["old"], each["edit"]["new"]) for each in found["cards"][0]["fields"]]
    assert edits == [("Barn", "Byre")]
    assert cards(compared(cardgen, *only, "work~1"), "changed") == ["loot/shop"]


def test_a_rule_with_a_new_requirement_shows_it(cardgen: Cardgen, root: Path) -> None:
    """Whether it still holds or not; one that only measures something else has moved."""
    edit(root, "cards/rules.yaml", "is: 4, because", "at_least: 3, severity: warning, because")
    found = compared(cardgen, "--lang", "en")
    (rule,) = found["rules"]
    assert (rule["id"], rule["kind"]) == ("loot-size", "changed")
    edits = [(each["name"], each["old"], each["new"]) for each in rule["edits"]]
    assert edits == [("at_least", "", "3"), ("severity", "error", "warning"), ("is", "4", "")]
    said = cardgen("diff", "--lang", "en").out
    assert "loot-size: changed; at_least nothing → 3; severity error → warning" in said
    assert "at_least nothing › 3" in parsed(root).text
    edit(root, "cards/loot.yaml", "copies: 3", "copies: 4")
    assert [each["name"] for each in compared(cardgen, "--lang", "en")["rules"][0]["edits"]] == [
        "at_least", "severity", "is",
    ]  # fmt: skip


def test_added_and_removed_pictures_are_reasons(cardgen: Cardgen, root: Path) -> None:
    drawing = (root / "art/house.svg").read_text()
    (root / "art/hut.svg").write_text(drawing.replace("#b8392a", "#2a57b8"))
    edit(root, "cards/loot.yaml", 'leave."}\n    art: house', 'leave."}\n    art: hut')
    only = ("--lang", "en", "--deck", "loot")
    (face,) = compared(cardgen, *only)["cards"][0]["faces"]
    assert face["why"] == ["art/hut.svg in place of art/house.svg"]
    commit(root)
    edit(root, "templates/loot.html", 'class="art"', 'class="art none"')
    edit(root, "templates/loot.html", 'src="art/{{ card.art }}.svg"', 'src="art/house.svg"')
    why = {c["cards"][0]: f["why"] for c in compared(cardgen, *only)["cards"] for f in c["faces"]}
    assert why["barn"] == ["templates/loot.html", "art/house.svg in place of art/hut.svg"]


def test_cards_of_unreadable_files_are_not_gone(cardgen: Cardgen, root: Path) -> None:
    """Neither its cards nor what was wrong with them; read again, they are not new."""
    edit(root, "cards/loot.yaml", "copies: 3", "copies: 2")
    commit(root)
    edit(root, "cards/loot.yaml", "deck: loot", "deck: [loot")
    note = (
        "cards/loot.yaml cannot be read in {}: the cards of loot, and the rules, are not compared."
    )
    found = compared(cardgen, "--lang", "en")
    assert (found["cards"], found["decks"], found["rules"], found["vanished"]) == ([], [], [], [])
    assert found["notes"] == [note.format("the files as they are")]
    assert {problem["kind"] for problem in found["appeared"]} == {"yaml"}
    commit(root)
    edit(root, "cards/loot.yaml", "deck: [loot", "deck: loot")
    found = compared(cardgen, "--lang", "en")
    assert (found["cards"], found["decks"], found["to_print"]) == ([], [], [])
    assert found["notes"] == [note.format(found["old"])]


def test_changed_paragraphs_of_the_rulebook(cardgen: Cardgen, root: Path) -> None:
    book = root / "rulebook/en.md"
    book.parent.mkdir(exist_ok=True)
    book.write_text("# Small\n\nTake a card.\n\nPlay it.\n\nTake another.\n")
    commit(root)
    book.write_text("# Small\n\nTake two cards.\n\nPlay it.\n\nTake another.\n\n<b>End.</b>\n")
    found = compared(cardgen, "--lang", "en", "--deck", "notes")
    assert found["books"] == [
        {
            "file": "rulebook/en.md", "untold": 0,
            "passages": [["Take a card.", "Take two cards."], ["", "<b>End.</b>"]],
        }
    ]  # fmt: skip
    result = cardgen("diff", "--lang", "en", "--exit-code")
    assert result.code == 1
    assert "  rulebook: 2 passages\n    rulebook/en.md: 2 passages\n" in result.out
    assert "Take a card. › Take two cards." in parsed(root).text
    assert "<b>End.</b>" in parsed(root).text


def test_problems_fixed_by_a_change_are_gone(cardgen: Cardgen, root: Path) -> None:
    edit(root, "cards/loot.yaml", "copies: 3", "copies: 2")
    commit(root)
    edit(root, "cards/loot.yaml", "copies: 2", "copies: 3")
    found = compared(cardgen, "--lang", "en")
    assert ([p["kind"] for p in found["vanished"]], found["appeared"]) == (["loot-size"], [])
    assert [rule["kind"] for rule in found["rules"]] == ["mended"]


def test_rules_about_faces_wait_for_faces_not_typeset(cardgen: Cardgen, root: Path) -> None:
    """With all of a deck set, the rule is held against both states, and what it measures is told;
    what looks as before is known by its twin, though its key is another."""
    (root / "cards/rules.yaml").write_text(RULES + SIZES)
    commit(root)
    note = "templates/note.html"
    edit(root, note, "top: 15mm", "top: 15mm; font-size: {{ 4 if card.value == 5 else 12 }}pt")
    only = ("--lang", "en", "--deck", "notes")
    assert compared(cardgen, *only)["waiting"] == ["large"], "Finnish is not set"
    assert cardgen("check").code == 1
    found = compared(cardgen, "--deck", "notes")
    assert found["waiting"] == []
    (rule,) = found["rules"]
    assert (rule["id"], rule["kind"]) == ("large", "broken")
    assert [problem["kind"] for problem in found["appeared"]] == ["large", "small-text"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("HEAD", "HEAD", "HEAD"), "one state too many"),
        (("--lang", "sv"), "no language 'sv'"),
        (("--deck", "lot"), "did you mean 'loot'"),
        (("--variant", "short"), "no variants"),
    ],
)
def test_a_wrong_usage(cardgen: Cardgen, words: tuple[str, ...], told: str) -> None:
    result = cardgen("diff", *words)
    assert result.code == 2
    assert told in result.error


def test_no_such_revision(cardgen: Cardgen) -> None:
    result = cardgen("diff", "nowhere")
    assert result.code == 1
    assert result.err.startswith("nowhere: error: 'nowhere' is no commit, branch or tag here")
    assert "--unshallow" not in result.err


def test_a_game_that_is_new(cardgen: Cardgen, tmp_path: Path) -> None:
    """What a pull request that adds a game shows: every card, and all that is wrong with it."""
    (tmp_path / "shelf").mkdir()
    (tmp_path / "shelf/README.md").write_text("Games of mine\n")
    commit(tmp_path / "shelf")
    rules = RULES.replace("is: 7", "is: 8")
    write_game(tmp_path / "shelf/lake", {**TEXT_GAME, "cards/rules.yaml": rules})
    git(tmp_path / "shelf", "add", ".")
    found = compared(cardgen, str(tmp_path / "shelf/lake"), "--lang", "en")
    assert cards(found, "new") == ["loot/barn", "loot/shop", "notes/one", "notes/five"]
    assert len(found["cards"]) == 4
    assert found["notes"][0].startswith("All of it is new: there is no game.yaml in this folder at")
    assert [problem["kind"] for problem in found["appeared"]] == ["notes-sum"]
    assert {rule["kind"] for rule in found["rules"]} == {"new", "broken"}


def test_no_commit_yet(cardgen: Cardgen, tmp_path: Path) -> None:
    root = write_game(tmp_path / "fresh", TEXT_GAME)
    git(root, "init", "-q")
    result = cardgen("diff", str(root))
    assert (result.code, result.out) == (1, "")
    assert "there is no commit here yet to compare with; make one: git add ." in result.err


def test_a_shallow_clone(cardgen: Cardgen, root: Path, tmp_path: Path) -> None:
    edit(root, "cards/loot.yaml", "copies: 3", "copies: 4")
    commit(root)
    git(root, "clone", "-q", "--depth", "1", root.as_uri(), str(tmp_path / "part"))
    result = cardgen("diff", str(tmp_path / "part"), "HEAD~1")
    assert result.code == 1
    assert "run 'git fetch --unshallow'" in result.err


def vile() -> Difference:
    """A difference of which every word comes from somebody who means ill."""
    change = FieldDiff(FieldEdit(VILE, VILE, f"{VILE} more"), ())
    card = CardDiff("changed", VILE, (VILE,), None, (1, 1), (change,), (), (VILE,))
    return Difference(VILE, VILE, VILE, (VILE,), (card,), notes=(VILE,), titles={VILE: VILE})


def test_texts_of_a_game_are_escaped() -> None:
    text = render_page(vile())
    seen = Parsed(text)
    assert (seen.count("script"), seen.count("style")) == (1, 1)
    assert "alert(1)" in seen.text
    assert "alert(1)" not in seen.raw["script"]
    assert not any(name.startswith("on") or name == "style" for _, a in seen.tags for name in a)
    meta = next(a for tag, a in seen.tags if a.get("http-equiv"))
    policy = str(meta["content"])
    assert policy.startswith("default-src 'none'; img-src data:; ")
    for kind in ("style", "script"):
        digest = base64.b64encode(hashlib.sha256(seen.raw[kind].encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert not re.search(r"https?://", text)


def test_texts_of_a_game_are_escaped_in_markdown() -> None:
    said = summary.format_markdown(vile(), "x`y.html")
    assert not re.search(r"[<>@`|\[\]]", said.replace("> &", "&").replace("`xy.html`", ""))
    mention = summary.format_markdown(Difference("@team [x](http://y)\n# h", "a", "b", ("en",)))
    assert "@team" not in mention
    assert "\n# h" not in mention


def test_the_summary_is_added_to_a_file(cardgen: Cardgen, root: Path) -> None:
    edit(root, "cards/loot.yaml", "Pay € 5.", "Pay € 6.")
    (root / "summary.md").write_text("before\n")
    result = cardgen("diff", "--lang", "en", "--summary", "summary.md", "-o", "art/page.html")
    assert result.out.splitlines()[-1] == "art/page.html: every changed card before and after"
    said = (root / "summary.md").read_text(encoding="utf-8")
    assert said.startswith("before\n### Small: what changed\n")
    assert "**1** card changed · **1** sheet to print" in said
    assert "- loot/shop&#58; text" in said
    assert not (root / "build/diff.html").exists()
    assert cardgen("diff", "--lang", "en", "--exit-code").code == 1


def test_where_pictures_differ() -> None:
    def drawn(*boxes: tuple[int, int, int, int]) -> bytes:
        image = Image.new("RGB", (180, 270), "white")
        for box in boxes:
            image.paste("black", box)
        out = io.BytesIO()
        image.save(out, "WEBP", quality=90)
        return out.getvalue()

    def spots(*boxes: tuple[int, int, int, int]) -> list[tuple[float, float, float, float]]:
        found = face_pictures.find_differences(drawn(), drawn(*boxes))
        return [*found]

    assert spots() == []
    ((left, top, width, height),) = spots((18, 27, 54, 54))
    assert left < 0.1 < left + width < 0.4
    assert top < 0.1 < top + height < 0.3
    assert len(spots((0, 0, 20, 20), (150, 240, 180, 270))) == 2
    frame = ((0, 0, 180, 9), (0, 100, 180, 109), (0, 0, 9, 109), (171, 0, 180, 109))
    assert len(spots(*frame, (80, 50, 95, 65))) == 1, "what lies within another is no spot"
    assert spots((0, 0, 180, 270)) == [], "all of it is no spot"
