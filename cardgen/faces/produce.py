"""Faces: every side of every piece in every language, typeset once and kept by content hash.

`order` renders the templates (fast, always); `make` typesets those the store does not hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial

from cardgen.assets import artwork
from cardgen.assets.artwork import Art, Unusable
from cardgen.assets.fontfiles import FontSet
from cardgen.base import code_digest, paths
from cardgen.base.problems import (
    Problem,
    Remark,
    Source,
    Subject,
    did_you_mean,
    kept_remarks,
    line_of,
    packed,
)
from cardgen.base.store import Store, digest_of
from cardgen.faces import drawn_down, facts, tightness, told
from cardgen.faces.by_deck import Sorted
from cardgen.faces.chunks import AT_ONCE, Chunk, run
from cardgen.faces.drawn_down import Smaller
from cardgen.faces.faults import MISSING, in_face, in_style
from cardgen.faces.orders import Order, Setting
from cardgen.game.looks.drawing_up import MARK
from cardgen.game.model import Deck, Game, Piece
from cardgen.pdf.face_file import Layer
from cardgen.templates import stylesheets, variables
from cardgen.templates.cache import Renders
from cardgen.templates.render import FOLDER, Templates
from cardgen.templates.tags import addresses

CHUNK = 25
"""So many faces at most are set together."""
COARSE = "resolution"
"""The kind of what is told of pictures with too few pixels: once a picture, where it is worst."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
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
    styles: tuple[tuple[str, str], ...] = field(default=(), compare=False, repr=False)
    """The stylesheets of its deck, (name, text), as they were when it got its key."""
    instead: bool = False
    """Whether it stands in the place of a face that could not be made."""
    kept: str = ""
    """Of a draft: under which key the store holds the face that it is of."""
    layer: Layer | None = None
    """Of a draft: what is drawn over it."""

    @property
    def whose(self) -> Subject:
        """Its card, language and side."""
        return Subject(self.deck.id, self.piece.id, self.language, self.side)

    @property
    def called(self) -> str:
        """What files and pages of it are called: its piece, and that it is the back."""
        return f"{self.piece.id}-back" if self.side == "back" else self.piece.id

    @property
    def digest(self) -> str:
        """The hash of all that decides how the face looks, drawings included."""
        return digest_of([self.key, *(art.digest for art in self.art)])

    def look(self) -> str:
        """The hash of what can be seen: of styles and their pictures only what can concern this
        face. Faces of one look may have different keys; the HTML is made for it."""
        html = self.html()
        css = stylesheets.concerning([text for _, text in self.styles], stylesheets.words(html))
        shown = [f"{a.name} {a.digest}" for a in self.art if a.name in html or a.name in css]
        size = f"{self.deck.size} {self.deck.bleed} {self.deck.form}"
        return digest_of([size, html, css, *shown])


@dataclass
class Faces:
    """All faces of a build, and what is wrong with them."""

    fonts: FontSet
    faces: list[Face] = field(default_factory=list)
    unset: list[Face] = field(default_factory=list)
    """Faces of the cards asked for that nothing shows, such as those on other sheets. They are
    known by their keys, and never set."""
    rendered: set[str] = field(default_factory=set)
    waiting: set[str] = field(default_factory=set)
    """Decks whose head or styles must be right first: what their layout shows would mislead."""
    remarks: dict[str, Sequence[Remark]] = field(default_factory=dict)
    """What is wrong with the layout of each face that is set, by its key."""
    smaller: dict[str, Smaller] = field(default_factory=dict)
    """Pictures that were made smaller for sheets, by their names."""
    problems: list[Problem] = field(default_factory=list)
    typeset: int = 0
    _parts: dict[int, Sorted[Face]] = field(
        default_factory=dict, compare=False, repr=False, init=False
    )

    def of(self, deck: Deck, language: str, side: str, *, unset: bool = False) -> list[Face]:
        """The faces of a side of a deck's pieces in a language, in their order; those that are
        not set, after them."""
        ids = {piece.id for piece in deck.pieces}
        lists = (self.faces, self.unset) if unset else (self.faces,)
        found = (face for each in lists for face in self._sorted(each).of(deck.id, side, language))
        return [face for face in found if face.piece.id in ids]

    def _sorted(self, listed: list[Face]) -> Sorted[Face]:
        """A list of these, sorted once as long as it stays as it is."""
        number = int(listed is self.unset)
        known = self._parts.get(number)
        if known is None or not known.are(listed):
            known = self._parts[number] = Sorted(listed)
        return known

    def backs(self, deck_id: str) -> dict[str, list[str]]:
        """The different backs of a deck: each look in each language, and the cards that have it."""
        looks: dict[str, list[str]] = {}
        known: dict[str, str] = {}
        for face in self._sorted(self.faces).of(deck_id, "back"):
            if face.digest not in known:
                known[face.digest] = face.look()
            looks.setdefault(f"{face.language} {known[face.digest]}", []).append(face.piece.id)
        return looks


