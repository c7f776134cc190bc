"""Context of templates: the game, the deck, and the cards that templates read.

Rules and expressions in books have the names of `CardDatabase` instead.
"""

from __future__ import annotations

import html
import io
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, partial
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from cardgen.core import colour_math
from cardgen.core.problems import did_you_mean
from cardgen.game import plural_forms
from cardgen.game.card_text import is_right_to_left, localise_value, make_card_text_factory
from cardgen.game.model import CardReference, Deck, Game
from cardgen.runtime import game_files
from cardgen.templates.expression_messages import LinkedCardId
from cardgen.templates.expressions import CardDatabase, EvaluationError
from cardgen.templates.template_lint import find_attribute


def describe_game(game: Game, language: str, title: str, **more: Any) -> dict[str, Any]:
    """Return `game`, `words`, `language`, `from_right`, `variant` and `plural()`. `more` extends
    `game`."""
    icons = tuple(game.icons)
    return {
        "game": {
            "id": game.id,
            "title": title,
            "edition": game.edition,
            "date": game.date,
            "constants": localise_value(game.constants, language, icons),
            **more,
            "languages": game.languages,
        },
        "words": localise_value(game.words, language, icons),
        "language": language,
        "from_right": is_right_to_left(language),
        "variant": game.variant,
        "plural": partial(plural_forms.choose_form, language),
    }


def describe_deck(deck: Deck, language: str, icons: tuple[str, ...], **more: Any) -> dict[str, Any]:
    """Return a deck: its number of cards with and without copies, and their size in mm."""
    return {
        "id": deck.id,
        "title": localise_value(deck.title, language, icons),
        "count": deck.count,
        "pieces": deck.distinct_count,
        **more,
        "width": deck.size.width,
        "height": deck.size.height,
        "shape": deck.shape,
    }


class ColourNames(dict[str, str]):
    """The game's colours by name. A colour that is written out is itself, as in a field."""

    def __missing__(self, name: str) -> str:
        if written := colour_math.parse_hex(name):
            return written
        raise KeyError(name)


def check_icon(name: str, icons: tuple[str, ...]) -> str:
    """Return the name of an icon. Raise LookupError if there is none."""
    if name not in icons:
        raise LookupError(f"no icon '{name}' in art/icons{did_you_mean(str(name), icons)}")
    return name


class TemplateCards(CardDatabase):
    """The cards of a game in a language. `decks_read` collects the decks that templates read."""

    def __init__(self, game: Game, language: str) -> None:
        icons = tuple(game.icons)
        super().__init__(
            game, language, make_card_text_factory(language, icons), self.resolve_reference
        )
        self.decks_read: set[str] = set()

    @property
    def functions(self) -> dict[str, Callable[..., Any]]:
        """The functions of templates."""
        return {"cards": self.cards, "count": self.count, "sum_of": self.sum_of}

    def resolve_reference(self, reference: CardReference) -> LinkedCardId:
        """Return the id of the card that a field refers to, with the fields of that card."""
        return LinkedCardId(reference.piece, lambda: self._find_card(reference))

    def make_card(self, values: Mapping[str, Any]) -> TemplateCard:
        """Return the card of a face; it can be called for other cards."""
        return TemplateCard(values, self.card)

    def _get_rows(self, name: str) -> list[dict[str, Any]]:
        self.decks_read.add(name)
        return super()._get_rows(name)

    def _find_card(self, reference: CardReference) -> dict[str, Any]:
        """Return the card that a reference means; if every player has one, the first."""
        rows = self._get_rows(reference.deck)
        names = [reference.piece, *(f"{reference.piece}-{p.id}" for p in self.game.players)]
        for row in rows:
            if row["id"] in names:
                return row
        raise EvaluationError(f"there is no card '{reference.piece}' in {reference.deck}")


class TemplateCard(dict[str, Any]):
    """The fields of a card. Called with a deck and an id, it returns those of another card."""

    def __init__(self, values: Mapping[str, Any], get_card: Callable[..., Any]) -> None:
        super().__init__(values)
        self._get_card = get_card

    def __call__(self, *names: str) -> Any:
        return self._get_card(*names)


ART_FOLDER = "art"
_ART_SUFFIXES = (".svg", ".png", ".jpg", ".jpeg", ".webp", ".gif", ".tif", ".tiff")


