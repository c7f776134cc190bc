"""What is chosen in the preview's room of sheets, as a build is asked for it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from cardgen.changes import baselines
from cardgen.changes.card_changes import Baseline
from cardgen.core.problems import Problem, Source, has_errors
from cardgen.core.units import PAPERS
from cardgen.game.game_settings import MAX_MARGIN_MM
from cardgen.game.model import BACKS, MARKS, Game
from cardgen.outputs.contract import Options
from cardgen.outputs.sheet_recipes import SheetLayoutError, resolve_layout
from cardgen.pipeline.request import Request
from cardgen.pipeline.selection import CardFilter
from cardgen.preview.workers.render_worker import GameLocation
from cardgen.sheets import number_ranges, precut_stock
from cardgen.sheets.cut_files import CUT_FILE_KINDS

MAX_CHOICE_CHARS, MAX_CHOICE_ITEMS = 2000, 500
CHOICE_ID_PATTERN = re.compile(r"\S{1,100}\Z")


class InvalidChoiceError(Exception):
    """What is chosen cannot be made; `problem` tells why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


@dataclass(frozen=True)
class SheetChoices:
    """What is chosen, as options of `cardgen build sheets`. None is as game.yaml has it; without
    decks it is all, without a language the game's first; with `changed`, what differs from what was
    printed, or from the state that `since` names: a commit or a date."""

    language: str = ""
    decks: tuple[str, ...] = ()
    where: str = ""
    sheets: str = ""
    changed: bool = False
    since: str = ""
    paper: str | None = None
    backs: str | None = None
    marks: str | None = None
    margin: float | None = None
    gap: float | None = None
    overlap: float | None = None
    mix: bool | None = None
    cut_lines: bool = False
    corner_guides: bool = False
    low_ink: bool = False
    grayscale: bool = False
    cut_files: tuple[str, ...] = ()
    stock: str = ""
    skip: str = ""

    def make_request(self, place: GameLocation, game: Game) -> Request:
        """What a build is asked. Raises `CannotBe`."""
        language = self.language if self.language in game.languages else game.languages[0]
        known = {deck.id for deck in game.decks}
        decks = tuple(deck for deck in self.decks if deck in known)
        outputs = ("changed",) if self.changed else ("sheets",)
        cards = (
            CardFilter((), self.where) if self.where.strip() and not self.changed else CardFilter()
        )
        return Request(
            place.root, outputs, (language,), decks, self._make_options(place, game, language),
            card_filter=cards, variant=game.variant,
        )  # fmt: skip

    def _make_options(self, place: GameLocation, game: Game, language: str) -> Options:
        wanted = (
            number_ranges.parse_numbers(self.sheets)
            if self.sheets.strip()
            else number_ranges.ALL_NUMBERS
        )
        if wanted is None:
            message = f"'{self.sheets}' names no sheets; write 3, 2-4 or 2-4,7"
            raise InvalidChoiceError(Problem(Source("--sheets"), message, "asked"))
        skip = (
            number_ranges.parse_numbers(self.skip)
            if self.skip.strip()
            else number_ranges.NO_NUMBERS
        )
        if skip is None:
            message = f"'{self.skip}' names no places; write 3, 1-4 or 1-4,7"
            raise InvalidChoiceError(Problem(Source("--skip"), message, "asked"))
        asked = {**vars(self), "skip": skip, "figures": None}
        if self.stock:
            # It is a paper, and it is cut: what is chosen of these gives way.
            asked |= {"paper": None, "marks": None}
        try:
            layout = resolve_layout(asked, game.defaults)
        except SheetLayoutError as error:
            raise InvalidChoiceError(Problem(Source("--paper"), str(error), "asked")) from None
        mix = game.defaults.mix if self.mix is None else self.mix
        options = Options(layout, game.defaults.dpi, bleed=False, rounded=False, mix=mix)
        if self.changed:
            return replace(options, base=self._find_baseline(place, game, language))
        return replace(options, cut_files=self.cut_files, sheets=wanted)

    def _find_baseline(self, place: GameLocation, game: Game, language: str) -> Baseline:
        """What changed cards are compared with. Raises `CannotBe`."""
        if game.variant:
            message = "it tells of the game as a whole; of variants, print the sheets anew"
            raise InvalidChoiceError(Problem(Source("printed.yaml"), message, "printed"))
        since = self.since.strip()
        found, problems = (
            baselines.load_revision(place.root, since, [language])
            if since
            else baselines.load_printed(place.root)
        )
        if found is not None:
            problems += baselines.select_languages(found, (language,), game.languages)[1]
        if found is None or has_errors(problems):
            raise InvalidChoiceError(next(p for p in problems if p.severity == "error"))
        return found


def parse_choices(asked: Any) -> SheetChoices:
    """What a page asks. What is of another kind than it should be is as if it were not chosen."""
    given: Mapping[str, Any] = asked if isinstance(asked, dict) else {}

    def get_words(key: str) -> str:
        value = given.get(key)
        return value[:MAX_CHOICE_CHARS] if isinstance(value, str) else ""

    def get_known_word(key: str, known: tuple[str, ...]) -> str | None:
        return get_words(key) if get_words(key) in known else None

    def get_length(key: str) -> float | None:
        value = given.get(key)
        if not isinstance(value, int | float) or isinstance(value, bool):
            return None
        return float(value) if 0 <= value <= MAX_MARGIN_MM else None

    def get_ids(key: str) -> tuple[str, ...]:
        value = given.get(key)
        names = value[:MAX_CHOICE_ITEMS] if isinstance(value, list) else []
        return tuple(
            name for name in names if isinstance(name, str) and CHOICE_ID_PATTERN.match(name)
        )

    mix = given.get("mix")
    return SheetChoices(
        get_words("language"), get_ids("decks"), get_words("where"), get_words("sheets"),
        given.get("changed") is True, get_words("since"), get_words("paper") or None,
        get_known_word("backs", BACKS), get_known_word("marks", MARKS), get_length("margin"), get_length("gap"),
        get_length("overlap"), mix if isinstance(mix, bool) else None,
        given.get("cut_lines") is True, given.get("corner_guides") is True,
        given.get("low_ink") is True, given.get("grayscale") is True,
        tuple(kind for kind in get_ids("cut_files") if kind in CUT_FILE_KINDS),
        get_known_word("stock", tuple(precut_stock.index_stock_names())) or "", get_words("skip"),
    )  # fmt: skip


def list_choices(game: Game) -> dict[str, Any]:
    """What there is to choose from, and what game.yaml has."""
    return {
        "papers": list(dict.fromkeys([*PAPERS, game.defaults.paper])),
        "backs": list(BACKS),
        "marks": list(MARKS),
        "cut_files": list(CUT_FILE_KINDS),
        "stock": {
            name: f"{each.cell}, {each.description}"
            for name, each in precut_stock.load_stocks().items()
        },
        "usual": asdict(game.defaults),
    }