def order(
    game: Game, fonts: FontSet, decks: Iterable[Deck], languages: Iterable[str], store: Store
) -> Faces:
    """Render the templates of every face asked for. Nothing is typeset; drawings that templates
    make are kept in the store."""
    result = Faces(fonts)
    renders = Renders(Templates(game), store, code_digest.digest("faces"))
    look = cache(partial(_look, renders))  # many faces share their pictures
    languages = tuple(languages)
    for deck in decks:
        told = len(result.problems)
        styles = tuple(_styles(game, deck, result.problems))
        if not deck.sound or any(p.kind == "template" for p in result.problems[told:]):
            result.waiting.add(deck.id)
        result.problems += _unset(game, styles, renders.templates)
        shared = _shared_key(game, deck, fonts, styles)
        style_art = [
            art
            for name, text in styles
            for art in _art(
                game, addresses(text), look, result.problems, partial(in_style, name, text, deck)
            )
        ]
        for language in languages:
            for render in renders.of(deck, language):
                html = partial(renders.html, deck, render.piece, render.side, language)
                blame = partial(in_face, game.root, html, deck, render.piece)
                pictures = (name for name in render.pictures if name not in fonts.unusable)
                found = _art(game, pictures, look, result.problems, blame)
                art = (*style_art, *found)
                key = digest_of([shared, language, render.digest, *map(art_key, art)])
                face = Face(deck, render.piece, render.side, language, key, art, html, styles)
                result.faces.append(face)
    misprints = renders.misprints()
    result.waiting |= _misprinted(game, misprints)
    result.problems += renders.templates.problems + misprints
    result.problems += art_remarks(art for face in result.faces for art in face.art)
    result.rendered = renders.used
    return result


def _misprinted(game: Game, misprints: Iterable[Problem]) -> set[str]:
    """The decks whose templates say something else than was meant; a part may be in any."""
    wrong = {p.source.path for p in misprints if p.severity == "error"}
    own = {deck.id: {f"{FOLDER}/{name}" for name in deck.templates()} for deck in game.decks}
    parts = wrong.difference(*own.values()) if own else set()
    return {deck for deck, files in own.items() if parts or files & wrong}


def art_remarks(pictures: Iterable[Art]) -> list[Problem]:
    """What of pictures will not come out as it was meant, at their files."""
    return [
        Problem(Source(art.name), remark, "art", "warning")
        for art in {art.name: art for art in pictures}.values()
        for remark in art.seen.remarks
    ]


def _look(renders: Renders, written: str) -> Art:
    template = renders.drawn.get(written)
    if template is None:
        return artwork.named(renders.templates.game.root, written)
    name = f"{FOLDER}/{template}"
    return artwork.drawn(written, renders.path_of(written), name, renders.store)


def _styles(game: Game, deck: Deck, problems: list[Problem]) -> list[tuple[str, str]]:
    found = []
    for name in deck.styles:
        text, why = deck.written.get(name, ""), ""
        if not text:
            text, why = paths.read_text(game.root, f"{FOLDER}/{name}")
        if why:
            files = paths.listed(game.root, FOLDER, ".css")
            known = [file.removeprefix(f"{FOLDER}/") for file in files]
            hint = did_you_mean(name, known) if "missing" in why else ""
            source = deck.sources.get("styles", deck.source)
            message = f"{FOLDER}/{name} {why}{hint}"
            problems.append(Problem(source, message, "template", subject=Subject(deck.id)))
            continue
        if "@page" in text:
            source = Source(f"{FOLDER}/{name}", line_of(text, "@page"))
            message = "@page is cardgen's own; a deck's size and bleed stand in its file"
            problems.append(Problem(source, message, "css", subject=Subject(deck.id)))
        found.append((f"{FOLDER}/{name}", text))
    return found


