"""Faces: every side of every piece in every language, typeset once and kept by content hash.

`order` renders the templates (fast, always); `make` typesets those the store does not hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardgen import artwork, paths
from cardgen.artwork import Art, Unusable
from cardgen.cores import spread
from cardgen.fontfiles import FontSet
from cardgen.model import Deck, Game, Piece
from cardgen.problems import Problem, Severity, Source, did_you_mean, line_of
from cardgen.renders import Renders
from cardgen.store import Store, digest_of
from cardgen.templates import FOLDER, Templates

if TYPE_CHECKING:
    from cardgen.pdf.press import Remark
    from cardgen.pdf.typeset import Order, Setting

CHUNK = 25
_ALONE = 12
"""Up to so many stale faces are set in this process: starting helpers costs more."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Face:
    """One side of a piece in one language. Faces of the same `key` are the same picture."""

    deck: Deck
    piece: Piece
    side: str
    language: str
    key: str
    art: tuple[Art, ...]
    html: Callable[[], str] = field(compare=False)
    """Makes the HTML, which only a face that is set anew needs."""

    @property
    def digest(self) -> str:
        """The hash of all that decides how the face looks, drawings included."""
        return digest_of([self.key, *(art.digest for art in self.art)])


@dataclass
class Faces:
    """All faces of a build, and what is wrong with them."""

    fonts: FontSet
    faces: list[Face] = field(default_factory=list)
    rendered: set[str] = field(default_factory=set)
    problems: list[Problem] = field(default_factory=list)
    typeset: int = 0

    def of(self, deck: Deck, language: str, side: str) -> list[Face]:
        """The faces of a deck's side in a language, in the order of its pieces."""
        return [
            face
            for face in self.faces
            if face.deck.id == deck.id and face.language == language and face.side == side
        ]

    def backs(self, deck_id: str) -> dict[str, list[str]]:
        """The different backs of a deck: each look in each language, and the cards that have it."""
        looks: dict[str, list[str]] = {}
        for face in self.faces:
            if face.deck.id == deck_id and face.side == "back":
                looks.setdefault(f"{face.language} {face.digest}", []).append(face.piece.id)
        return looks


@lru_cache(maxsize=1)
def engine_digest() -> str:
    """The hash of cardgen's own code: whatever a new version changes is made again."""
    folder = Path(__file__).parent
    files = sorted(path for end in ("py", "conf", "css") for path in folder.rglob(f"*.{end}"))
    return digest_of(path.read_bytes() for path in files)


def order(
    game: Game, fonts: FontSet, decks: Iterable[Deck], languages: Iterable[str], store: Store
) -> Faces:
    """Render the templates of every face asked for. Nothing is typeset; drawings that templates
    make are kept in the store."""
    result = Faces(fonts)
    renders = Renders(Templates(game), store, engine_digest())
    look = cache(partial(_look, renders))  # many faces share their pictures
    languages = tuple(languages)
    for deck in decks:
        styles = _styles(game, deck, result.problems)
        shared = _shared_key(game, deck, fonts, styles)
        style_art = [
            art
            for name, text in styles
            for art in _art(
                artwork.references(text), look, result.problems, partial(_in_style, name, text)
            )
        ]
        for language in languages:
            for render in renders.of(deck, language):
                html = partial(renders.html, deck, render.piece, render.side, language)
                blame = partial(_in_face, game.root, html, render.piece)
                found = _art(render.pictures, look, result.problems, blame)
                art = (*style_art, *found)
                key = digest_of([shared, language, render.digest, *map(_art_key, art)])
                face = Face(deck, render.piece, render.side, language, key, art, html)
                result.faces.append(face)
    result.problems += renders.templates.problems
    result.rendered = renders.used
    return result


def _look(renders: Renders, written: str) -> Art:
    template = renders.drawn.get(written)
    if template is None:
        return artwork.named(renders.templates.game.root, written)
    return artwork.drawn(written, renders.path_of(written), f"{FOLDER}/{template}")


def _styles(game: Game, deck: Deck, problems: list[Problem]) -> list[tuple[str, str]]:
    found = []
    for name in deck.styles:
        text, why = paths.read_text(game.root, f"{FOLDER}/{name}")
        if why:
            folder = game.root / FOLDER
            known = [path.relative_to(folder).as_posix() for path in folder.rglob("*.css")]
            hint = did_you_mean(name, known) if "missing" in why else ""
            source = deck.sources.get("styles", deck.source)
            problems.append(Problem(source, f"{FOLDER}/{name} {why}{hint}", "template"))
            continue
        if "@page" in text:
            source = Source(f"{FOLDER}/{name}", line_of(text, "@page"))
            message = "@page is cardgen's own; a deck's size and bleed stand in its file"
            problems.append(Problem(source, message, "css"))
        found.append((f"{FOLDER}/{name}", text))
    return found


def _shared_key(game: Game, deck: Deck, fonts: FontSet, styles: list[tuple[str, str]]) -> str:
    geometry = f"{deck.size.width} {deck.size.height} {deck.bleed} {deck.safe}"
    colours = " ".join(f"{name}={value}" for name, value in game.colours.items())
    texts = [part for style in styles for part in style]
    return digest_of([engine_digest(), geometry, colours, fonts.text_digest, *texts])


def _art_key(art: Art) -> str:
    """What a face's layout needs of a picture: a drawing's size, a raster's bytes."""
    size = f"{art.width:g}x{art.height:g}"
    return f"{art.name} {size}" if art.vector else f"{art.name} {art.digest}"


