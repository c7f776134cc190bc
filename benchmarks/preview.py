"""How long it takes from a save to the new picture on the screen, in a headless Chromium.

`python -P benchmarks/preview.py [EDITS [cards] [rulebook]]` tells the median and the slowest of
twenty edits, or as many, of each kind on a copy of the flagship: a word of a card, a colour in its
deck's style, and a sentence of the rulebook on the page in view. A picture counts as painted two
frames after it took the old one's place.
"""

from __future__ import annotations

import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import chromium  # noqa: E402 - a helper of the tests
from whole_games import copy_game  # noqa: E402

EDITS = 20
PARTS = ("game.yaml", "table.yaml", "art", "cards", "fonts", "templates", "rulebook")
KINDS = ("cards", "rulebook")
BOOK, SENTENCE = "rulebook/en.md", "Put it on any undamaged loot slot"
WORD = "Wc-kalusteita"
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
_SHOWN = (
    "[...document.querySelectorAll('.face')].filter(f => f.inView)"
    ".every(f => f.querySelector('img')) && !document.getElementById('pulse').textContent"
)


def measured(page: chromium.Page, file: Path, texts: list[str], what: str) -> None:
    """Tell how long it is from each save to the first new picture, and to the last in view."""
    first, last = [], []
    for text in texts:
        page.run("void (window.painted = [])")
        saved = time.time()
        file.write_text(text, encoding="utf-8")
        page.wait("window.painted.length", 60)
        page.wait("!document.getElementById('pulse').textContent", 120)
        time.sleep(2.5)  # the look at the whole game is over
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


def cards_measured(page: chromium.Page, root: Path, edits: int, started: float) -> None:
    """Tell it of a card's word, and of a colour of its deck's style."""
    deck = "loot-city"
    page.wait("document.querySelector('.face img')", 60)
    print(f"first picture, store empty: {time.monotonic() - started:.2f} s")
    page.wait(f"document.getElementById('deck-{deck}')", 60)
    page.run(f"void document.getElementById('deck-{deck}').scrollIntoView()")
    page.wait(_SHOWN, 300)
    print(f"all faces, store empty: {time.monotonic() - started:.2f} s")
    page.run(_WATCH)
    time.sleep(3)
    cards, style = root / f"cards/{deck}.yaml", root / "templates/loot.css"
    words = edited(cards, WORD, lambda number: f"{WORD} {'xi' * (number + 1)}", edits)
    measured(page, cards, words, "a word of a card")
    rules = edited(style, "{", lambda n: f"{{ outline-color: #{n:06x};", edits)
    measured(page, style, rules, "a colour of its style")


def book_measured(page: chromium.Page, root: Path, edits: int) -> None:
    """Tell it of a sentence on the page in view, and how long it is until the whole is written."""
    page.wait("!document.getElementById('pulse').textContent", 600)
    page.key("R")
    page.wait("document.documentElement.dataset.book === 'whole'", 300)
    _press(page, "book-languages", "en")
    page.wait("document.documentElement.dataset.book === 'whole'", 300)
    where = "[...document.querySelectorAll('.leaf')].find(leaf => leaf.page.areas.some(area => "
    where += f"area[6].includes('{SENTENCE}')))"
    page.run(f"void {where}.scrollIntoView()")
    page.wait(f"{where}.paper.querySelector('img')", 60)
    page.run(_WATCH)
    time.sleep(3)
    times, whole = [], []
    book = root / BOOK
    for text in edited(book, SENTENCE, lambda number: f"{SENTENCE}, {'so ' * (number + 1)}", edits):
        page.run("void (window.painted = [])")
        saved = time.time()
        book.write_text(text, encoding="utf-8")
        page.wait("window.painted.length", 60)
        times.append(page.run("window.painted[0][0]") / 1000 - saved)
        page.wait("document.documentElement.dataset.book === 'whole'", 60)
        whole.append(time.time() - saved)
        time.sleep(1)
    for which, told in (("page in view", times), ("the PDF written", whole)):
        median = statistics.median(told)
        print(f"a sentence, {which}: {median:.3f} s, at most {max(told):.3f} s ({len(told)})")


def _press(page: chromium.Page, place: str, text: str) -> None:
    chosen = (
        f"[...document.querySelectorAll('#{place} button')].find(b => b.textContent === '{text}')"
    )
    page.run(f"void {chosen}.click()")
    page.wait(f"{chosen}.ariaPressed === 'true'")


def main() -> None:
    """Measure it, and tell."""
    edits = int(sys.argv[1]) if len(sys.argv) > 1 else EDITS
    kinds = sys.argv[2:] or KINDS
    with tempfile.TemporaryDirectory() as folder:
        root = copy_game(ROOT, Path(folder) / "game", PARTS)
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
                    cards_measured(page, root, edits, started)
                if "rulebook" in kinds:
                    book_measured(page, root, edits)
        finally:
            process.send_signal(2)
            process.wait()


if __name__ == "__main__":
    main()
