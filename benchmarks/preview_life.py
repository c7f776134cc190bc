"""How the preview opens, how soon it tells of rules, what it takes over many edits, and whether it
is sooner than Typst, in a headless Chromium.

`python -P benchmarks/preview_life.py [opening] [rules] [memory] [deck]`, all of them unless named:

- opening: from the command to the first painted picture, its store full and empty;
- rules: from the save of a rule, broken or mended, to the number of problems that says so;
- memory: what all processes of the preview hold while a card is edited a thousand times (or
  `--edits N`);
- deck: the made-up deck of 400 cards, one edited: until it is painted, and how long Typst takes to
  compile its PDF anew.
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
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import chromium  # noqa: E402 - a helper of the tests
from whole_games import copy_game  # noqa: E402

from benchmarks import decks, peers  # noqa: E402

PARTS = ("game.yaml", "table.yaml", "art", "cards", "fonts", "templates", "rulebook")
KINDS = ("opening", "rules", "memory", "deck")
OPENED, RULES, EDITED, CARDS, MADE_UP = 5, 10, 12, 400, "card-1"
PICTURE = "[...document.querySelectorAll('.face img')].some(i => i.complete)"
IDLE = "document.querySelector('.face') && !document.getElementById('pulse').textContent"
NOTE = """(() => {
  window.noted = [];
  const later = (value) => requestAnimationFrame(() => requestAnimationFrame(() =>
    window.noted.push([Date.now(), value])));
  new MutationObserver((changes) => {
    for (const {addedNodes, target} of changes) {
      if (target.id === "count") later("count " + target.textContent);
      for (const node of addedNodes) if (node.tagName === "IMG") later(target.dataset.face);
    }
  }).observe(document.body, {childList: true, subtree: true, characterData: true});
})()"""


@contextmanager
def preview(root: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A preview of a game under way, and its address."""
    process = subprocess.Popen(
        [sys.executable, "-m", "cardgen", "preview", str(root), "--no-browser"],
        stdout=subprocess.PIPE, text=True, cwd=ROOT,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        found = re.search(r"http\S+", process.stdout.readline())
        assert found
        yield process, found[0]
    finally:
        process.send_signal(2)
        process.wait()


def tell(what: str, seconds: Sequence[float]) -> None:
    """A line: the median and the slowest."""
    median = statistics.median(seconds)
    print(f"{what}: {median:.3f} s, at most {max(seconds):.3f} s ({len(seconds)})", flush=True)


def saved(page: chromium.Page, file: Path, text: str, noted: str) -> float:
    """Seconds from a file's save to what the page notes then, as a test of `value`."""
    page.run("void (window.noted = [])")
    started = time.time()
    file.write_text(text, encoding="utf-8")
    page.wait(f"window.noted.some(([, value]) => {noted})", 60)
    return float(page.run(f"window.noted.find(([, value]) => {noted})[0]")) / 1000 - started


def opening(page: chromium.Page, root: Path) -> None:
    """Until the first picture is painted."""
    times: dict[str, list[float]] = {"full": [], "empty": []}
    for number in range(2 * OPENED):
        store = "empty" if number % 2 == 0 else "full"
        if store == "empty":
            shutil.rmtree(root / "build", ignore_errors=True)
        page.go("about:blank")
        started = time.monotonic()
        with preview(root) as (_, address):
            page.go(address)
            page.wait(PICTURE, 120)
            times[store].append(time.monotonic() - started)
            page.wait(IDLE, 600)
    for store, told in times.items():
        tell(f"first picture, store {store}", told)


def rules(page: chromium.Page, root: Path) -> None:
    """Until the number of problems is that of the rules as they are now."""
    file = root / "cards/rules.yaml"
    sound = file.read_text(encoding="utf-8")
    broken = sound.replace("    is: 380\n", "    is: 381\n", 1)
    assert broken != sound
    with preview(root) as (_, address):
        page.go(address)
        page.wait(PICTURE, 120)
        page.wait(IDLE, 600)
        time.sleep(5)
        page.run(NOTE)
        times = []
        for number in range(2 * RULES):
            text, count = (broken, 1) if number % 2 == 0 else (sound, 0)
            times.append(saved(page, file, text, f"value === 'count {count}'"))
            time.sleep(2.5)
        tell("a rule", times)


def memory(page: chromium.Page, root: Path, edits: int) -> None:
    """What its processes hold, MB, while one card is edited again and again."""
    file = root / "cards/loot-city.yaml"
    text = file.read_text(encoding="utf-8")
    word = "Wc-kalusteita"
    with preview(root) as (process, address):
        page.go(address)
        page.wait(PICTURE, 120)
        page.wait("document.getElementById('deck-loot-city')", 60)
        page.run("void document.getElementById('deck-loot-city').scrollIntoView()")
        page.wait(IDLE, 600)
        time.sleep(5)
        page.run(NOTE)
        for number in range(edits + 1):
            if number % (edits // 10 or 1) == 0:
                time.sleep(3)
                print(f"after {number} edits: {_held(process):.0f} MB", flush=True)
            saved(page, file, text.replace(word, f"{word} {number}", 1), "/^loot-city/.test(value)")
    file.write_text(text, encoding="utf-8")


def _held(process: subprocess.Popen[str]) -> float:
    whole = psutil.Process(process.pid)
    held = sum(each.memory_info().rss for each in (whole, *whole.children(recursive=True)))
    return float(held) / 1e6


def deck(page: chromium.Page, folder: Path) -> None:
    """One card of the made-up deck in the preview, and the same deck compiled by Typst."""
    root = decks.game(folder / "made-up", CARDS)
    typst = next(peer for peer in peers.peers() if peer.name == "Typst")
    (folder / "typst").mkdir()
    typst.write(folder / "typst", CARDS, decks.MODERATE_CURVES)
    file = next(root.glob("cards/*.yaml"))
    text = file.read_text(encoding="utf-8")
    with preview(root) as (_, address):
        page.go(address)
        page.wait(PICTURE, 300)
        page.wait(IDLE, 600)
        time.sleep(5)
        page.run(NOTE)
        times, peer = [], []
        for number in range(EDITED):
            changed = text.replace(decks.EDITED[0], f"Card one {number} ", 1)
            times.append(saved(page, file, changed, f"/{MADE_UP}.front/.test(value)"))
            time.sleep(4)
        for _ in range(3):
            started = time.monotonic()
            subprocess.run(typst.command, cwd=folder / "typst", check=True)
            peer.append(time.monotonic() - started)
    tell(f"{CARDS} cards, one edited", times)
    tell(f"{CARDS} cards, Typst", peer)


def main() -> None:
    """Measure what is asked for, and tell."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("kinds", nargs="*", choices=[*KINDS, []])
    parser.add_argument("--edits", type=int, default=1000)
    asked = parser.parse_args()
    wanted = asked.kinds or KINDS
    with tempfile.TemporaryDirectory() as name, chromium.browser() as page:
        folder = Path(name)
        root = copy_game(ROOT, folder / "game", PARTS)
        shutil.rmtree(root / "build", ignore_errors=True)
        page.size(1280, 800)
        if "opening" in wanted:
            opening(page, root)
        if "rules" in wanted:
            rules(page, root)
        if "memory" in wanted:
            memory(page, root, asked.edits)
        if "deck" in wanted:
            deck(page, folder)


if __name__ == "__main__":
    main()