def _art(
    pictures: Iterable[str],
    look: Callable[[str], Art],
    problems: list[Problem],
    blame: Callable[[str], tuple[Source, str]],
) -> list[Art]:
    """The pictures of those addresses; `blame` tells a wrong one's line and card."""
    found = []
    for written in pictures:
        try:
            found.append(look(written))
        except Unusable as error:
            source, who = blame(written)
            problems.append(Problem(source, f"{who}{error}", "art"))
    return found


def _in_style(style: str, text: str, name: str) -> tuple[Source, str]:
    return Source(style, line_of(text, name)), ""


def _in_face(
    root: Path, make_html: Callable[[], str], piece: Piece, name: str
) -> tuple[Source, str]:
    """The template's line where it writes the name out, else the card that the name comes from."""
    html = make_html()
    before = html[: html.find(name)]
    template = before.rpartition("data-at=")[2].partition(":")[0]
    text, why = paths.read_text(root, f"{FOLDER}/{template}")
    if not why and name in text:
        return Source(f"{FOLDER}/{template}", line_of(text, name)), ""
    return piece.source, f"{piece.id}: "


def make(game: Game, faces: Faces, store: Store, progress: Progress | None = None) -> None:
    """Typeset what the store does not hold, and report what is wrong with every face."""
    stale = _stale(faces, store)
    chunks = list(_chunks(game, faces.fonts, stale, store))
    faces.typeset = sum(len(orders) for _, orders in chunks)
    done = 0
    for results in _run(chunks):
        for key, pdf, remarks in results:
            store.write(store.path("faces", f"{key}.pdf"), pdf)
            store.write_json(store.path("faces", f"{key}.json"), remarks)
        done += len(results)
        if progress:
            progress(done, faces.typeset)
    _draw_art(faces, store)
    _report(faces, store)


def _stale(faces: Faces, store: Store) -> dict[str, Face]:
    """Faces to set, each look once."""
    stale: dict[str, Face] = {}
    known: dict[str, bool] = {}
    for face in faces.faces:
        if face.key not in known:
            known[face.key] = store.path("faces", f"{face.key}.json").exists()
            if not known[face.key]:
                stale[face.key] = face
    return stale


Chunk = tuple["Setting", list["Order"]]
Result = tuple[str, bytes, list[list[Any]]]


def _chunks(game: Game, fonts: FontSet, stale: Mapping[str, Face], store: Store) -> Iterator[Chunk]:
    if not stale:
        return
    from cardgen.pdf.typeset import Order, Setting  # noqa: PLC0415 - WeasyPrint only when needed

    settings: dict[str, Setting] = {}
    groups: dict[str, list[Order]] = {}
    for face in stale.values():
        deck = face.deck
        if deck.id not in settings:
            styles = tuple(_styles(game, deck, []))
            settings[deck.id] = Setting(
                deck.size.width, deck.size.height, deck.bleed, deck.safe, styles,
                tuple(game.colours.items()), fonts.cuts, tuple(sorted(fonts.patterns.items())),
                store.path("hyphenation", ""),
            )  # fmt: skip
        groups.setdefault(deck.id, []).append(Order(face.key, face.language, face.html(), face.art))
    for deck_id, orders in groups.items():
        for start in range(0, len(orders), CHUNK):
            yield settings[deck_id], orders[start : start + CHUNK]


def _run(chunks: list[Chunk]) -> Iterator[list[Result]]:
    few = sum(len(orders) for _, orders in chunks) <= _ALONE
    yield from spread(_set_chunk, chunks, alone=few)


def _set_chunk(chunk: Chunk) -> list[Result]:
    from cardgen.pdf.typeset import typeset  # noqa: PLC0415 - in the helper process

    return [
        (face.key, face.pdf, [_packed(remark) for remark in face.remarks])
        for face in typeset(*chunk)
    ]


def _packed(remark: Remark) -> list[Any]:
    return [remark.kind, remark.severity, remark.at, remark.message, remark.about_face]


def draw_art(pictures: Iterable[Art], store: Store) -> dict[str, str]:
    """Draw every SVG that the store does not hold; the digest of each that failed, and why."""
    failed: dict[str, str] = {}
    for digest, art in {art.digest: art for art in pictures if art.vector}.items():
        path = store.path("art", f"{digest}.pdf")
        if path.exists():
            continue
        from cardgen.pdf.vector import draw  # noqa: PLC0415 - typst only when art is new

        try:
            store.write(path, draw(art, store.path("scratch", "")))
        except Unusable as error:
            failed[digest] = str(error)
    return failed


def _draw_art(faces: Faces, store: Store) -> None:
    failed = draw_art((art for face in faces.faces for art in face.art), store)
    for face in faces.faces:
        for art in face.art:
            if art.digest in failed:
                message = f"{face.piece.id}: {failed[art.digest]}"
                faces.problems.append(Problem(face.piece.source, message, "art"))


def _report(faces: Faces, store: Store) -> None:
    told: set[str] = set()
    for face in faces.faces:
        if face.key in told:
            continue
        told.add(face.key)
        for kind, severity, at, message, about_face in (
            store.read_json(store.path("faces", f"{face.key}.json")) or ()
        ):
            who = f"{face.piece.id} [{face.language}] {face.side}" if about_face else ""
            source = _source(at, face, about_face)
            faces.problems.append(Problem(source, message, kind, _severity(severity), who))


def _severity(word: str) -> Severity:
    return "warning" if word == "warning" else "error"


def _source(at: str, face: Face, about_face: bool) -> Source:
    name, _, line = at.rpartition(":")
    if not line.isdigit():
        return Source(at) if at else face.piece.source
    return Source(f"{FOLDER}/{name}" if about_face else name, int(line))
