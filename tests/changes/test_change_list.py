"""Printing only what changed, from the first print to later ones."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from conftest import Cardgen, Result
from git_games import commit, git
from small_games import edit, write_game
from whole_games import loaded

from cardgen.changes import baselines
from cardgen.cli import replay

GAME = "game: small\ntitle: {en: Small game}\nlanguages: [en]\nedition: '1'\ndate: '2026-01-02'\n"
DECK = """deck: {deck}
title: {{en: {title}}}
size: poker
front: {deck}.html
back: back.html
styles: [card.css]
fields: {{name: text, text: text, worth: integer}}
cards:
"""
CARD = "  - {{id: {0}, copies: {1}, name: {{en: {2}}}, text: {{en: {3}}}, worth: {4}}}\n"
LOOT = [
    ("barn", 1, "Barn", '"Take the hay, the ladder and whatever else there is to take."', 3),
    ("shop", 2, "Shop", '"Pay 5."', 1),
    ("mill", 1, "Mill", '"Grind."', 5),
    ("well", 3, "Well", '"Drink."', 0),
]
NIGHT = [("owl", 1, "Owl", '"It hoots."', 1), ("fox", 2, "Fox", '"It runs."', 2)]
FRONT = """<div class="name">{{ card.name }}</div>
<div class="text">{{ card.text }} {% if card.worth %}{{ card.worth }}{% endif %}</div>
<div class="foot">front {{ deck.id }} {{ card.id }} {{ stamp }}</div>
"""
FILES = {
    "game.yaml": GAME,
    "cards/loot.yaml": DECK.format(deck="loot", title="Loot")
    + "".join(CARD.format(*card) for card in LOOT),
    "cards/night.yaml": DECK.format(deck="night", title="Night")
    + "".join(CARD.format(*card) for card in NIGHT),
    "templates/loot.html": FRONT,
    "templates/night.html": FRONT + '<div class="moon">moonlight</div>\n',
    "templates/back.html": '<div class="name">back {{ deck.id }}</div>',
    "templates/card.css": """.name { position: absolute; left: 5mm; top: 5mm; width: 50mm }