def _unset(
    game: Game, styles: Iterable[tuple[str, str]], templates: Templates
) -> Iterator[Problem]:
    """Custom properties that stylesheets use and nothing sets: no colour, style or template."""
    listed = list(styles)
    known = variables.of_colours(game.colours) | set(variables.OF_FACES)
    for _, text in listed:
        known |= variables.defined(text)
    own = [(style, text) for style, text in listed if not style.startswith(f"{FOLDER}/{MARK}")]
    asked = [
        (style, text.count("\n", 0, at) + 1, name)
        for style, text in own
        for name, at in variables.used(text)
        if name not in known
    ]
    if not asked:
        return
    for source in templates.sources():
        known |= variables.defined(source)
    for style, line, name in asked:
        if name not in known:
            message = variables.unknown(name, known)
            yield Problem(Source(style, line), message, "css", "warning")


def _shared_key(game: Game, deck: Deck, fonts: FontSet, styles: tuple[tuple[str, str], ...]) -> str:
    geometry = f"{deck.size.width} {deck.size.height} {deck.bleed} {deck.safe}"
    colours = " ".join(f"{name}={value}" for name, value in game.colours.items())
    texts = [part for style in styles for part in style]
    return digest_of([code_digest.digest("faces"), geometry, colours, fonts.text_digest, *texts])


def _moving_key(game: Game, deck: Deck, fonts: FontSet) -> str:
    """What besides a deck's styles and HTML decides where anything comes to lie: of colours only
    which there are."""
    geometry = f"{deck.size.width} {deck.size.height} {deck.bleed} {deck.safe}"
    return digest_of([code_digest.digest("faces"), geometry, fonts.text_digest, *game.colours])


def art_key(art: Art) -> str:
    """What a face's layout needs of a picture: a drawing's size, a raster's bytes."""
    size = f"{art.width:g}x{art.height:g}"
    kind = "missing" if art.missing else ""
    return f"{art.name} {size}{kind}" if art.vector else f"{art.name} {art.digest}"


def _art(
    game: Game,
    pictures: Iterable[str],
    look: Callable[[str], Art],
    problems: list[Problem],
    blame: Callable[[str], tuple[Source, Subject]],
) -> list[Art]:
    """The pictures of those addresses; `blame` tells the line and card of one that cannot be used,
    in the place of which another stands."""
    found = []
    for written in pictures:
        try:
            found.append(look(written))
        except Unusable as error:
            source, subject = blame(written)
            problems.append(Problem(source, str(error), "art", subject=subject))
            if held := artwork.stand_in(game.root, written):
                found.append(held)
    return found