class ArtIndex:
    """Index of the pictures under art/, built when it is first used."""

    def __init__(self, root: Path) -> None:
        self._root = root

    @property
    def paths(self) -> Iterable[str]:
        """Return the path of every picture once, in order."""
        return dict.fromkeys(self._index.values())

    def picture(self, given: object, *others: object, folder: str = "") -> str | None:
        """Return the path of a picture, such as `art/ships/tug.svg`, or None if there is none.

        That is the given picture or, without one, the first of the others that exists. A name may
        leave out `art/`, its suffix, and its folder: `folder` is looked through first. Raise
        LookupError if a given picture does not exist, or if two folders have one of its name.
        """
        if given and (path := self._find_picture(str(given), folder)) is not None:
            return path
        if given and others:
            near = did_you_mean(str(given), [name.removeprefix("art/") for name in self.paths])
            hint = near if "did you mean" in near else ""
            raise LookupError(f"no picture '{given}' in art/{hint}")
        names = map(_normalise_name, others)
        return next((self._index[name] for name in names if name in self._index), None)

    def complete_addresses(self, text: str) -> str:
        """Return HTML with the folders that addresses of pictures leave out: `art/tug.png` becomes
        `art/ships/tug.png` if that is the only picture whose path ends so."""
        done, parts = 0, []
        for start, end, value in find_attribute(text, "src") if ART_FOLDER in text else ():
            name = unquote(html.unescape(value))
            given = _normalise_name(name)
            if not name.startswith(f"{ART_FOLDER}/") or given in self._index:
                continue
            found = self._tails.get(given, [])
            if len(found) == 1:
                parts += [text[done:start], f'src="{html.escape(quote(found[0]))}"']
                done = end
        return "".join([*parts, text[done:]])

    def _find_picture(self, given: str, folder: str) -> str | None:
        inner = game_files.compose(given.removeprefix(f"{ART_FOLDER}/"))
        for exact in (f"{ART_FOLDER}/{folder}/{inner}", f"{ART_FOLDER}/{inner}"):
            if exact in self._files:
                return exact
        name = _normalise_name(given)
        for near in (f"{folder}/{name}", name):
            if near in self._index:
                return self._index[near]
        found = sorted(self._tails.get(name, []))
        if len(found) > 1:
            first, second = (path.removeprefix(f"{ART_FOLDER}/") for path in found[:2])
            raise LookupError(
                f"'{name}' is both {found[0]} and {found[1]}; write '{first}' or '{second}'"
            )
        return found[0] if found else None

    @cached_property
    def _tails(self) -> dict[str, list[str]]:
        """Paths of pictures in folders, other than icons, by all ends of their paths."""
        tails: dict[str, list[str]] = {}
        for name, path in self._index.items():
            parts = name.split("/")
            for start in range(1, len(parts) if parts[0] != "icons" else 0):
                tails.setdefault("/".join(parts[start:]), []).append(path)
        return tails

    @cached_property
    def _files(self) -> frozenset[str]:
        listed = game_files.list_files(self._root, ART_FOLDER)
        return frozenset(each for each in listed if each.lower().endswith(_ART_SUFFIXES))

    @cached_property
    def _index(self) -> dict[str, str]:
        index: dict[str, str] = {}
        for path in sorted(self._files, key=_rank_suffix):
            index.setdefault(_normalise_name(path), path)
            index.setdefault(_normalise_name(path.rpartition(".")[0]), path)
        return index


def _normalise_name(name: object) -> str:
    return game_files.compose(str(name).removeprefix(f"{ART_FOLDER}/").casefold())


def _rank_suffix(path: str) -> tuple[int, str]:
    """Return the sort key of a path: drawings come before images of the same name."""
    suffix = f".{path.rpartition('.')[2].lower()}"
    return _ART_SUFFIXES.index(suffix), path


QR_LEVELS = ("l", "m", "q", "h")
"""Error correction levels: 7, 15, 25 or 30 % of a code may be damaged."""
_MAX_QR_LENGTH = 1000


def make_qr_svg(text: str, level: str = "m", colour: str = "#000000", quiet: int = 0) -> bytes:
    """Draw a QR code (ISO/IEC 18004) as an SVG, with `quiet` free modules around it.

    Raise ValueError if the text does not fit a code.
    """
    import segno  # noqa: PLC0415 - only where codes are printed

    if level not in QR_LEVELS:
        raise ValueError(f"level must be {', '.join(QR_LEVELS[:-1])} or {QR_LEVELS[-1]}")
    if not text or len(text) > _MAX_QR_LENGTH:
        raise ValueError(f"the text of a QR code has 1 to {_MAX_QR_LENGTH} characters")
    if not 0 <= quiet <= 8:
        raise ValueError("quiet must be 0 to 8 modules")
    try:
        code = segno.make_qr(text, error=level, boost_error=False)
        out = io.BytesIO()
        code.save(
            out, kind="svg", dark=colour, border=quiet, xmldecl=False, svgclass=None,
            lineclass=None, omitsize=False, nl=False,
        )  # fmt: skip
    except ValueError as error:
        raise ValueError(f"the QR code cannot be made: {error}") from None
    return out.getvalue()


def list_qr_modules(text: str, quiet: int) -> list[list[bool]]:
    """Return the rows of a QR code, True for dark, with `quiet` free modules around it."""
    import segno  # noqa: PLC0415 - only where codes are shown

    code = segno.make_qr(text, error="l", boost_error=False)
    return [[bool(each) for each in row] for row in code.matrix_iter(border=quiet)]
