"""What is chosen in the preview's room of sheets, as a build is asked for it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from cardgen.asking import Cards
from cardgen.base.problems import Problem, Source, has_errors
from cardgen.base.units import PAPERS
from cardgen.changes import baselines
from cardgen.changes.compare import Base
from cardgen.game.model import BACKS, MARKS, Game
from cardgen.game.settings import MOST_MARGIN
from cardgen.outputs.contract import Options
from cardgen.outputs.sheet_recipes import NoLayout, layout_of
from cardgen.preview.press import Place
from cardgen.request import Request
from cardgen.sheets import cutfiles, numbers, stock

_MOST_WORDS, _MOST_DECKS = 2000, 500
_ID = re.compile(r"\S{1,100}\Z")


class CannotBe(Exception):  # noqa: N818 - it reads as what it says
    """What is chosen cannot be made; `problem` tells why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


@dataclass(frozen=True)
class Choices:
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

    def request(self, place: Place, game: Game) -> Request:
        """What a build is asked. Raises `CannotBe`."""
        language = self.language if self.language in game.languages else game.languages[0]
        known = {deck.id for deck in game.decks}
        decks = tuple(deck for deck in self.decks if deck in known)
        outputs = ("changed",) if self.changed else ("sheets",)
        cards = Cards((), self.where) if self.where.strip() and not self.changed else Cards()
        return Request(
            place.root, outputs, (language,), decks, self._options(place, game, language),
            cards=cards, variant=game.variant,
        )  # fmt: skip

    def _options(self, place: Place, game: Game, language: str) -> Options:
        wanted = numbers.parse(self.sheets) if self.sheets.strip() else numbers.ALL
        if wanted is None:
            message = f"'{self.sheets}' names no sheets; write 3, 2-4 or 2-4,7"
            raise CannotBe(Problem(Source("--sheets"), message, "asked"))
        skip = numbers.parse(self.skip) if self.skip.strip() else numbers.NONE
        if skip is None:
            message = f"'{self.skip}' names no places; write 3, 1-4 or 1-4,7"
            raise CannotBe(Problem(Source("--skip"), message, "asked"))
        asked = {**vars(self), "skip": skip, "figures": None}
        if self.stock:
            # It is a paper, and it is cut: what is chosen of these gives way.
            asked |= {"paper": None, "marks": None}
        try:
            layout = layout_of(asked, game.defaults)
        except NoLayout as error:
            raise CannotBe(Problem(Source("--paper"), str(error), "asked")) from None
        mix = game.defaults.mix if self.mix is None else self.mix
        options = Options(layout, game.defaults.dpi, bleed=False, rounded=False, mix=mix)
        if self.changed:
            return replace(options, base=self._base(place, game, language))
        return replace(options, cut_files=self.cut_files, sheets=wanted)

    def _base(self, place: Place, game: Game, language: str) -> Base:
        """What changed cards are compared with. Raises `CannotBe`."""
        if game.variant:
            message = "it tells of the game as a whole; of variants, print the sheets anew"
            raise CannotBe(Problem(Source("printed.yaml"), message, "printed"))
        since = self.since.strip()
        found, problems = (
            baselines.at_revision(place.root, since, [language])
            if since
            else baselines.printed(place.root)
        )
        if found is not None:
            problems += baselines.languages_in(found, (language,), game.languages)[1]
        if found is None or has_errors(problems):
            raise CannotBe(next(p for p in problems if p.severity == "error"))
        return found


def chosen(asked: Any) -> Choices:
    """What a page asks. What is of another kind than it should be is as if it were not chosen."""
    given: Mapping[str, Any] = asked if isinstance(asked, dict) else {}

    def words(key: str) -> str:
        value = given.get(key)
        return value[:_MOST_WORDS] if isinstance(value, str) else ""

    def one_of(key: str, known: tuple[str, ...]) -> str | None:
        return words(key) if words(key) in known else None

    def length(key: str) -> float | None:
        value = given.get(key)
        if not isinstance(value, int | float) or isinstance(value, bool):
            return None
        return float(value) if 0 <= value <= MOST_MARGIN else None

    def listed(key: str) -> tuple[str, ...]:
        value = given.get(key)
        names = value[:_MOST_DECKS] if isinstance(value, list) else []
        return tuple(name for name in names if isinstance(name, str) and _ID.match(name))

    mix = given.get("mix")
    return Choices(
        words("language"), listed("decks"), words("where"), words("sheets"),
        given.get("changed") is True, words("since"), words("paper") or None,
        one_of("backs", BACKS), one_of("marks", MARKS), length("margin"), length("gap"),
        length("overlap"), mix if isinstance(mix, bool) else None,
        given.get("cut_lines") is True, given.get("corner_guides") is True,
        given.get("low_ink") is True, given.get("grayscale") is True,
        tuple(kind for kind in listed("cut_files") if kind in cutfiles.KINDS),
        one_of("stock", tuple(stock.names())) or "", words("skip"),
    )  # fmt: skip


def offered(game: Game) -> dict[str, Any]:
    """What there is to choose from, and what game.yaml has."""
    return {
        "papers": list(dict.fromkeys([*PAPERS, game.defaults.paper])),
        "backs": list(BACKS),
        "marks": list(MARKS),
        "cut_files": list(cutfiles.KINDS),
        "stock": {name: f"{each.cell}, {each.what}" for name, each in stock.stocks().items()},
        "usual": asdict(game.defaults),
    }
