"""Written books, kept in the store: a build that changes no text and no card writes none again."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from cardgen.assets import artwork
from cardgen.assets.artwork import Art, Unusable
from cardgen.base import guard, paths
from cardgen.base.guard import Stopped
from cardgen.base.paths import Changed
from cardgen.base.problems import Problem, Source, has_errors, kept_problems, packed
from cardgen.base.store import Store, digest_of
from cardgen.book import editions
from cardgen.book.editions import Books, Selection
from cardgen.book.manuscript import FOLDER
from cardgen.book.model import FORMATS, Book, Entry, FaceId
from cardgen.game.model import Game

_SECONDS = 8.0


def books_of(
    game: Game, wanted: Selection, glyphs: frozenset[int], store: Store, engine: str
) -> Books:
    """The books that are meant, from the store where nothing they come from has changed.

    `engine` is the hash of cardgen itself.
    """
    result = Books()
    shared = digest_of([_shared(game, glyphs, engine), *wanted.editions, "", *wanted.formats])
    in_use = set()
    for language in wanted.languages:
        path = store.path("manuscripts", f"{_key(game, language, shared)}.json")
        in_use.add(path.name)
        made = _unpacked(game, store.read_json(path))
        if made is None:
            made = _written(game, replace(wanted, languages=(language,)), glyphs)
            if _key(game, language, shared) != path.stem:
                raise Changed(_file(language))
            # A picture that cannot be used, or a file: no key tells when it is mended.
            if not has_errors(made.problems):
                store.write_json(path, _packed(made))
        result.books += made.books
        result.problems += made.problems
    store.sweep("manuscripts", in_use, 3 * len(in_use) + 12)
    return result


def _written(game: Game, wanted: Selection, glyphs: frozenset[int]) -> Books:
    (language,) = wanted.languages
    source = Source(_file(language))
    try:
        with guard.at(f"{source}: writing", _SECONDS):
            return editions.write(game, wanted, glyphs)
    except Stopped as error:
        message = f"the book cannot be written: {error}"
        return Books([], [Problem(source, message, "bounds")])


def _shared(game: Game, glyphs: frozenset[int], engine: str) -> str:
    """The hash of all that a book may draw on but its own file and its pictures, of which the
    book itself tells the bytes."""
    data = repr(replace(game, root=game.root.__class__()))
    art = paths.listed(game.root, "art")
    return digest_of([engine, data, *art, "", *map(str, sorted(glyphs))])


def _file(language: str) -> str:
    return f"{FOLDER}/{language}.md"


def _key(game: Game, language: str, shared: str) -> str:
    text, why = paths.read_text(game.root, _file(language))
    others = paths.listed(game.root, FOLDER, ".md", deep=False)
    return digest_of([shared, language, text, why, *others])


def _packed(made: Books) -> dict[str, Any]:
    books = []
    for each in made.books:
        art = [[a.name, a.digest] for a in each.art]
        fields = {**asdict(each), "format": each.format.name, "art": art}
        books.append(fields)
    return {"books": books, "problems": packed(made.problems)}


def _unpacked(game: Game, kept: Any) -> Books | None:
    if not isinstance(kept, dict):
        return None
    try:
        books = [_book(game, fields) for fields in kept["books"]]
    except (AttributeError, LookupError, TypeError, ValueError, Unusable):
        return None
    problems = kept_problems(kept.get("problems"))
    return None if problems is None else Books(books, problems)


def _book(game: Game, fields: dict[str, Any]) -> Book:
    return Book(**{
        **fields,
        "format": FORMATS[fields["format"]],
        "index": tuple(Entry(e["headword"], tuple(e["anchors"])) for e in fields["index"]),
        "faces": tuple(FaceId(**face) for face in fields["faces"]),
        "alts": tuple(fields["alts"]),
        "art": tuple(_same(game, *picture) for picture in fields["art"]),
    })  # fmt: skip


def _same(game: Game, name: str, digest: str) -> Art:
    """The picture that a book was written with. Raises `Unusable` when it is another by now."""
    art = artwork.look(game.root, name)
    if art.digest != digest:
        raise Unusable(f"{name} is another picture")
    return art
