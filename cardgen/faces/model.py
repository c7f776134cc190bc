"""Faces: every side of every piece in every language, typeset once and kept by content hash.

`order` renders the templates (fast, always); `make` typesets those the store does not hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial

from cardgen.assets import artwork
from cardgen.assets.artwork import Art, UnusableArtError
from cardgen.assets.font_files import FontSet
from cardgen.core.problems import (
    Diagnostic,
    Problem,
    Source,
    Subject,
    did_you_mean,
    find_line,
    parse_diagnostics,
    serialize_problems,
)
from cardgen.faces import diagnostics_cache, downsample, fitting, typeset_facts
from cardgen.faces.diagnostics import MISSING_ART, locate_in_face, locate_in_style
from cardgen.faces.downsample import DownsampledArt
from cardgen.faces.face_index import FaceIndex
from cardgen.faces.typesetting import (
    MAX_FACE_WORKERS,
    FaceBatch,
    FaceInput,
    FaceSettings,
    typeset_batches,
)
from cardgen.game.game_folder import TEMPLATES_FOLDER
from cardgen.game.look_templates import LOOK_PREFIX
from cardgen.game.model import Deck, Game, Piece
from cardgen.pdf.face_file import DraftLayer
from cardgen.runtime import code_version, game_files
from cardgen.runtime.content_store import Store, digest_parts
from cardgen.templates import stylesheet_rules
from cardgen.templates.html_tags import list_urls
from cardgen.templates.render_cache import RenderCache
from cardgen.templates.template_renderer import TemplateRenderer

MAX_FACES_PER_BATCH = 25
"""So many faces at most are set together."""
RESOLUTION_KIND = "resolution"
"""The kind of what is told of pictures with too few pixels: once a picture, where it is worst."""

FaceProgress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Face:
    """One side of a piece in one language. Faces of the same `key` are the same picture."""

    deck: Deck
    piece: Piece
    side: str
    language: str
    key: str
    pictures: tuple[Art, ...]
    make_html: Callable[[], str] = field(compare=False)
    """Makes the HTML, which only a face that is set anew needs."""
    styles: tuple[tuple[str, str], ...] = field(default=(), compare=False, repr=False)
    """The stylesheets of its deck, (name, text), as they were when it got its key."""
    is_placeholder: bool = False
    """Whether it stands in the place of a face that could not be made."""
    original_key: str = ""
    """Of a draft: under which key the store holds the face that it is of."""
    layer: DraftLayer | None = None
    """Of a draft: what is drawn over it."""

    @property
    def subject(self) -> Subject:
        """Its card, language and side."""
        return Subject(self.deck.id, self.piece.id, self.language, self.side)

    @property
    def file_stem(self) -> str:
        """What files and pages of it are called: its piece, and that it is the back."""
        return f"{self.piece.id}-back" if self.side == "back" else self.piece.id

    @property
    def digest(self) -> str:
        """The hash of all that decides how the face looks, drawings included."""
        return digest_parts([self.key, *(art.digest for art in self.pictures)])

    def compute_visible_digest(self) -> str:
        """The hash of what can be seen: of styles and their pictures only what can concern this
        face. Faces of one look may have different keys; the HTML is made for it."""
        html = self.make_html()
        css = stylesheet_rules.select_styles(
            [text for _, text in self.styles], stylesheet_rules.collect_words(html)
        )
        shown = [f"{a.name} {a.digest}" for a in self.pictures if a.name in html or a.name in css]
        size = f"{self.deck.size} {self.deck.bleed} {self.deck.form}"
        return digest_parts([size, html, css, *shown])


@dataclass
class FaceSet:
    """All faces of a build, and what is wrong with them."""

    fonts: FontSet
    faces: list[Face] = field(default_factory=list)
    skipped: list[Face] = field(default_factory=list)
    """Faces of the cards asked for that nothing shows, such as those on other sheets. They are
    known by their keys, and never set."""
    render_names: set[str] = field(default_factory=set)
    blocked_decks: set[str] = field(default_factory=set)
    """Decks whose head or styles must be right first: what their layout shows would mislead."""
    diagnostics: dict[str, Sequence[Diagnostic]] = field(default_factory=dict)
    """What is wrong with the layout of each face that is set, by its key."""
    downsampled: dict[str, DownsampledArt] = field(default_factory=dict)
    """Pictures that were made smaller for sheets, by their names."""
    problems: list[Problem] = field(default_factory=list)
    typeset_count: int = 0
    _indexes: dict[int, FaceIndex[Face]] = field(
        default_factory=dict, compare=False, repr=False, init=False
    )

    def find_faces(
        self, deck: Deck, language: str, side: str, *, unset: bool = False
    ) -> list[Face]:
        """The faces of a side of a deck's pieces in a language, in their order; those that are
        not set, after them."""
        ids = {piece.id for piece in deck.pieces}
        lists = (self.faces, self.skipped) if unset else (self.faces,)
        found = (
            face
            for each in lists
            for face in self._index_faces(each).find_side(deck.id, side, language)
        )
        return [face for face in found if face.piece.id in ids]

    def _index_faces(self, listed: list[Face]) -> FaceIndex[Face]:
        """A list of these, sorted once as long as it stays as it is."""
        number = int(listed is self.skipped)
        known = self._indexes.get(number)
        if known is None or not known.is_index_of(listed):
            known = self._indexes[number] = FaceIndex(listed)
        return known

    def find_backs(self, deck_id: str) -> dict[str, list[str]]:
        """The different backs of a deck: each look in each language, and the cards that have it."""
        looks: dict[str, list[str]] = {}
        known: dict[str, str] = {}
        for face in self._index_faces(self.faces).find_side(deck_id, "back"):
            if face.digest not in known:
                known[face.digest] = face.compute_visible_digest()
            looks.setdefault(f"{face.language} {known[face.digest]}", []).append(face.piece.id)
        return looks


def render_faces(
    game: Game, fonts: FontSet, decks: Iterable[Deck], languages: Iterable[str], store: Store
) -> FaceSet:
    """Render the templates of every face asked for. Nothing is typeset; drawings that templates
    make are kept in the store."""
    result = FaceSet(fonts)
    renders = RenderCache(TemplateRenderer(game), store, code_version.digest_code("faces"))
    look = cache(partial(_load_picture, renders))  # many faces share their pictures
    languages = tuple(languages)
    for deck in decks:
        told = len(result.problems)
        styles = tuple(_read_styles(game, deck, result.problems))
        if not deck.is_valid or any(p.kind == "template" for p in result.problems[told:]):
            result.blocked_decks.add(deck.id)
        result.problems += _check_variables(game, styles, renders.templates)
        shared = _compute_shared_key(game, deck, fonts, styles)
        style_art = [
            art
            for name, text in styles
            for art in _find_pictures(
                game,
                list_urls(text),
                look,
                result.problems,
                partial(locate_in_style, name, text, deck),
            )
        ]
        for language in languages:
            for render in renders.render_deck(deck, language):
                html = partial(renders.render_html, deck, render.piece, render.side, language)
                blame = partial(locate_in_face, game.root, html, deck, render.piece)
                pictures = (name for name in render.pictures if name not in fonts.unusable)
                found = _find_pictures(game, pictures, look, result.problems, blame)
                art = (*style_art, *found)
                key = digest_parts([shared, language, render.digest, *map(compute_art_key, art)])
                face = Face(deck, render.piece, render.side, language, key, art, html, styles)
                result.faces.append(face)
    misprints = renders.lint_templates()
    result.blocked_decks |= _find_blocked_decks(game, misprints)
    result.problems += renders.templates.problems + misprints
    result.problems += check_pictures(art for face in result.faces for art in face.pictures)
    result.render_names = renders.used_names
    return result


def _find_blocked_decks(game: Game, misprints: Iterable[Problem]) -> set[str]:
    """The decks whose templates say something else than was meant; a part may be in any."""
    wrong = {p.source.path for p in misprints if p.severity == "error"}
    own = {
        deck.id: {f"{TEMPLATES_FOLDER}/{name}" for name in deck.list_templates()}
        for deck in game.decks
    }
    parts = wrong.difference(*own.values()) if own else set()
    return {deck for deck, files in own.items() if parts or files & wrong}


def check_pictures(pictures: Iterable[Art]) -> list[Problem]:
    """What of pictures will not come out as it was meant, at their files."""
    return [
        Problem(Source(art.name), remark, "art", "warning")
        for art in {art.name: art for art in pictures}.values()
        for remark in art.inspection.warnings
    ]


def _load_picture(renders: RenderCache, written: str) -> Art:
    template = renders.drawings.get(written)
    if template is None:
        return artwork.load_by_address(renders.templates.game.root, written)
    name = f"{TEMPLATES_FOLDER}/{template}"
    return artwork.load_drawing(written, renders.get_drawing_path(written), name, renders.store)


def _read_styles(game: Game, deck: Deck, problems: list[Problem]) -> list[tuple[str, str]]:
    found = []
    for name in deck.styles:
        text, why = deck.look_templates.get(name, ""), ""
        if not text:
            text, why = game_files.read_text(game.root, f"{TEMPLATES_FOLDER}/{name}")
        if why:
            files = game_files.list_files(game.root, TEMPLATES_FOLDER, ".css")
            known = [file.removeprefix(f"{TEMPLATES_FOLDER}/") for file in files]
            hint = did_you_mean(name, known) if "missing" in why else ""
            source = deck.sources.get("styles", deck.source)
            message = f"{TEMPLATES_FOLDER}/{name} {why}{hint}"
            problems.append(Problem(source, message, "template", subject=Subject(deck.id)))
            continue
        if "@page" in text:
            source = Source(f"{TEMPLATES_FOLDER}/{name}", find_line(text, "@page"))
            message = "@page is cardgen's own; a deck's size and bleed stand in its file"
            problems.append(Problem(source, message, "css", subject=Subject(deck.id)))
        found.append((f"{TEMPLATES_FOLDER}/{name}", text))
    return found


def _check_variables(
    game: Game, styles: Iterable[tuple[str, str]], templates: TemplateRenderer
) -> Iterator[Problem]:
    """Custom properties that stylesheets use and nothing sets: no colour, style or template."""
    listed = list(styles)
    known = stylesheet_rules.list_colour_variables(game.colours) | set(
        stylesheet_rules.FACE_VARIABLES
    )
    for _, text in listed:
        known |= stylesheet_rules.find_definitions(text)
    own = [
        (style, text)
        for style, text in listed
        if not style.startswith(f"{TEMPLATES_FOLDER}/{LOOK_PREFIX}")
    ]
    asked = [
        (style, text.count("\n", 0, at) + 1, name)
        for style, text in own
        for name, at in stylesheet_rules.find_uses(text)
        if name not in known
    ]
    if not asked:
        return
    for source in templates.list_sources():
        known |= stylesheet_rules.find_definitions(source)
    for style, line, name in asked:
        if name not in known:
            message = stylesheet_rules.explain_unknown_variable(name, known)
            yield Problem(Source(style, line), message, "css", "warning")


def _compute_shared_key(
    game: Game, deck: Deck, fonts: FontSet, styles: tuple[tuple[str, str], ...]
) -> str:
    geometry = f"{deck.size.width} {deck.size.height} {deck.bleed} {deck.safe}"
    colours = " ".join(f"{name}={value}" for name, value in game.colours.items())
    texts = [part for style in styles for part in style]
    return digest_parts(
        [code_version.digest_code("faces"), geometry, colours, fonts.text_digest, *texts]
    )


def _compute_layout_key(game: Game, deck: Deck, fonts: FontSet) -> str:
    """What besides a deck's styles and HTML decides where anything comes to lie: of colours only
    which there are."""
    geometry = f"{deck.size.width} {deck.size.height} {deck.bleed} {deck.safe}"
    return digest_parts(
        [code_version.digest_code("faces"), geometry, fonts.text_digest, *game.colours]
    )


def compute_art_key(art: Art) -> str:
    """What a face's layout needs of a picture: a drawing's size, a raster's bytes."""
    size = f"{art.width:g}x{art.height:g}"
    kind = "missing" if art.missing else ""
    return f"{art.name} {size}{kind}" if art.vector else f"{art.name} {art.digest}"