.text { position: absolute; left: 5mm; top: 20mm; width: 50mm }
.foot { position: absolute; left: 5mm; top: 75mm; width: 50mm }
.moon { position: absolute; left: 5mm; top: 50mm; width: 50mm }
""",
}


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_game(tmp_path_factory.mktemp("changed"), FILES)


@pytest.fixture
def root(first: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(first, tmp_path / "game"))


def pages(path: Path) -> list[str]:
    """The text of each page."""
    document = pypdfium2.PdfDocument(path)
    try:
        return [page.get_textpage().get_text_range() for page in document]
    finally:
        document.close()


def fronts(path: Path) -> list[str]:
    """`deck piece` of every front printed, in order."""
    return sorted(found[6:-5] for found in _feet(path))


def backs(path: Path) -> list[str]:
    return sorted(b for page in pages(path)[1:] for b in re.findall(r"back (\w+)", page))


def _feet(path: Path) -> Iterator[str]:
    for page in pages(path):
        yield from re.findall(r"front \w+ \w+ [0-9a-f]{4}", page)


def stamps(path: Path) -> dict[str, str]:
    return {foot[6:-5]: foot[-4:] for foot in _feet(path)}


def listed(path: Path) -> str:
    """The list, on one line."""
    text = " ".join(page for page in pages(path) if "Changed cards" in page)
    return " ".join(text.split())


def tell_the_story(root: Path) -> None:
    """Two texts and a template change, one card goes, one comes, one has a copy more."""
    edit(root, "cards/loot.yaml", "whatever else there is", "nothing of what there is")
    edit(root, "cards/loot.yaml", "Pay 5.", "Pay 7.")
    edit(root, "cards/loot.yaml", CARD.format(*LOOT[2]), CARD.format("dam", 2, "Dam", "Wet.", 4))
    edit(root, "cards/loot.yaml", "id: well, copies: 3", "id: well, copies: 5")
    edit(root, "templates/night.html", "moonlight", "starlight")


CHANGED = [
    *["loot barn", "loot dam", "loot dam", "loot shop", "loot shop", "loot well", "loot well"],
    *["night fox", "night fox", "night owl"],
]
PDF = "build/en/changed.pdf"


def test_printing_recording_and_printing_again(cardgen: Cardgen, root: Path) -> None:
    assert cardgen("build", "sheets").code == 0
    old = stamps(root / "build/en/sheets.pdf")
    recorded = cardgen("printed")
    assert recorded == Result(
        0, "printed.yaml: 10 pieces in en recorded as printed; commit it with the game\n", ""
    )
    base = commit(root)
    tell_the_story(root)
    result = cardgen("build", "sheets", "--changed")
    assert (result.code, result.err) == (0, "")
    told = "  en: 10 cards to print on 2 sheets of a4, 7 cards to take out of the box\n"
    assert told in result.out
    pdf = root / PDF
    assert fronts(pdf) == CHANGED
    assert backs(pdf) == sorted(name.split()[0] for name in CHANGED)
    assert_the_list(listed(pdf), old, stamps(pdf))
    by_printed = pdf.read_bytes()

    # A git revision as base gives the same, but for its name.
    assert cardgen("build", "sheets", "--changed", "--since", base).code == 0
    assert fronts(pdf) == CHANGED
    name = f"{base[:8]} (2026-11-20)"
    since = listed(pdf)
    assert name in since
    cardgen("build", "sheets", "--changed")
    assert pdf.read_bytes() == by_printed
    assert since.replace(name, "printed.yaml") == listed(pdf)

    # Marking as printed empties them.
    assert cardgen("printed").code == 0
    emptied = cardgen("build", "sheets", "--changed")
    assert emptied.code == 0
    assert "  en: nothing to print; all is as in printed.yaml\n" in emptied.out
    assert not pdf.exists()


def assert_the_list(text: str, old: dict[str, str], new: dict[str, str]) -> None:
    """What goes with its old stamp, what changed from what to what, what comes."""
    out, _, rest = text.partition("New 2 ")
    for piece, count, why in (
        ("barn", 1, "replaced"),
        ("shop", 2, "replaced"),
        ("mill", 1, "no longer in the game"),
    ):
        assert f"{count} × {piece} {old[f'loot {piece}']} {why}" in out, piece
    for piece, count in (("owl", 1), ("fox", 2)):
        kept = f"{count} × {piece} {old[f'night {piece}']} replaced; both bear the same stamp"
        assert kept in out
    assert f"2 × dam {new['loot dam']}" in rest
    barn = f"1 × barn {old['loot barn']} › {new['loot barn']}"
    assert f"{barn} text … the ladder and whatever else nothing of what there is to take." in rest
    assert "text Pay 5. › Pay 7." in rest
    assert "3 × owl, fox template or art of the front changed" in rest
    assert f"2 × well {new['loot well']} copies 3 › 5" in rest


def test_cards_of_one_size_share_sheets(cardgen: Cardgen, root: Path) -> None:
    cardgen("printed")
    edit(root, "cards/loot.yaml", "Pay 5.", "Pay 7.")
    edit(root, "cards/night.yaml", "It hoots.", "It sleeps.")
    cardgen("build", "sheets", "--changed")
    assert fronts(root / PDF) == ["loot shop", "loot shop", "night owl"]
    # The list and its empty back, one sheet of both decks.
    assert len(pages(root / PDF)) == 4
    assert backs(root / PDF) == ["loot", "loot", "night"]


def test_a_shared_back_that_changed_is_listed_in_one_line(cardgen: Cardgen, root: Path) -> None:
    cardgen("printed")
    edit(root, "templates/back.html", "back {{", "back of {{")
    cardgen("build", "sheets", "--changed", "--deck", "loot")
    assert len(fronts(root / PDF)) == 7
    text = listed(root / PDF)
    assert "7 × the back of the whole deck changed" in text
    assert "7 × the whole deck" in text


def test_removed_cards_need_no_sheet(cardgen: Cardgen, root: Path) -> None:
    cardgen("printed")
    edit(root, "cards/loot.yaml", CARD.format(*LOOT[2]), "")
    edit(root, "cards/loot.yaml", "id: well, copies: 3", "id: well, copies: 1")
    result = cardgen("build", "sheets", "--changed")
    assert "  en: nothing to print, 3 cards to take out of the box\n" in result.out
    assert len(pages(root / PDF)) == 1
    assert "copies 3 › 1" in listed(root / PDF)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("templates/loot.html", '<div class="text">', '\n\n<div class="text">'),
        ("templates/card.css", ".moon", "/* of the night */ .moon"),
        ("templates/card.css", ".moon {", ".unheard-of { color: red }\n.moon {"),
        ("game.yaml", "edition", "colours: {red: '#ff0000'}\nedition"),
        ("game.yaml", "date: '2026-01-02'", "date: '2026-02-02'"),
        ("cards/loot.yaml", "size: poker", "size: poker\nbleed: 2"),
    ],
)
def test_css_that_applies_to_no_card_prints_none(
    cardgen: Cardgen, root: Path, name: str, old: str, new: str
) -> None:
    cardgen("printed")
    edit(root, name, old, new)
    result = cardgen("build", "sheets", "--changed")
    assert "nothing to print" in result.out
    assert not (root / PDF).exists()


def test_a_css_rule_prints_the_cards_it_applies_to(cardgen: Cardgen, root: Path) -> None:
    cardgen("printed")
    edit(root, "templates/card.css", "top: 50mm", "top: 55mm")
    cardgen("build", "sheets", "--changed")
    assert set(fronts(root / PDF)) == {"night owl", "night fox"}


def test_a_moved_card_is_not_printed(cardgen: Cardgen, root: Path) -> None:
    for name in ("loot", "night"):
        edit(root, f"templates/{name}.html", "{{ card.id }} ", "")
    cardgen("printed")
    edit(root, "cards/loot.yaml", "id: mill", "id: windmill")
    text = (root / "cards/loot.yaml").read_text()
    head, _, rest = text.partition("  - {id: barn")
    barn, _, others = rest.partition("\n")
    (root / "cards/loot.yaml").write_text(f"{head}{others}  - {{id: barn{barn}\n")
    assert "nothing to print" in cardgen("build", "sheets", "--changed").out


def test_a_date_is_the_last_commit_before_that_day(cardgen: Cardgen, root: Path) -> None:
    first = commit(root, "2026-11-19T23:00:00")
    edit(root, "cards/loot.yaml", "Pay 5.", "Pay 6.")
    commit(root, "2026-11-20T09:00:00")
    assert cardgen("build", "sheets", "--changed", "--since", "2026-11-20").code == 0
    assert first[:8] in listed(root / PDF)
    assert fronts(root / PDF) == ["loot shop", "loot shop"]
    none = cardgen("build", "sheets", "--changed", "--since", "2026-11-01")
    assert none.code == 1
    assert none.err == "--since: error: there is no commit before 2026-11-01 [revision]\n"


def test_a_saved_record_is_a_baseline(cardgen: Cardgen, root: Path) -> None:
    cardgen("printed")
    shutil.move(root / "printed.yaml", root / "november.yaml")
    edit(root, "cards/loot.yaml", "Pay 5.", "Pay 6.")
    assert cardgen("build", "sheets", "--changed", "--since", "november.yaml").code == 0
    assert fronts(root / PDF) == ["loot shop", "loot shop"]
    assert "november.yaml" in listed(root / PDF)


def test_one_deck_is_recorded_by_itself(cardgen: Cardgen, root: Path) -> None:
    cardgen("printed")
    edit(root, "cards/loot.yaml", "Pay 5.", "Pay 6.")
    edit(root, "cards/night.yaml", "It hoots.", "It sleeps.")
    cardgen("printed", "--deck", "loot")
    cardgen("build", "sheets", "--changed")
    assert fronts(root / PDF) == ["night owl"]


def test_nothing_recorded_yet_says_what_to_do(cardgen: Cardgen) -> None:
    result = cardgen("build", "sheets", "--changed")
    assert result.code == 1
    assert "run 'cardgen printed'" in result.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("build", "--changed"), "--changed is for sheets alone"),
        (("build", "sheets", "--since", "x"), "--since goes with --changed"),
        (("build", "sheets", "--changed", "--cut", "dxf"), "cut files are made of whole decks"),
        (("which", "xyz"), "'xyz' is not a stamp"),
        (("printed", "--deck", "lot"), "no deck 'lot'; did you mean 'loot'?"),
    ],
)
def test_wrong_usage(cardgen: Cardgen, arguments: tuple[str, ...], said: str) -> None:
    result = cardgen(*arguments)
    assert result.code == 2
    assert said in result.err


@pytest.mark.parametrize("written", ["nowhere", "--output=x", "HEAD:cards", "-h"])
def test_an_unknown_revision_is_reported(cardgen: Cardgen, root: Path, written: str) -> None:
    commit(root)
    result = cardgen("build", "sheets", "--changed", f"--since={written}")
    assert result.code == 1
    assert "revision" in result.err


def test_without_a_repository_or_without_git(
    cardgen: Cardgen, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(root.parent))
    result = cardgen("build", "sheets", "--changed", "--since", "HEAD")
    assert result.code == 1
    assert "the game is not in a git repository" in result.err
    monkeypatch.setenv("PATH", str(root))
    result = cardgen("build", "sheets", "--changed", "--since", "HEAD")
    assert "git is not installed" in result.err


def test_a_broken_record_is_reported_at_its_line(cardgen: Cardgen, root: Path) -> None:
    cardgen("printed")
    edit(root, "printed.yaml", "    barn: {copies: 1", "    barn: {copies: many")
    result = cardgen("build", "sheets", "--changed")
    assert result.code == 1
    assert result.err.startswith("printed.yaml:5: error: 'barn' cannot be read")
    assert cardgen("printed").code == 1


def test_a_game_with_mistakes_is_not_recorded(cardgen: Cardgen, root: Path) -> None:
    edit(root, "cards/loot.yaml", "worth: 3", "wroth: 3")
    result = cardgen("printed")
    assert result.code == 1
    assert not (root / "printed.yaml").exists()


def test_which_finds_current_and_earlier_stamps(cardgen: Cardgen, root: Path) -> None:
    cardgen("build", "sheets")
    old = stamps(root / "build/en/sheets.pdf")
    shop = old["loot shop"]
    assert cardgen("which", shop.upper()).out == f"{shop}: shop of loot: current\n"
    cardgen("printed")
    edit(root, "cards/loot.yaml", "Pay 5.", "Pay 7.")
    cardgen("build", "sheets", "--changed")
    now = stamps(root / PDF)["loot shop"]
    told = cardgen("which", shop)
    assert told.code == 0
    assert told.out == (
        f"{shop}: shop of loot, as in printed.yaml: not current, its stamp is {now} now\n"
    )
    assert "history was not searched" in told.err


def test_which_searches_history(cardgen: Cardgen, root: Path) -> None:
    cardgen("build", "sheets")
    mill = stamps(root / "build/en/sheets.pdf")["loot mill"]
    first = commit(root)
    edit(root, "cards/loot.yaml", CARD.format(*LOOT[2]), "")
    commit(root, "2026-11-21T12:00:00")
    told = cardgen("which", mill)
    assert told.out == (
        f"{mill}: mill of loot, as in the cards at {first[:8]} (2026-11-20): "
        "not current, it is no longer in the game\n"
    )
    assert cardgen("which", "ffff").code == 1


def test_history_is_read_once(
    cardgen: Cardgen, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A commit never changes: only new ones are read, and what they hold is found again."""
    read: list[str] = []
    whole = baselines._read_past_stamps

    def count(game: Path, prefix: str, revision: str) -> tuple[list[Any], bool]:
        read.append(revision)
        return whole(game, prefix, revision)

    monkeypatch.setattr(baselines, "_read_past_stamps", count)
    mill = dict(baselines._list_stamps(loaded(root)))["loot", "mill", "en"]
    commits = [commit(root)]
    edit(root, "cards/loot.yaml", CARD.format(*LOOT[2]), "")
    commits.append(commit(root, "2026-11-21T12:00:00"))
    first = cardgen("which", mill)
    assert sorted(read) == sorted(commits)
    assert cardgen("which", mill) == first
    assert sorted(read) == sorted(commits)
    edit(root, "cards/loot.yaml", "Pay 5.", "Pay 7.")
    commits.append(commit(root, "2026-11-22T12:00:00"))
    assert cardgen("which", mill) == first
    assert sorted(read) == sorted(commits)


