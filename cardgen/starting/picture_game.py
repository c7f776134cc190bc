"""Games and decks from a folder of finished pictures: a card for each, printed edge to edge."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cardgen.assets import artwork, rasters
from cardgen.core.problems import Problem, Source, did_you_mean, summarise
from cardgen.core.units import CARD_SIZES, Size, parse_size
from cardgen.game.card_ids import make_id
from cardgen.game.inventory import format_count
from cardgen.pdf.preflight import printer_spec
from cardgen.runtime import game_files
from cardgen.starting import starter_files, yaml_writer
from cardgen.starting.starter_files import NewGame, NewGameRequest
from cardgen.starting.table_game import choose_deck_id

PICTURE_SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".webp", ".gif", ".tif", ".tiff", ".avif"})
_MAX_PICTURES, _MAX_LISTED = 2000, 6
_SIDE_WORD = re.compile(r"[\s_.-]*(?:\b|(?<=_))\(?(back|front|rear|reverse)s?\)?\Z", re.IGNORECASE)
_SHARED_BACK = re.compile(r"(?:card[\s_-]*)?(?:back|reverse|rear)s?\Z", re.IGNORECASE)
_TOLERANCE = 0.004
"""Difference of two proportions that are the same."""
_CROPPED = 0.02
"""Difference of the proportions of two sides of which one is cropped visibly."""
_SCREEN_WIDTH_MM, _MAX_SIDE_MM = 63.5, 1200.0
_DEFAULT_BLEED_MM = 3.0
_FRONT_TEMPLATE = """\
{# A finished picture, edge to edge. The card names it. #}
%s<div class="%s"%s><img class="sheet" src="{{ card.%s }}" alt=""></div>
"""
_OUTSET = (
    "left: -%gmm; top: -%gmm; "
    "width: calc(var(--trim-width) + %gmm); height: calc(var(--trim-height) + %gmm)"
)
"""Style of a picture whose own bleed reaches beyond the cut."""
_BLEED_LAYER = """\
{# The picture may end before the bleed does: an enlarged copy below it fills the rest. #}
<div class="bleed"><img class="sheet" src="{{ card.%s }}" alt=""></div>
"""
_STYLE = """\
.sheet { position: absolute; left: 0; top: 0; width: 100%; height: 100%; object-fit: cover }
.whole { position: absolute; left: 0; top: 0; width: var(--trim-width); height: var(--trim-height) }
"""
_GROUND = """/* Below transparent parts of a picture: the copy in the bleed must not show. */
.whole { background: white }
"""


@dataclass(frozen=True)
class _CardPicture:
    """The pictures of a card: their paths, and the sizes of both in px."""

    name: str
    front: Path
    back: Path | None
    width: int
    height: int
    back_width: int
    back_height: int
    back_bleed: float
    """The bleed in the back, mm."""
    has_alpha: bool


@dataclass
class _PictureFolder:
    """What a folder of pictures holds."""

    cards: list[_CardPicture] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    shared_back: Path | None = None
    problems: list[Problem] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    orphans: list[Path] = field(default_factory=list)
    """Backs of cards that have no front."""


def create_from_pictures(wish: NewGameRequest, folder: Path) -> tuple[NewGame, list[Problem]]:
    """Return the files of a game from a folder of pictures, or none and the errors."""
    found = _read_folder(folder, wish.size)
    if not found.cards and not found.problems:
        known = ", ".join(sorted(PICTURE_SUFFIXES))
        message = f"the folder holds no pictures; their endings are {known}"
        if found.orphans:
            message = "; ".join(found.messages)
        found.problems.append(Problem(Source(str(folder)), message, "file"))
    if found.problems:
        return NewGame(), found.problems
    groups = _group_cards(found.cards, wish.size)
    made = NewGame(languages=wish.languages or ("en",))
    taken = [Path(name).stem for name in wish.taken_files if name.endswith(".yaml")]
    for (size, bleed), cards in groups.items():
        words = wish.deck or folder.resolve().name
        title = f"{words} {size}" if made.decks else words
        is_named = wish.deck and not made.decks
        deck = wish.deck if is_named else choose_deck_id(title, [*made.decks, *taken])
        made.decks.append(deck)
        _add_picture_deck(made, deck, (size, bleed), cards, found.shared_back)
    made.deck = made.decks[0]
    for path in found.orphans:
        made.pictures[f"art/{made.deck}/{_make_picture_id(path)}{path.suffix.lower()}"] = path
    made.messages += found.messages
    if found.others:
        listed = summarise(found.others, _MAX_LISTED)
        made.messages.append(f"not used, since they are no pictures of cards: {listed}")
    starter_files.add_game_file(made, wish, {})
    starter_files.add_book_and_table(made, wish)
    return made, []


def _read_folder(folder: Path, asked: str) -> _PictureFolder:
    """Return the cards of a folder. `NAME-back` is the back of `NAME`, `back` that of all."""
    found = _PictureFolder()
    paths = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    pictures = [path for path in paths if path.suffix.lower() in PICTURE_SUFFIXES]
    found.others = [path.name for path in paths if path not in pictures]
    if len(pictures) > _MAX_PICTURES:
        message = f"the folder holds {len(pictures)} pictures; {_MAX_PICTURES} are the most"
        found.problems.append(Problem(Source(str(folder)), message, "bounds"))
        return found
    fronts: dict[str, Path] = {}
    backs: dict[str, Path] = {}
    shared: dict[str, Path] = {}
    for path in pictures:
        stem = unicodedata.normalize("NFC", path.stem)
        side = _SIDE_WORD.search(stem)
        if _SHARED_BACK.match(stem):
            _add_side(found, shared, "", path)
        elif side and side.start() and side[1].lower() != "front":
            _add_side(found, backs, stem[: side.start()].lower(), path)
        else:
            name = stem[: side.start()] if side and side.start() else stem
            taken = {*map(str.lower, fronts)}
            _add_side(found, fronts, stem if name.lower() in taken else name, path)
    found.shared_back = shared.get("")
    _find_orphans(found, fronts, backs)
    for name, path in fronts.items():
        size = _measure_picture(path, found.problems)
        behind = backs.get(name.lower(), found.shared_back)
        behind_size = (behind and _measure_picture(behind, found.problems)) or size
        if size and behind_size:
            *sides, has_alpha = behind_size
            back, bleed = backs.get(name.lower()), guess_card_size(sides[0], sides[1], asked)[1]
            found.cards.append(
                _CardPicture(name, path, back, *size[:2], *behind_size[:2], bleed,
                             size[2] or has_alpha)
            )  # fmt: skip
    found.problems = list(dict.fromkeys(found.problems))
    return found


def _add_side(found: _PictureFolder, sides: dict[str, Path], name: str, path: Path) -> None:
    """Add a picture to those of a side by their names. The first of a name is used."""
    if name in sides:
        found.messages.append(f"{path.name} is not used, {sides[name].name} is: remove one of them")
    else:
        sides[name] = path


def _find_orphans(
    found: _PictureFolder, fronts: Mapping[str, Path], backs: Mapping[str, Path]
) -> None:
    """Report the backs of cards that have no front."""
    names = {name.lower() for name in fronts}
    for name, path in backs.items():
        if name not in names:
            found.orphans.append(path)
            hint = did_you_mean(name, names - set(backs))
            hint = hint if "did you mean" in hint else ""
            message = f"{path.name} is not used, since there is no picture '{name}' for this back"
            found.messages.append(f"{message}{hint}")


def _make_picture_id(path: Path) -> str:
    return make_id(unicodedata.normalize("NFC", path.stem), ()) or "back"


def _measure_picture(path: Path, problems: list[Problem]) -> tuple[int, int, bool] | None:
    """Return the size of a picture in px, and whether it has transparency; None where it cannot be
    used, which is reported."""
    try:
        picture = rasters.examine_raster(game_files.read_file(path, artwork.MAX_BYTES))
    except rasters.UnusableRasterError as error:
        problems.append(Problem(Source(str(path)), f"the picture {error}", "art"))
    except game_files.UnreadableError as error:
        problems.append(Problem(Source(str(path)), f"the file {error}", "file"))
    else:
        return picture.width, picture.height, picture.has_alpha
    return None


def _group_cards(
    cards: Sequence[_CardPicture], asked: str
) -> dict[tuple[str, float], list[_CardPicture]]:
    """Return the cards by their size, as a deck writes it, and the bleed in their pictures; the
    largest group first."""
    groups: dict[tuple[str, float], list[_CardPicture]] = {}
    for card in cards:
        key = guess_card_size(card.width, card.height, asked)
        groups.setdefault(key, []).append(card)
    return dict(sorted(groups.items(), key=lambda group: -len(group[1])))


def guess_card_size(width: int, height: int, asked: str = "") -> tuple[str, float]:
    """Return the size of the card on a picture of so many px, and the bleed in it in mm.

    A picture with the proportions of a shop's card and its bleed has that bleed. Any other is taken
    to end at the cut: for the named size that is nearest, or one of its own.
    """
    turned = " landscape" if width > height else ""
    short, long = sorted((width, height))
    if asked:
        size = parse_size(asked, CARD_SIZES)
        assert size is not None
        sides = sorted((size.width, size.height))
        candidates = [(sides[0], sides[1], asked, bleed) for _, _, _, bleed in _list_bleeds()]
        candidates.append((sides[0], sides[1], asked, 0.0))
        found = min(candidates, key=lambda each: _measure_misfit(short, long, each))
        return asked, found[3]
    for with_bleed in (True, False):
        candidates = list(_list_bleeds() if with_bleed else _list_sizes())
        found = min(candidates, key=lambda each: _measure_misfit(short, long, each))
        is_square = short * (1 + _TOLERANCE) > long
        if with_bleed and is_square:
            continue  # bleed changes no proportions of a square
        if _measure_misfit(short, long, found) <= _TOLERANCE:
            return f"{found[2]}{turned}", found[3]
    across = _SCREEN_WIDTH_MM
    down = min(_MAX_SIDE_MM, round(across * long / short, 2))
    return (f"{down:g} x {across:g}" if turned else f"{across:g} x {down:g}"), 0.0


def _measure_misfit(short: int, long: int, card: tuple[float, float, str, float]) -> float:
    across, down, _, bleed = card
    wanted = (across + 2 * bleed) / (down + 2 * bleed)
    return abs(short / long / wanted - 1)


def _list_sizes() -> Iterator[tuple[float, float, str, float]]:
    """Yield the named sizes that cards have."""
    for name, (width, height) in CARD_SIZES.items():
        yield width, height, name, 0.0


def _list_bleeds() -> Iterator[tuple[float, float, str, float]]:
    """Yield the cards of print shops that have a name here, with the shop's bleed."""
    for shop in printer_spec.load_shops().values():
        for size in shop.sizes.values():
            name = next((name for name, sides in CARD_SIZES.items()
                         if Size(*sides).measure_difference(size) < 0.1), "")  # fmt: skip
            if name and shop.bleed:
                yield (*CARD_SIZES[name], name, shop.bleed)


def _add_picture_deck(
    made: NewGame,
    deck: str,
    shape: tuple[str, float],
    cards: Sequence[_CardPicture],
    shared_back: Path | None,
) -> None:
    """Add a deck with its templates, its style and the pictures to copy."""
    size, bleed = shape
    entries = [*_list_entries(made, deck, cards, shared_back)]
    with_back = [entry for entry in entries if "reverse" in entry]
    has_bleed = f"with {bleed:g} mm of bleed" if bleed else "without bleed"
    count = format_count(len(cards), "card")
    made.messages.append(f"{deck}: {count} of the size {size}, {has_bleed}")
    if with_back and len(with_back) < len(entries):
        bare = [str(entry["id"]) for entry in entries if entry not in with_back]
        made.messages.append(f"{deck}: no back was found for {summarise(bare, _MAX_LISTED)}")
    made.add_text(f"templates/{deck}.html", _format_template("picture", bleed, bleed))
    if with_back:
        back_bleed = _choose_back_bleed(made, deck, size, cards)
        text = _format_template("reverse", back_bleed, bleed)
        text = f"{{% if card.reverse %}}\n{text}{{% endif %}}\n"
        made.add_text(f"templates/{deck}-back.html", text)
    ground = _GROUND if any(card.has_alpha for card in cards) else ""
    made.add_text(f"templates/{deck}.css", _STYLE + ground)
    title = starter_files.repeat_text(starter_files.derive_title(deck, "Cards"), made.languages)
    keys: dict[str, Any] = {
        "deck": deck, "title": title, "size": size, "bleed": bleed or _DEFAULT_BLEED_MM,
        "front": f"{deck}.html", **({"back": f"{deck}-back.html"} if with_back else {}),
        "styles": [f"{deck}.css"],
    }  # fmt: skip
    reverse = {"reverse": "string"} if with_back else {}
    made.add_text(
        f"cards/{deck}.yaml",
        "# A deck of finished pictures. 'cardgen build' after every edit.",
        yaml_writer.format_block(keys),
        "",
        "fields:",
        yaml_writer.format_block({"name": "text", "picture": "string", **reverse}, 2),
        "",
        "# copies: 2 prints a card twice.",
        "cards:",
        *map(yaml_writer.format_entry, entries),
    )


def _format_template(name: str, own_bleed: float, bleed: float) -> str:
    """Return a template for the picture of a field that holds so many mm of bleed itself.

    `bleed` is that in the fronts of the deck.
    """
    if own_bleed == bleed > 0:
        return _FRONT_TEMPLATE % ("", "bleed", "", name)
    layer = _BLEED_LAYER % name
    style = f' style="{_OUTSET % ((own_bleed,) * 2 + (2 * own_bleed,) * 2)}"' if own_bleed else ""
    return _FRONT_TEMPLATE % (layer, "whole", style, name)


def _choose_back_bleed(made: NewGame, deck: str, size: str, cards: Sequence[_CardPicture]) -> float:
    """Return the bleed in most backs of a deck, in mm; report those that it crops."""
    bleed = Counter(card.back_bleed for card in cards).most_common(1)[0][0]
    others = [card.name for card in cards if card.back_bleed != bleed]
    if others:
        message = (
            f"{deck}: backs with another bleed than {bleed:g} mm are printed as if they had it"
        )
        made.messages.append(f"{message}: {summarise(others, _MAX_LISTED)}")
    sides = parse_size(size, CARD_SIZES)
    assert sides is not None
    wanted = (sides.width + 2 * bleed) / (sides.height + 2 * bleed)
    if cropped := [
        card.name
        for card in cards
        if card.name not in others
        and abs(card.back_width / card.back_height / wanted - 1) > _CROPPED
    ]:
        made.messages.append(
            f"{deck}: backs with other proportions are cropped: {summarise(cropped, _MAX_LISTED)}"
        )
    return bleed


def _list_entries(
    made: NewGame, deck: str, cards: Sequence[_CardPicture], shared_back: Path | None
) -> Iterator[Mapping[str, Any]]:
    """Yield the cards of a deck as its file holds them. Add their pictures to those to copy."""
    taken: set[str] = set()
    for number, card in enumerate(cards, start=1):
        card_id = make_id(card.name, taken) or make_id(f"card {number}", taken)
        taken.add(card_id)
        entry: dict[str, Any] = {
            "id": card_id,
            "name": starter_files.repeat_text(
                starter_files.derive_title(card.name, card_id), made.languages
            ),
            "picture": f"art/{deck}/{card_id}{card.front.suffix.lower()}",
        }
        made.pictures[entry["picture"]] = card.front
        back = card.back or shared_back
        if back is not None:
            name = f"{card_id}-back" if card.back else "shared-back"
            entry["reverse"] = f"art/{deck}/{name}{back.suffix.lower()}"
            made.pictures[entry["reverse"]] = back
        yield entry
