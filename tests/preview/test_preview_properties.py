"""Whatever is edited and edited back, in any order, the preview shows what a fresh start shows."""

from __future__ import annotations

import asyncio
import json
import random
from pathlib import Path
from typing import Any

import pytest
from schedulers import InlineQueue, finish_work
from small_games import TEXT_GAME, write_game

from cardgen.preview import scheduler
from cardgen.preview.messages import GameLocation
from cardgen.preview.scheduler import PreviewScheduler
from cardgen.preview.workers import render_worker
from cardgen.runtime.worker_pool import ResidentWorker

FILES = {
    **TEXT_GAME,
    "game.yaml": TEXT_GAME["game.yaml"] + "constants: {most: 4}\n",
    "cards/rules.yaml": """rules:
  - {id: few, count: loot, at_most: most, because: the box is small}
  - {id: fives, count: notes, where: value > 1, is: 1, because: of five there is one}
  - {id: legible, text_size: loot, text: text, at_least: 7, because: it must be read}
""",
    "cards/ships.yaml": """deck: ships
title: {fi: Laivat, en: Ships}
size: 60 x 40
front: note.html
fields: {value: integer}
rows: ships.csv
""",
    "templates/loot.html": TEXT_GAME["templates/loot.html"].replace(
        'class="text"', 'class="text" data-text="text"'
    ),
    "cards/ships.csv": "id,value\ntug,1\ndredger,2\n",
    **{
        f"rulebook/{code}.md": f"---\ntitle: Rules {code}\n---\n## Start\n\n"
        "{{ count('loot') }} cards, {{ most }}.\n"
        for code in ("fi", "en")
    },
}
RENAME = "rename"
EDITS = {
    "a constant that rules and the book use": ("game.yaml", "most: 4", "most: 3"),
    "a constant's name": ("game.yaml", "most: 4", "more: 4"),
    "game.yaml that cannot be read": ("game.yaml", "constants: {", "constants: {{"),
    "a cell": ("cards/ships.csv", "dredger,2", "dredger,two"),
    "a row": ("cards/ships.csv", "tug,1", "barge,3\ntug,1"),
    "a deck's id": ("cards/loot.yaml", "deck: loot", "deck: looty"),
    "a card's id": ("cards/notes.yaml", "id: five", "id: fife"),
    "a quote that is left open": ("cards/loot.yaml", 'en: "Pay', "en: 'Pay"),
    "a line above all cards": ("cards/loot.yaml", "deck: loot", "# First.\ndeck: loot"),
    "a text too long for its place": ("cards/loot.yaml", "and leave.", "and leave. " * 40),
    "a template's brace": ("templates/loot.html", "{{ card.name }}", "{{ card.name }"),
    "a style": ("templates/card.css", "#f1e6cf", "#223344"),
    "a picture that cannot be read": ("art/house.svg", "</svg>", "</sv"),
    "a rule": ("cards/rules.yaml", "is: 1", "is: 2"),
    "a sentence of the book": ("rulebook/en.md", "{{ most }}", "{{ mast }}"),
    "a deck's file": ("cards/notes.yaml", "", None),
    "a template's file": ("templates/note.html", "", None),
    "a deck's file under a name that is not read": ("cards/ships.yaml", "cards/ships.yml", RENAME),
    "a folder of pictures": ("art", "arts", RENAME),
    "a folder of templates": ("templates", "layouts", RENAME),
}  # fmt: skip
SEEDS = range(12)


@pytest.fixture(autouse=True)
def here(one_process: None) -> None:
    """Helpers cost more than this small game."""


class Reader:
    """A preview whose workers are this process, and what a page would show."""

    def __init__(self, root: Path) -> None:
        self.scheduler = PreviewScheduler(GameLocation(root), ResidentWorker())
        self.queue = self.scheduler.renderer = self.scheduler.rasteriser = InlineQueue()

    def show(self) -> dict[str, Any]:
        state = json.loads(json.dumps(self.scheduler.state.to_json()))
        for face in state["faces"].values():
            del face["before"], face["changed"]
        return {key: value for key, value in state.items() if key not in ("held", "looks")}


def is_possible(root: Path, name: str, *, back: bool = False) -> bool:
    path, old, new = EDITS[name]
    file = root / path
    if new == RENAME:
        here, there = (root / old, file) if back else (file, root / old)
        return here.exists() and not there.exists()
    if new is None:
        whole = file.is_file() and file.read_text(encoding="utf-8") == FILES[path]
        return (file.parent.is_dir() and not file.exists()) if back else whole
    return file.is_file() and (new if back else old) in file.read_text(encoding="utf-8")


def apply(root: Path, name: str, *, back: bool = False) -> None:
    path, old, new = EDITS[name]
    file = root / path
    if new == RENAME:
        (root / old).rename(file) if back else file.rename(root / old)
        return
    if new is None:
        file.write_text(FILES[path], encoding="utf-8") if back else file.unlink()
        return
    before, after = (new, old) if back else (old, new)
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace(before, after, 1), encoding="utf-8")


async def start_afresh(root: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return what another preview shows that is started now."""
    with monkeypatch.context() as patch:
        patch.setattr(render_worker, "_sessions", {})
        other = Reader(root)
        await finish_work(other.scheduler)
        return other.show()


async def save(preview: Reader, chance: random.Random) -> None:
    """Notify the preview of a save once or twice, and let it do some of its work or all of it."""
    for _ in range(chance.choice([1, 2, 2])):
        preview.scheduler.notify_save()
        if chance.random() < 0.3:
            await finish_work(preview.scheduler)
        for _ in range(chance.choice([0, 1, 2, 2, 3])):
            await preview.scheduler._run_step()


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_edited_back_is_as_after_a_fresh_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr(scheduler, "BOOK_DELAY_SECONDS", 0.0)
    monkeypatch.setattr(render_worker, "_sessions", {})
    root = write_game(tmp_path / "game", FILES)
    chance = random.Random(seed)

    made: list[str] = []

    async def change(preview: Reader, *, back: bool) -> None:
        names = made if back else EDITS.keys() - made
        name = chance.choice(sorted(each for each in names if is_possible(root, each, back=back)))
        apply(root, name, back=back)
        made.remove(name) if back else made.append(name)
        await save(preview, chance)
        state = preview.scheduler.last_sent
        if state["checked"] and state["books"]:  # the page says that it lists all problems
            now = await start_afresh(root, monkeypatch)
            assert preview.show()["problems"] == now["problems"], made

    async def act() -> None:
        preview, at_first = Reader(root), await start_afresh(root, monkeypatch)
        await finish_work(preview.scheduler)
        assert preview.show() == at_first
        assert not at_first["problems"]
        for _ in range(9):
            await change(preview, back=bool(made) and chance.random() < 0.3)
        await finish_work(preview.scheduler)
        broken = await start_afresh(root, monkeypatch)
        assert preview.show()["problems"] == broken["problems"], made
        while made:
            await change(preview, back=True)
        await finish_work(preview.scheduler)
        assert preview.show() == at_first

    asyncio.run(act())
