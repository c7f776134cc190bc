"""Written books, kept in the store: a build that changes no text and no card writes none again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, replace
from typing import Any

from cardgen import artwork
from cardgen.artwork import Unusable
from cardgen.book import book
from cardgen.book.book import Books
from cardgen.book.manuscript import FOLDER
from cardgen.book.model import FORMATS, Book, Entry, FaceId
from cardgen.model import Game
from cardgen.problems import Problem, Source
from cardgen.store import Store, digest_of


def books_of(
    game: Game, languages: Iterable[str], glyphs: frozenset[int], store: Store, engine: str
) -> Books:
    """The books of these languages, from the store where nothing they come from has changed.

    `engine` is the hash of cardgen itself.
    """
    result = Books()
    shared = _shared(game, glyphs, engine)
    in_use = set()
    for language in languages:
        path = store.path("manuscripts", f"{_key(game, language, shared)}.json")
        in_use.add(path.name)
        made = _unpacked(game, store.read_json(path))
        if made is None:
            made = book.write(game, [language], glyphs)
            store.write_json(path, _packed(made))
        result.books += made.books
        result.problems += made.problems
    store.sweep("manuscripts", in_use, 3 * len(in_use) + 12)
    return result


def _shared(game: Game, glyphs: frozenset[int], engine: str) -> str:
    """The hash of all that a book may draw on but its own file."""
    data = repr(replace(game, root=game.root.__class__()))
    files = sorted((game.root / "art").rglob("*.*"))
    art = [f"{path.relative_to(game.root)} {_stamp(path)}" for path in files]
    return digest_of([engine, data, *art, *map(str, sorted(glyphs))])


def _stamp(path: Any) -> str:
    status = path.lstat()
    return f"{status.st_mtime_ns} {status.st_size}"


def _key(game: Game, language: str, shared: str) -> str:
    path = game.root / FOLDER / f"{language}.md"
    text = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
    others = sorted(p.name for p in (game.root / FOLDER).glob("*.md"))
    stamp = _stamp(path) if path.is_symlink() else ""
    return digest_of([shared, language, text, stamp, *others])


def _packed(made: Books) -> dict[str, Any]:
    books = []
    for each in made.books:
        fields = {**asdict(each), "format": each.format.name, "art": [a.name for a in each.art]}
        books.append(fields)
    return {"books": books, "problems": [asdict(problem) for problem in made.problems]}


def _unpacked(game: Game, kept: Any) -> Books | None:
    if not isinstance(kept, dict):
        return None
    try:
        books = [_book(game, fields) for fields in kept["books"]]
        problems = [
            Problem(**{**fields, "source": Source(**fields["source"])})
            for fields in kept["problems"]
        ]
    except (KeyError, TypeError, Unusable):
        return None
    return Books(books, problems)


def _book(game: Game, fields: dict[str, Any]) -> Book:
    return Book(**{
        **fields,
        "format": FORMATS[fields["format"]],
        "index": tuple(Entry(e["headword"], tuple(e["anchors"])) for e in fields["index"]),
        "faces": tuple(FaceId(**face) for face in fields["faces"]),
        "art": tuple(artwork.look(game.root, name) for name in fields["art"]),
    })  # fmt: skip
