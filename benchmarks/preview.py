"""How long it takes from a save to the new picture on the screen, in a headless Chromium.

    python -P benchmarks/preview.py [--edits N] [--only cards|rulebook] [--short]

It tells the median and the slowest of twenty edits, or as many, of each kind on a copy of the
flagship: a word of a card, a colour in its deck's style, and a sentence of the rulebook on the page
in view. A picture counts as painted two frames after it took the old one's place. `--short` edits a
small game once, to show that it runs.
"""

from __future__ import annotations

import argparse
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import chromium  # noqa: E402 - a helper of the tests
from preview_books import SECOND, WITH_BOOK  # noqa: E402
from small_games import write_game  # noqa: E402
from whole_games import copy_game  # noqa: E402

EDITS = 20
PARTS = ("game.yaml", "table.yaml", "art", "cards", "fonts", "templates", "rulebook")
KINDS = ("cards", "rulebook")
BOOK = "rulebook/en.md"


@dataclass(frozen=True)
class Subject:
    """What is edited in a game: a deck, a word of a card, its style, a sentence of the rulebook."""

    deck: str
    word: str
    style: str
    sentence: str


FLAGSHIP = Subject(
    "loot-city", "Wc-kalusteita", "templates/loot.css", "The subjects of this game are ugly"
)
SMALL = Subject("loot", "Barn", "templates/card.css", SECOND.rstrip("."))
_WATCH = """(() => {
  window.painted = [];
  new MutationObserver((changes) => {
    for (const {addedNodes, target} of changes)
      for (const node of addedNodes)
        if (node.tagName === "IMG")
          requestAnimationFrame(() => requestAnimationFrame(() =>
            window.painted.push([Date.now(), target.dataset.face])));
  }).observe(document.querySelector(".desk"), {childList: true, subtree: true});
})()"""
_CHECKED = "!document.getElementById('show-problems').classList.contains('checking')"
_WRITTEN = (
    "document.documentElement.dataset.book === 'whole' && [...document.querySelectorAll('.paper')]"
    ".every(p => !p.inView || p.dataset.picture === p.closest('.leaf').page.picture)"
)
_LATER = "requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)))"
_SHOWN = (
    "[...document.querySelectorAll('.face')].filter(f => f.inView)"
    ".every(f => f.querySelector('img')) && !document.getElementById('pulse').textContent"
)


def measured(page: chromium.Page, file: Path, texts: list[str], what: str) -> None:
    """Tell how long it is from each save to the first new picture, and to the last in view."""
    first, last = [], []
    for text in texts:
        _forget_painted(page)
        saved = time.time()
        file.write_text(text, encoding="utf-8")
        page.wait("window.painted.length", 60)
        page.wait(_CHECKED, 120)
        first.append(page.run("window.painted[0][0]") / 1000 - saved)
        last.append(page.run("window.painted.at(-1)[0]") / 1000 - saved)
    for which, told in (("first picture", first), ("last in view", last)):
        median = statistics.median(told)
        print(f"{what}, {which}: {median:.3f} s, at most {max(told):.3f} s ({len(told)})")


def edited(file: Path, old: str, new: Callable[[int], str], edits: int) -> list[str]:
    """The file with one thing changed, each time in another way."""
    text = file.read_text(encoding="utf-8")
    assert old in text
    return [text.replace(old, new(number), 1) for number in range(edits)]


def cards_measured(
    page: chromium.Page, root: Path, subject: Subject, edits: int, started: float
) -> None:
    """Tell it of a card's word, and of a colour of its deck's style."""
    section = f"document.getElementById('deck-{subject.deck}')"
    page.wait("document.querySelector('.face img')", 60)
    print(f"first picture, store empty: {time.monotonic() - started:.2f} s")
    page.wait(section, 60)
    page.run(f"void {section}.scrollIntoView()")
    page.wait(_SHOWN, 600)
    print(f"all faces, store empty: {time.monotonic() - started:.2f} s", flush=True)
    page.run(_WATCH)
    page.wait(_CHECKED, 120)
    cards, style = root / f"cards/{subject.deck}.yaml", root / subject.style
    words = edited(cards, subject.word, lambda n: f"{subject.word} {'xi' * (n + 1)}", edits)
    measured(page, cards, words, "a word of a card")
    rules = edited(style, "{", lambda n: f"{{ outline-color: #{n:06x};", edits)
    measured(page, style, rules, "a colour of its style")