def _find_pictures(
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
        except UnusableArtError as error:
            source, subject = blame(written)
            problems.append(Problem(source, str(error), "art", subject=subject))
            if held := artwork.make_stand_in(game.root, written):
                found.append(held)
    return found


def typeset_faces(
    game: Game, faces: FaceSet, store: Store, progress: FaceProgress | None = None, *,
    resident: bool = False,
) -> None:  # fmt: skip
    """Typeset what the store does not hold, and report what is wrong with every face. `resident`
    says that helpers are kept ready: even a few faces are shared among them."""
    _fetch_faces(faces, store)
    _draw_face_art(faces, store)
    stale, learned = _find_stale_faces(faces, store)
    size = (
        min(MAX_FACES_PER_BATCH, -(-len(stale) // MAX_FACE_WORKERS))
        if resident
        else MAX_FACES_PER_BATCH
    )
    chunks = list(make_batches(game, faces.fonts, stale, size))
    faces.typeset_count = sum(len(chunk.inputs) for chunk in chunks)
    done = 0
    for results in typeset_batches(chunks, store, alone=False if resident else None):
        for made in results:
            stale.pop(made.key)
            faces.diagnostics[made.key] = made.diagnostics
            if made.pdf:
                store.write(store.get_path("faces", f"{made.key}.pdf"), made.pdf)
                store.write_json(
                    store.get_path("faces", f"{made.key}.json"),
                    serialize_problems(made.diagnostics),
                )
                store.write_json(
                    typeset_facts.get_facts_path(store, made.key), made.facts.to_json()
                )
                learned[made.key] = made.diagnostics
        done += len(results)
        if progress:
            progress(done, faces.typeset_count)
    diagnostics_cache.save_diagnostics(faces.faces, learned, store)
    report_diagnostics(faces)
    said = (remark for face in faces.faces for remark in faces.diagnostics.get(face.key, ()))
    faces.downsampled = downsample.downsample_art(
        [art for face in faces.faces for art in face.pictures], said, store
    )
    if stale:
        first = next(iter(stale.values()))
        message = f"{len(stale)} more faces were not set, since others like them were stopped"
        whose = Subject(first.deck.id)
        faces.problems.append(Problem(first.deck.source, message, "bounds", subject=whose))


def _fetch_faces(faces: FaceSet, store: Store) -> None:
    """Get the faces that other machines have set; of those alone, what is told of them."""
    if store.shared is None:
        return
    keys = {face.key for face in faces.faces if face.key not in faces.diagnostics}
    store.fetch_entries(store.get_path("faces", f"{key}.pdf") for key in keys)
    held = set(store.list_names("faces"))
    there = [key for key in keys if f"{key}.pdf" in held]
    store.fetch_entries(store.get_path("faces", f"{key}.json") for key in there)
    store.fetch_entries(typeset_facts.get_facts_path(store, key) for key in there)


def _find_stale_faces(
    faces: FaceSet, store: Store
) -> tuple[dict[str, Face], dict[str, Sequence[Diagnostic]]]:
    """Faces to set, each look once. What is known of the others is read; what no deck's entry
    remembers is told, too."""
    stale: dict[str, Face] = {}
    learned: dict[str, Sequence[Diagnostic]] = {}
    unknown = [face for face in faces.faces if face.key not in faces.diagnostics]
    faces.diagnostics |= diagnostics_cache.load_diagnostics(unknown, store)
    for face in unknown:
        if face.key not in faces.diagnostics and face.key not in stale:
            remarks = read_diagnostics(face.key, store)
            if remarks is None:
                stale[face.key] = face
            else:
                faces.diagnostics[face.key] = learned[face.key] = remarks
    return stale, learned


def make_batches(
    game: Game, fonts: FontSet, stale: Mapping[str, Face], size: int = MAX_FACES_PER_BATCH
) -> Iterator[FaceBatch]:
    """Faces by their keys as they are set together, at most so many."""
    if not stale:
        return
    coloured = game.coloured_icons.items()
    usable = {name: file for name, file in coloured if file not in fonts.unusable}
    settings: dict[tuple[str, bool], FaceSettings] = {}
    groups: dict[tuple[str, bool], list[FaceInput]] = {}
    for face in stale.values():
        deck = face.deck
        group = deck.id, face.is_placeholder
        if group not in settings:
            settings[group] = FaceSettings(
                deck.size.width, deck.size.height, deck.bleed, deck.safe, face.styles,
                tuple(game.colours.items()), fonts.files, tuple(sorted(fonts.patterns.items())),
                _compute_layout_key(game, deck, fonts), tuple(sorted(usable.items())),
            )  # fmt: skip
        order = FaceInput(
            face.key, face.language, face.make_html(), face.pictures, str(face.subject)
        )
        groups.setdefault(group, []).append(order)
    for group, orders in groups.items():
        for start in range(0, len(orders), size):
            yield FaceBatch(group[0], settings[group], orders[start : start + size])


def draw_vector_art(pictures: Iterable[Art], store: Store) -> dict[str, str]:
    """Draw every SVG that the store does not hold; the digest of each that failed, and why."""
    failed: dict[str, str] = {}
    wanted = {art.digest: art for art in pictures if art.vector and not art.missing}
    store.fetch_entries(store.get_path("art", f"{digest}.pdf") for digest in wanted)
    for digest, art in wanted.items():
        path = store.get_path("art", f"{digest}.pdf")
        if store.has_entry(path):
            continue
        from cardgen.pdf.picture_conversion import convert_art  # noqa: PLC0415 - typst only when art is new

        try:
            store.write(path, convert_art(art, store.make_scratch_folder()))
        except UnusableArtError as error:
            failed[digest] = str(error)
    return failed


def _draw_face_art(faces: FaceSet, store: Store) -> None:
    failed = draw_vector_art((art for face in faces.faces for art in face.pictures), store)
    for face in faces.faces:
        for art in face.pictures:
            if art.digest in failed:
                where = Subject(face.deck.id, face.piece.id)
                message = failed[art.digest]
                faces.problems.append(Problem(face.piece.source, message, "art", subject=where))


def report_diagnostics(faces: FaceSet) -> None:
    """Tell what is wrong with the layout of faces as problems, each look once."""
    told: set[str] = set()
    coarse: dict[str, str] = {}
    for face in faces.faces:
        if face.key in told or face.is_placeholder or face.deck.id in faces.blocked_decks:
            continue
        told.add(face.key)
        for it in faces.diagnostics.get(face.key, ()):
            if it.kind in {downsample.PIXELS_KIND, fitting.TIGHTEST_KIND, MISSING_ART}:
                continue
            if it.kind == RESOLUTION_KIND:
                coarse[it.location] = min(
                    it.message, coarse.get(it.location, it.message), key=_parse_dpi
                )
                continue
            who = face.subject if it.about_face else Subject(face.deck.id)
            source = it.locate(face.piece.source, f"{TEMPLATES_FOLDER}/" if it.about_face else "")
            faces.problems.append(Problem(source, it.message, it.kind, it.severity, who))
    for name, message in coarse.items():
        faces.problems.append(Problem(Source(name), message, RESOLUTION_KIND, "warning"))


def _parse_dpi(message: str) -> int:
    """Of a picture with too few pixels: how many an inch, which its message begins with."""
    return int(message.partition(" ")[0])


def read_diagnostics(key: str, store: Store) -> list[Diagnostic] | None:
    """What is wrong with a face out of the store; None when it does not hold the face."""
    if not store.has_entry(store.get_path("faces", f"{key}.pdf")) or not typeset_facts.has_facts(
        store, key
    ):
        return None
    return parse_diagnostics(store.read_json(store.get_path("faces", f"{key}.json")))
