"""Choices of the preview's page of sheets, as a request for a build."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from cardgen.changes import baselines
from cardgen.changes.card_changes import Baseline
from cardgen.core.problems import Problem, Source, has_errors
from cardgen.core.units import PAPERS, format_gap
from cardgen.game.model import BACKS, MARKS, Game
from cardgen.outputs.contract import Options
from cardgen.pipeline.options import BUILD_OPTIONS, MAX_TEXT_CHARS, OptionError, create_options
from cardgen.pipeline.request import CardFilter, Request
from cardgen.preview.messages import GameLocation
from cardgen.sheets import precut_stock
from cardgen.sheets.cut_files import CUT_FILE_KINDS
from cardgen.sheets.imposition import ALL_NUMBERS

MAX_CHOICE_ITEMS = 500
CHOICE_ID_PATTERN = re.compile(r"\S{1,100}\Z")
_SHEET_OPTIONS = (
    "paper", "backs", "marks", "margin", "gap", "grid", "overlap", "mix", "cut_lines",
    "corner_guides", "low_ink", "grayscale", "sheets", "skip", "stock",
)  # fmt: skip


class InvalidChoiceError(Exception):
    """A choice that no build can have; `problem` says why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


@dataclass(frozen=True)
class SheetChoices:
    """Options of `cardgen build sheets`, chosen on a page.

    Without decks it is all of them, without a language the game's first. With `changed` it is what
    differs from what was printed, or from the state that `since` names: a commit or a date.
    """

    language: str = ""
    decks: tuple[str, ...] = ()
    where: str = ""
    changed: bool = False
    since: str = ""
    cut_files: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    """Values by the names of `pipeline.options.BUILD_OPTIONS`."""

    def make_request(self, location: GameLocation, game: Game) -> Request:
        """Return the request for a build. Raises `InvalidChoiceError`."""
        language = self.language if self.language in game.languages else game.languages[0]
        known = {deck.id for deck in game.decks}
        decks = tuple(deck for deck in self.decks if deck in known)
        outputs = ("changed",) if self.changed else ("sheets",)
        where = "" if self.changed else self.where
        cards = CardFilter((), where) if where.strip() else CardFilter()
        options = self._make_options(location, game, language)
        return Request(
            location.root, outputs, (language,), decks, options, card_filter=cards,
            variant=game.variant,
        )  # fmt: skip

    def _make_options(self, location: GameLocation, game: Game, language: str) -> Options:
        given = {**self.options, "cut_files": self.cut_files}
        if given.get("stock"):
            # A stock is a paper that is cut already: what is chosen of these gives way.
            given |= {"paper": None, "marks": None}
        try:
            options = create_options(given, game.defaults)
        except OptionError as error:
            source = Source(error.flag or "--paper")
            raise InvalidChoiceError(Problem(source, str(error), "asked")) from None
        if self.changed:
            base = self._find_baseline(location, game, language)
            return replace(options, base=base, cut_files=(), sheets=ALL_NUMBERS)
        return options

    def _find_baseline(self, location: GameLocation, game: Game, language: str) -> Baseline:
        """Return what changed cards are compared with. Raises `InvalidChoiceError`."""
        if game.variant:
            message = "it records the game as a whole; print all sheets of a variant instead"
            raise InvalidChoiceError(Problem(Source("printed.yaml"), message, "printed"))
        since = self.since.strip()
        if since:
            base, problems = baselines.load_revision(location.root, since, [language])
        else:
            base, problems = baselines.load_printed(location.root)
        if base is not None:
            problems += baselines.select_languages(base, (language,), game.languages)[1]
        if base is None or has_errors(problems):
            raise InvalidChoiceError(next(p for p in problems if p.severity == "error"))
        return base


def parse_choices(body: Any) -> SheetChoices:
    """Return what a page asks. A value of another kind than it should be counts as not chosen."""
    given: Mapping[str, Any] = body if isinstance(body, dict) else {}

    def get_text(key: str) -> str:
        value = given.get(key)
        return value[:MAX_TEXT_CHARS].strip() if isinstance(value, str) else ""

    def get_ids(key: str) -> tuple[str, ...]:
        value = given.get(key)
        names = value[:MAX_CHOICE_ITEMS] if isinstance(value, list) else []
        return tuple(
            name for name in names if isinstance(name, str) and CHOICE_ID_PATTERN.match(name)
        )

    values = {name: BUILD_OPTIONS[name].read_json(given.get(name)) for name in _SHEET_OPTIONS}
    if values["stock"] not in precut_stock.index_stock_names():
        del values["stock"]
    options = {
        name: value for name, value in values.items() if value != BUILD_OPTIONS[name].default
    }
    cut_files = tuple(kind for kind in get_ids("cut_files") if kind in CUT_FILE_KINDS)
    return SheetChoices(
        get_text("language"), get_ids("decks"), get_text("where"), given.get("changed") is True,
        get_text("since"), cut_files, options,
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
        "usual": asdict(game.defaults)
        | {
            "margin": str(game.defaults.margin),
            "gap": format_gap(game.defaults.gap),
            "grid": "x".join(map(str, game.defaults.grid or ())),
        },
    }
