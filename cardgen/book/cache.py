"""Written books, kept in the store: a build that changes no text and no card writes none again."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from cardgen.assets import artwork
from cardgen.assets.artwork import Art, Unusable
from cardgen.base import code_digest, guard, paths
from cardgen.base.guard import Stopped
from cardgen.base.paths import Changed
from cardgen.base.problems import Problem, Source, has_errors, kept_problems, packed
from cardgen.base.store import Store, digest_of
from cardgen.book import editions
from cardgen.book.editions import Books, Selection
from cardgen.book.manuscript import FOLDER
from cardgen.book.model import FORMATS, Book, Entry, FaceId
from cardgen.game.face_facts import NOTHING, FaceFacts, Known
from cardgen.game.model import Game

_SECONDS = 8.0


class _Looked:
    """What is known of faces, with a note of the places that were asked for."""

    def __init__(self, known: Known) -> None:
        self._known = known
        self.asked: dict[tuple[str, str, str, str], str] = {}

    def facts(self, deck: str, card: str, side: str, language: str) -> FaceFacts | None:
        """Those of a face."""
        found = self._known.facts(deck, card, side, language)
        self.asked[deck, card, side, language] = _places(found)
        return found

    def contrasts(self, deck: str, card: str, side: str, language: str) -> tuple[float, ...] | None:
        """Those of a face's texts, which no book asks for."""
        return self._known.contrasts(deck, card, side, language)


def _places(facts: FaceFacts | None) -> str:
    """The hash of where a face's places are."""
    return digest_of([repr(sorted(facts.places.items()))]) if facts else ""


def books_of(
    game: Game, wanted: Selection, glyphs: frozenset[int], store: Store, known: Known = NOTHING
) -> Books:
    """The books that are meant, from the store where nothing they come from has changed. `known`
    tells where the places of faces are."""
    result = Books()
    shared = digest_of([_shared(game, glyphs), *wanted.editions, "", *wanted.formats])
    in_use = set()
    for language in wanted.languages:
        path = store.path("manuscripts", f"{_key(game, language, shared)}.json")
        in_use.add(path.name)
        made = _unpacked(game, store.read_json(path), known)
        if made is None:
            looked = _Looked(known)
            made = _written(game, replace(wanted, languages=(language,)), glyphs, looked)
            if _key(game, language, shared) != path.stem:
                raise Changed(_file(language))
            # A picture that cannot be used, or a file: no key tells when it is mended.
            if not has_errors(made.problems):
                store.write_json(path, _packed(made, looked))
        result.books += made.books
        result.problems += made.problems
    store.sweep("manuscripts", in_use, 3 * len(in_use) + 12)
    return result


def _written(game: Game, wanted: Selection, glyphs: frozenset[int], known: Known) -> Books:
    (language,) = wanted.languages
    source = Source(_file(language))
    try:
        with guard.at(f"{source}: writing", _SECONDS):
            return editions.write(game, wanted, glyphs, known)
    except Stopped as error:
        message = f"the book cannot be written: {error}"
        return Books([], [Problem(source, message, "bounds")])


def _shared(game: Game, glyphs: frozenset[int]) -> str:
    """The hash of all that a book may draw on but its own file and its pictures, of which the
    book itself tells the bytes."""
    data = repr(replace(game, root=game.root.__class__()))
    art = paths.listed(game.root, "art")
    return digest_of([code_digest.digest("book"), data, *art, "", *map(str, sorted(glyphs))])


def _file(language: str) -> str:
    return f"{FOLDER}/{language}.md"


def _key(game: Game, language: str, shared: str) -> str:
    text, why = paths.read_text(game.root, _file(language))
    others = paths.listed(game.root, FOLDER, ".md", deep=False)
    return digest_of([shared, language, text, why, *others])


def _packed(made: Books, looked: _Looked) -> dict[str, Any]:
    books = []
    for each in made.books:
        art = [[a.name, a.digest] for a in each.art]
        fields = {**asdict(each), "format": each.format.name, "art": art}
        books.append(fields)
    places = [[*face, digest] for face, digest in looked.asked.items()]
    return {"books": books, "problems": packed(made.problems), "places": places}


def _unpacked(game: Game, kept: Any, known: Known) -> Books | None:
    if not isinstance(kept, dict):
        return None
    try:
        books = [_book(game, fields) for fields in kept["books"]]
        if any(_places(known.facts(*face)) != digest for *face, digest in kept["places"]):
            return None
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
