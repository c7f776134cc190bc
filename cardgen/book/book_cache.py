"""Written books, kept in the store: a build that changes no text and no card writes none again."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from cardgen.assets import artwork
from cardgen.assets.artwork import Art, UnusableArtError
from cardgen.book import editions
from cardgen.book.editions import BookSelection, WrittenBooks
from cardgen.book.manuscript import RULEBOOK_FOLDER
from cardgen.book.model import PAGE_FORMATS, Book, FaceId, IndexEntry
from cardgen.core import work_limits
from cardgen.core.problems import Problem, Source, has_errors, parse_problems, serialize_problems
from cardgen.core.work_limits import LimitExceededError
from cardgen.game.face_facts import NO_FACE_FACTS, FaceFacts, FaceFactsSource
from cardgen.game.model import Game
from cardgen.runtime import code_version, game_files
from cardgen.runtime.content_store import Store, digest_parts
from cardgen.runtime.game_files import FileChangedError

_WRITING_LIMIT_SECONDS = 8.0


class _RecordingFacts:
    """What is known of faces, with a note of the places that were asked for."""

    def __init__(self, known: FaceFactsSource) -> None:
        self._known = known
        self.place_digests: dict[tuple[str, str, str, str], str] = {}

    def get_facts(self, deck: str, card: str, side: str, language: str) -> FaceFacts | None:
        """Those of a face."""
        found = self._known.get_facts(deck, card, side, language)
        self.place_digests[deck, card, side, language] = _digest_places(found)
        return found

    def get_contrasts(
        self, deck: str, card: str, side: str, language: str
    ) -> tuple[float, ...] | None:
        """Those of a face's texts, which no book asks for."""
        return self._known.get_contrasts(deck, card, side, language)


def _digest_places(facts: FaceFacts | None) -> str:
    """The hash of where a face's places are."""
    return digest_parts([repr(sorted(facts.places.items()))]) if facts else ""


def load_books(
    game: Game,
    wanted: BookSelection,
    glyphs: frozenset[int],
    store: Store,
    known: FaceFactsSource = NO_FACE_FACTS,
) -> WrittenBooks:
    """The books that are meant, from the store where nothing they come from has changed. `known`
    tells where the places of faces are."""
    result = WrittenBooks()
    shared = digest_parts([_digest_shared_inputs(game, glyphs), *wanted.names])
    in_use = set()
    for language in wanted.languages:
        path = store.get_path("manuscripts", f"{_compute_key(game, language, shared)}.json")
        in_use.add(path.name)
        made = _unpack_books(game, store.read_json(path), known)
        if made is None:
            looked = _RecordingFacts(known)
            made = _write_limited(game, replace(wanted, languages=(language,)), glyphs, looked)
            if _compute_key(game, language, shared) != path.stem:
                raise FileChangedError(_name_manuscript(language))
            # A picture that cannot be used, or a file: no key tells when it is mended.
            if not has_errors(made.problems):
                store.write_json(path, _pack_books(made, looked))
        result.books += made.books
        result.problems += made.problems
    store.remove_unused("manuscripts", in_use, 3 * len(in_use) + 12)
    return result


def _write_limited(
    game: Game, wanted: BookSelection, glyphs: frozenset[int], known: FaceFactsSource
) -> WrittenBooks:
    (language,) = wanted.languages
    source = Source(_name_manuscript(language))
    try:
        with work_limits.work_limit(f"{source}: writing", _WRITING_LIMIT_SECONDS):
            return editions.write_books(game, wanted, glyphs, known)
    except LimitExceededError as error:
        message = f"the book cannot be written: {error}"
        return WrittenBooks([], [Problem(source, message, "bounds")])


def _digest_shared_inputs(game: Game, glyphs: frozenset[int]) -> str:
    """The hash of all that a book may draw on but its own file and its pictures, of which the
    book itself tells the bytes."""
    data = repr(replace(game, root=game.root.__class__()))
    art = game_files.list_files(game.root, "art")
    return digest_parts(
        [code_version.digest_code("book"), data, *art, "", *map(str, sorted(glyphs))]
    )


def _name_manuscript(language: str) -> str:
    return f"{RULEBOOK_FOLDER}/{language}.md"


def _compute_key(game: Game, language: str, shared: str) -> str:
    text, why = game_files.read_text(game.root, _name_manuscript(language))
    others = game_files.list_files(game.root, RULEBOOK_FOLDER, ".md", deep=False)
    return digest_parts([shared, language, text, why, *others])


def _pack_books(made: WrittenBooks, looked: _RecordingFacts) -> dict[str, Any]:
    books = []
    for each in made.books:
        art = [[a.name, a.digest] for a in each.art]
        fields = {**asdict(each), "format": each.format.name, "art": art}
        books.append(fields)
    places = [[*face, digest] for face, digest in looked.place_digests.items()]
    return {"books": books, "problems": serialize_problems(made.problems), "places": places}


def _unpack_books(game: Game, kept: Any, known: FaceFactsSource) -> WrittenBooks | None:
    if not isinstance(kept, dict):
        return None
    try:
        books = [_unpack_book(game, fields) for fields in kept["books"]]
        if any(
            _digest_places(known.get_facts(*face)) != digest for *face, digest in kept["places"]
        ):
            return None
    except (AttributeError, LookupError, TypeError, ValueError, UnusableArtError):
        return None
    problems = parse_problems(kept.get("problems"))
    return None if problems is None else WrittenBooks(books, problems)


def _unpack_book(game: Game, fields: dict[str, Any]) -> Book:
    return Book(**{
        **fields,
        "format": PAGE_FORMATS[fields["format"]],
        "index": tuple(IndexEntry(e["headword"], tuple(e["anchors"])) for e in fields["index"]),
        "faces": tuple(FaceId(**face) for face in fields["faces"]),
        "alts": tuple(fields["alts"]),
        "art": tuple(_load_unchanged_art(game, *picture) for picture in fields["art"]),
    })  # fmt: skip


def _load_unchanged_art(game: Game, name: str, digest: str) -> Art:
    """The picture that a book was written with. Raises `Unusable` when it is another by now."""
    art = artwork.load_art(game.root, name)
    if art.digest != digest:
        raise UnusableArtError(f"{name} is another picture")
    return art