def book_measured(page: chromium.Page, root: Path, subject: Subject, edits: int) -> None:
    """Tell it of a sentence on the page in view, and how long it is until the whole is written."""
    page.wait(_CHECKED, 600)
    page.key("R")
    page.wait(_WRITTEN, 300)
    _press(page, "book-languages", "en")
    page.wait(_WRITTEN, 300)
    where = "[...document.querySelectorAll('.leaf')].find(leaf => leaf.page.areas.some(area => "
    where += f"area[6].includes('{subject.sentence}')))"
    page.run(f"void {where}.scrollIntoView()")
    page.wait(f"{where}.paper.querySelector('img')", 60)
    page.run(_WATCH)
    times, whole = [], []
    book = root / BOOK
    sentence = subject.sentence
    for text in edited(book, sentence, lambda n: f"{sentence}, {'so ' * (n + 1)}", edits):
        _forget_painted(page)
        saved = time.time()
        book.write_text(text, encoding="utf-8")
        page.wait("window.painted.length", 60)
        times.append(page.run("window.painted[0][0]") / 1000 - saved)
        page.wait(_WRITTEN, 120)
        whole.append(time.time() - saved)
    for which, told in (("page in view", times), ("the PDF written", whole)):
        median = statistics.median(told)
        print(f"a sentence, {which}: {median:.3f} s, at most {max(told):.3f} s ({len(told)})")


def _forget_painted(page: chromium.Page) -> None:
    """Wait until what is drawn already is painted, and forget it."""
    page.run(f"new Promise(done => {_LATER})")
    page.run("void (window.painted = [])")


def _press(page: chromium.Page, place: str, text: str) -> None:
    chosen = (
        f"[...document.querySelectorAll('#{place} button')].find(b => b.textContent === '{text}')"
    )
    page.run(f"void {chosen}.click()")
    page.wait(f"{chosen}.ariaPressed === 'true'")


def main() -> None:
    """Measure it, and tell."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--short", action="store_true", help="one edit of a small game")
    parser.add_argument("--edits", type=int, help=f"of each kind, {EDITS} unless given")
    parser.add_argument("--only", choices=KINDS, help="one of the two parts")
    asked = parser.parse_args()
    kinds = (asked.only,) if asked.only else KINDS
    edits = asked.edits or (1 if asked.short else EDITS)
    with tempfile.TemporaryDirectory() as folder:
        if asked.short:
            root, subject = write_game(Path(folder) / "game", WITH_BOOK), SMALL
        else:
            root, subject = copy_game(ROOT, Path(folder) / "game", PARTS), FLAGSHIP
        if "cards" in kinds:
            shutil.rmtree(root / "build", ignore_errors=True)
        started = time.monotonic()
        process = subprocess.Popen(
            [sys.executable, "-m", "cardgen", "preview", str(root), "--no-browser"],
            stdout=subprocess.PIPE, text=True, cwd=ROOT,
        )  # fmt: skip
        assert process.stdout is not None
        found = re.search(r"http\S+", process.stdout.readline())
        assert found
        try:
            with chromium.browser() as page:
                page.size(1280, 800)
                page.go(found[0])
                if "cards" in kinds:
                    cards_measured(page, root, subject, edits, started)
                if "rulebook" in kinds:
                    book_measured(page, root, subject, edits)
        finally:
            process.send_signal(2)
            process.wait()


if __name__ == "__main__":
    main()
