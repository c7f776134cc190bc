"""Written books in the store, so that a build whose texts and cards are unchanged writes none."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from cardgen.assets import artwork
from cardgen.assets.artwork import Art, UnusableArtError
from cardgen.book import editions
from cardgen.book.manuscript import RULEBOOK_FOLDER
from cardgen.book.model import PAGE_FORMATS, Book, BookSelection, FaceId, IndexEntry, WrittenBooks
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
    """Facts about faces that record the places of every face that is looked up."""

    def __init__(self, known: FaceFactsSource) -> None:
        self._known = known
        self.place_digests: dict[tuple[str, str, str, str], str] = {}

    def get_facts(self, deck: str, card: str, side: str, language: str) -> FaceFacts | None:
        """Return the facts about a face, and record its places."""
        facts = self._known.get_facts(deck, card, side, language)
        self.place_digests[deck, card, side, language] = _digest_places(facts)
        return facts

    def get_contrasts(
        self, deck: str, card: str, side: str, language: str
    ) -> tuple[float, ...] | None:
        """Return the contrasts of a face's texts, which no book looks up."""
        return self._known.get_contrasts(deck, card, side, language)


def _digest_places(facts: FaceFacts | None) -> str:
    """Return the hash of a face's places."""
    return digest_parts([repr(sorted(facts.places.items()))]) if facts else ""


def load_books(
    game: Game,
    selection: BookSelection,
    glyphs: frozenset[int],
    store: Store,
    face_facts: FaceFactsSource = NO_FACE_FACTS,
) -> WrittenBooks:
    """Return the selected books, from the store where nothing that they depend on has changed."""
    result = WrittenBooks()
    shared = digest_parts([_digest_shared_inputs(game, glyphs), *selection.names])
    in_use = set()
    for language in selection.languages:
        path = store.get_path("manuscripts", f"{_compute_key(game, language, shared)}.json")
        in_use.add(path.name)
        written = _unpack_books(game, store.read_json(path), face_facts)
        if written is None:
            looked = _RecordingFacts(face_facts)
            written = _write_limited(
                game, replace(selection, languages=(language,)), glyphs, looked
            )
            if _compute_key(game, language, shared) != path.stem:
                raise FileChangedError(_name_manuscript(language))
            # Books with errors are not stored: no key would change when a missing file appears.
            if not has_errors(written.problems):
                store.write_json(path, _pack_books(written, looked))
        result.books += written.books
        result.problems += written.problems
    store.remove_unused("manuscripts", in_use, 3 * len(in_use) + 12)
    return result


def _write_limited(
    game: Game, selection: BookSelection, glyphs: frozenset[int], face_facts: FaceFactsSource
) -> WrittenBooks:
    (language,) = selection.languages
    source = Source(_name_manuscript(language))
    try:
        with work_limits.work_limit(f"{source}: writing", _WRITING_LIMIT_SECONDS):
            return editions.write_books(game, selection, glyphs, face_facts)
    except LimitExceededError as error:
        message = f"the book cannot be written: {error}"
        return WrittenBooks([], [Problem(source, message, "bounds")])


def _digest_shared_inputs(game: Game, glyphs: frozenset[int]) -> str:
    """Return the hash of everything a book may use except its own file and its pictures.

    The pictures are part of the written book, with their own hashes.
    """
    data = repr(replace(game, root=game.root.__class__()))
    art = game_files.list_files(game.root, "art")
    return digest_parts(
        [code_version.digest_code("book"), data, *art, "", *map(str, sorted(glyphs))]
    )


def _name_manuscript(language: str) -> str:
    return f"{RULEBOOK_FOLDER}/{language}.md"


def _compute_key(game: Game, language: str, shared: str) -> str:
    text, error = game_files.read_text(game.root, _name_manuscript(language))
    names = game_files.list_files(game.root, RULEBOOK_FOLDER, ".md", deep=False)
    return digest_parts([shared, language, text, error, *names])


def _pack_books(written: WrittenBooks, looked: _RecordingFacts) -> dict[str, Any]:
    books = []
    for book in written.books:
        art = [[a.name, a.digest] for a in book.art]
        fields = {**asdict(book), "format": book.format.name, "art": art}
        books.append(fields)
    places = [[*face, digest] for face, digest in looked.place_digests.items()]
    return {"books": books, "problems": serialize_problems(written.problems), "places": places}


def _unpack_books(game: Game, stored: Any, face_facts: FaceFactsSource) -> WrittenBooks | None:
    if not isinstance(stored, dict):
        return None
    try:
        books = [_unpack_book(game, fields) for fields in stored["books"]]
        if any(
            _digest_places(face_facts.get_facts(*face)) != digest
            for *face, digest in stored["places"]
        ):
            return None
    except (AttributeError, LookupError, TypeError, ValueError, UnusableArtError):
        return None
    problems = parse_problems(stored.get("problems"))
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
    """Return the picture that a book was written with. Raise UnusableArtError if it has changed."""
    art = artwork.load_art(game.root, name)
    if art.digest != digest:
        raise UnusableArtError(f"{name} changed while the book was being made; build again")
    return art