def test_which_repeats_its_answer_until_files_or_history_change(
    cardgen: Cardgen, root: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def told() -> str | None:
        code = replay.replay_output(["which", "ffff"])
        said = capfd.readouterr()
        return None if code is None else said.out

    monkeypatch.chdir(root)
    commit(root)
    time.sleep(0.06)  # files are older than the clock is coarse
    answer = cardgen("which", "ffff")
    assert answer.code == 1
    assert told() == answer.out
    changes: list[Callable[[], object]] = [
        lambda: git(root, "commit", "-q", "--allow-empty", "-m", "more"),
        lambda: git(root, "pack-refs", "--all"),
        lambda: git(root, "checkout", "-q", "-b", "other"),
        lambda: git(root, "checkout", "-q", "--detach"),
        lambda: edit(root, "cards/loot.yaml", "Pay 5.", "Pay 7."),
        lambda: (root / "printed.yaml").write_text("en: {}\n"),
    ]
    for change in changes:
        change()
        assert told() is None
        time.sleep(0.06)
        assert told() is None
        assert cardgen("which", "ffff") == answer
        assert told() == answer.out
    shutil.rmtree(root / ".git")
    assert told() is None


def test_every_match_of_a_stamp_is_listed(cardgen: Cardgen, root: Path) -> None:
    edit(root, "cards/night.yaml", "name: {en: Owl}, text: {en: \"It hoots.\"}, worth: 1",
         "name: {en: Shop}, text: {en: \"Pay 5.\"}, worth: 1")  # fmt: skip
    cardgen("build", "sheets")
    stamp = stamps(root / "build/en/sheets.pdf")["loot shop"]
    assert cardgen("which", stamp).out == (
        f"{stamp}: shop of loot: current\n{stamp}: owl of night: current\n"
    )


def test_a_strangers_repository_runs_nothing(cardgen: Cardgen, root: Path) -> None:
    """Hooks, filters, monitors, pagers and signature checks of its configuration stay idle."""
    base = commit(root)
    ran = root / "ran"
    script = root / ".git" / "evil"
    script.write_text(f"#!/bin/sh\ntouch {ran}\ncat\n")
    script.chmod(0o755)
    for key in ("core.fsmonitor", "core.pager", "gpg.program", "filter.evil.smudge",
                "filter.evil.process", "diff.evil.textconv", "core.sshCommand"):  # fmt: skip
        git(root, "config", key, str(script))
    git(root, "config", "log.showSignature", "true")
    (root / ".git" / "info" / "attributes").write_text("* filter=evil diff=evil\n")
    for hook in ("post-index-change", "reference-transaction", "post-checkout"):
        shutil.copy(script, root / ".git" / "hooks" / hook)
    edit(root, "cards/loot.yaml", "Pay 5.", "Pay 6.")
    ran.unlink(missing_ok=True)
    assert cardgen("build", "sheets", "--changed", "--since", base).code == 0
    assert cardgen("which", "ffff").code == 1
    assert fronts(root / PDF) == ["loot shop", "loot shop"]
    assert not ran.exists()


def test_links_of_an_old_state_are_not_followed(cardgen: Cardgen, root: Path) -> None:
    secret = root.parent / "secret.html"
    secret.write_text("<p>secret</p>")
    (root / "templates/night.html").unlink()
    (root / "templates/night.html").symlink_to(secret)
    base = commit(root)
    (root / "templates/night.html").unlink()
    (root / "templates/night.html").write_text(FRONT)
    result = cardgen("build", "sheets", "--changed", "--since", base)
    assert result.code == 0
    assert "at " + base[:8] in result.err
    assert "night.html is missing" in result.err


def test_a_text_in_another_language_changes_no_card(cardgen: Cardgen, root: Path) -> None:
    edit(root, "game.yaml", "{en: Small game}", "{en: Small root, fi: Pieni peli}")
    edit(root, "game.yaml", "[en]", "[en, fi]")
    for name, cards in (("loot", LOOT), ("night", NIGHT)):
        text = (root / f"cards/{name}.yaml").read_text(encoding="utf-8")
        text = re.sub(r"\{en: ([^}]*)\}", r"{en: \1, fi: \1}", text)
        assert text.count("fi:") == 1 + 2 * len(cards)
        (root / f"cards/{name}.yaml").write_text(text, encoding="utf-8")
    cardgen("printed")
    edit(root, "cards/loot.yaml", 'fi: "Pay 5."', 'fi: "Maksa 5."')
    result = cardgen("build", "sheets", "--changed")
    assert "  en: nothing to print; all is as in printed.yaml\n" in result.out
    assert fronts(root / "build/fi/changed.pdf") == [
        "loot shop",
        "loot shop",
    ]


def test_missing_git_objects_are_reported(cardgen: Cardgen, root: Path) -> None:
    """As an interrupted clone leaves it."""
    base = commit(root)
    lost = git(root, "rev-parse", f"{base}:game.yaml")
    (root / ".git/objects" / lost[:2] / lost[2:]).unlink()
    result = cardgen("build", "sheets", "--changed", "--since", base)
    assert result.code in (1, 2)
    assert "Traceback" not in result.err
    assert "git" in result.err