def make(
    game: Game, faces: Faces, store: Store, progress: Progress | None = None, *,
    resident: bool = False,
) -> None:  # fmt: skip
    """Typeset what the store does not hold, and report what is wrong with every face. `resident`
    says that helpers are kept ready: even a few faces are shared among them."""
    _fetch(faces, store)
    _draw_art(faces, store)
    stale, learned = _stale(faces, store)
    size = min(CHUNK, -(-len(stale) // AT_ONCE)) if resident else CHUNK
    chunks = list(chunked(game, faces.fonts, stale, size))
    faces.typeset = sum(len(chunk.orders) for chunk in chunks)
    done = 0
    for results in run(chunks, store, alone=False if resident else None):
        for made in results:
            stale.pop(made.key)
            faces.remarks[made.key] = made.remarks
            if made.pdf:
                store.write(store.path("faces", f"{made.key}.pdf"), made.pdf)
                store.write_json(store.path("faces", f"{made.key}.json"), packed(made.remarks))
                store.write_json(facts.path_of(store, made.key), made.facts.packed())
                learned[made.key] = made.remarks
        done += len(results)
        if progress:
            progress(done, faces.typeset)
    told.remember(faces.faces, learned, store)
    report(faces)
    said = (remark for face in faces.faces for remark in faces.remarks.get(face.key, ()))
    faces.smaller = drawn_down.draw([art for face in faces.faces for art in face.art], said, store)
    if stale:
        first = next(iter(stale.values()))
        message = f"{len(stale)} more faces were not set, since others like them were stopped"
        whose = Subject(first.deck.id)
        faces.problems.append(Problem(first.deck.source, message, "bounds", subject=whose))


def _fetch(faces: Faces, store: Store) -> None:
    """Get the faces that other machines have set; of those alone, what is told of them. All of them
    are used, whether they are looked at one by one or not."""
    keys = {face.key for face in faces.faces if face.key not in faces.remarks}
    if store.shared is not None:
        store.fetch(store.path("faces", f"{key}.pdf") for key in keys)
        held = set(store.names("faces"))
        there = [key for key in keys if f"{key}.pdf" in held]
        store.fetch(store.path("faces", f"{key}.json") for key in there)
        store.fetch(facts.path_of(store, key) for key in there)
    for ending in ("pdf", "json", "facts"):
        store.use(store.path("faces", f"{key}.{ending}") for key in keys)


def _stale(faces: Faces, store: Store) -> tuple[dict[str, Face], dict[str, Sequence[Remark]]]:
    """Faces to set, each look once. What is known of the others is read; what no deck's entry
    remembers is told, too."""
    stale: dict[str, Face] = {}
    learned: dict[str, Sequence[Remark]] = {}
    unknown = [face for face in faces.faces if face.key not in faces.remarks]
    faces.remarks |= told.remembered(unknown, store)
    for face in unknown:
        if face.key not in faces.remarks and face.key not in stale:
            remarks = remarks_of(face.key, store)
            if remarks is None:
                stale[face.key] = face
            else:
                faces.remarks[face.key] = learned[face.key] = remarks
    return stale, learned


def chunked(
    game: Game, fonts: FontSet, stale: Mapping[str, Face], size: int = CHUNK
) -> Iterator[Chunk]:
    """Faces by their keys as they are set together, at most so many."""
    if not stale:
        return
    coloured = game.coloured.items()
    usable = {name: file for name, file in coloured if file not in fonts.unusable}
    settings: dict[tuple[str, bool], Setting] = {}
    groups: dict[tuple[str, bool], list[Order]] = {}
    for face in stale.values():
        deck = face.deck
        group = deck.id, face.instead
        if group not in settings:
            settings[group] = Setting(
                deck.size.width, deck.size.height, deck.bleed, deck.safe, face.styles,
                tuple(game.colours.items()), fonts.cuts, tuple(sorted(fonts.patterns.items())),
                _moving_key(game, deck, fonts), tuple(sorted(usable.items())),
            )  # fmt: skip
        order = Order(face.key, face.language, face.html(), face.art, str(face.whose))
        groups.setdefault(group, []).append(order)
    for group, orders in groups.items():
        for start in range(0, len(orders), size):
            yield Chunk(group[0], settings[group], orders[start : start + size])


def draw_art(pictures: Iterable[Art], store: Store) -> dict[str, str]:
    """Draw every SVG that the store does not hold; the digest of each that failed, and why."""
    failed: dict[str, str] = {}
    wanted = {art.digest: art for art in pictures if art.vector and not art.missing}
    store.fetch(store.path("art", f"{digest}.pdf") for digest in wanted)
    for digest, art in wanted.items():
        path = store.path("art", f"{digest}.pdf")
        if store.has(path):
            continue
        from cardgen.pdf.vector import draw  # noqa: PLC0415 - typst only when art is new

        try:
            store.write(path, draw(art, store.scratch()))
        except Unusable as error:
            failed[digest] = str(error)
    return failed


def _draw_art(faces: Faces, store: Store) -> None:
    failed = draw_art((art for face in faces.faces for art in face.art), store)
    for face in faces.faces:
        for art in face.art:
            if art.digest in failed:
                where = Subject(face.deck.id, face.piece.id)
                message = failed[art.digest]
                faces.problems.append(Problem(face.piece.source, message, "art", subject=where))


def report(faces: Faces) -> None:
    """Tell what is wrong with the layout of faces as problems, each look once."""
    told: set[str] = set()
    coarse: dict[str, str] = {}
    for face in faces.faces:
        if face.key in told or face.instead or face.deck.id in faces.waiting:
            continue
        told.add(face.key)
        for it in faces.remarks.get(face.key, ()):
            if it.kind in {drawn_down.PIXELS, tightness.TIGHTEST, MISSING}:
                continue
            if it.kind == COARSE:
                coarse[it.at] = min(it.message, coarse.get(it.at, it.message), key=_dpi)
                continue
            who = face.whose if it.about_face else Subject(face.deck.id)
            source = it.source(face.piece.source, f"{FOLDER}/" if it.about_face else "")
            faces.problems.append(Problem(source, it.message, it.kind, it.severity, who))
    for name, message in coarse.items():
        faces.problems.append(Problem(Source(name), message, COARSE, "warning"))


def _dpi(message: str) -> int:
    """Of a picture with too few pixels: how many an inch, which its message begins with."""
    return int(message.partition(" ")[0])


def remarks_of(key: str, store: Store) -> list[Remark] | None:
    """What is wrong with a face out of the store; None when it does not hold the face."""
    if not store.has(store.path("faces", f"{key}.pdf")) or not facts.there(store, key):
        return None
    return kept_remarks(store.read_json(store.path("faces", f"{key}.json")))
