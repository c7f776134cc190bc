"""Sizes of fitted texts: found box by box, proved by the whole face, remembered."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import MakeGame
from counted_layouts import Layouts
from hypothesis import given, settings
from hypothesis import strategies as st
from small_games import GAME, TEXT_GAME, write_game
from whole_games import fonts_of

from cardgen.assets import game_fonts
from cardgen.faces import fit_cache, layout_engine, rendering, typesetting
from cardgen.faces.fit_cache import FitSizes
from cardgen.faces.fitting import FitMeasurement, FittedBox, fit_standalone_boxes, update_fits
from cardgen.faces.model import FaceInput, FaceOutput, FaceSet, FaceSettings
from cardgen.faces.page_layout import PageLayout
from cardgen.rules import rule_file
from cardgen.runtime.content_store import Store

SENTENCE = "Take three goods from the hold and put them where the enemy does not look for them. "


@pytest.fixture(scope="module")
def setting(tmp_path_factory: pytest.TempPathFactory) -> FaceSettings:
    """Faces of 60 × 80 mm."""
    root = write_game(tmp_path_factory.mktemp("fitting"), {"game.yaml": GAME})
    return FaceSettings(60, 80, 3, 3, (), (), fonts_of(root).files, (), "these faces")


def fitted(style: str, text: str = SENTENCE * 3, limits: str = "6-9") -> str:
    return f'<div data-at=card.html:7 data-fit="{limits}" style="{style}">{text}</div>'


def absolute(top: float, height: float, text: str = SENTENCE * 3) -> str:
    where = f"position: absolute; left: 5mm; top: {top}mm; width: 40mm; height: {height}mm"
    return fitted(where, text)


def set_one(setting: FaceSettings, html: str, known: FitSizes | None = None) -> FaceOutput:
    (face,) = layout_engine.typeset_batch(setting, [FaceInput("key", "en", html)], known)
    return face


def only_whole(setting: FaceSettings, html: str, monkeypatch: pytest.MonkeyPatch) -> FaceOutput:
    """A face whose boxes are fitted in whole layouts alone."""
    with monkeypatch.context() as patch:
        patch.setattr(PageLayout, "find_chains", lambda _self, _names: iter(()))
        return set_one(setting, html)


def test_a_face_whose_texts_fit_at_their_largest_is_laid_out_once(
    setting: FaceSettings, layouts: Layouts
) -> None:
    html = absolute(5, 20, SENTENCE) + absolute(30, 40, SENTENCE) + fitted("height: 9mm", "Short")
    assert layouts.of(lambda: set_one(setting, html)) == (1, 0)


def test_a_box_is_fitted_by_itself_and_proved_by_one_layout(
    setting: FaceSettings, layouts: Layouts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the box that does not fit is tried, at sizes below the largest."""
    html = absolute(5, 14) + absolute(30, 40) + "<p>Beside them</p>"
    assert layouts.of(lambda: set_one(setting, html))[0] == 2
    alone = absolute(5, 14)
    assert layouts.of(lambda: set_one(setting, html)) == layouts.of(lambda: set_one(setting, alone))
    assert set_one(setting, html).pdf == only_whole(setting, html, monkeypatch).pdf


def short(style: str, text: str = SENTENCE) -> str:
    return fitted(style, text, "4-14")


HANGING = {
    "in a row": f'<div style="display: flex; width: 50mm; height: 12mm">{short("height: 12mm")}'
    '<div style="flex: none; width: 20mm">Wide</div></div>',
    "in a cell": f'<table style="width: 50mm"><td>{short("height: 12mm")}<td>Some others</table>',
    "beside a float": '<div style="float: left; width: 15mm; height: 9mm">A</div>'
    + short("height: 12mm; width: 40mm"),
    "after another": "<p>First</p>" + short("height: 15mm").replace("div", "p"),
    "by its own size": short("position: absolute; width: 10em; height: 19mm"),
    "in another": short("position: absolute; height: 30mm; width: 40mm", short("height: 9mm")),
}


@pytest.mark.parametrize("where", HANGING)
def test_a_box_that_hangs_on_others_is_fitted_in_whole_layouts(
    setting: FaceSettings, layouts: Layouts, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same bytes as if all had been searched so; and remembered, one layout is enough."""
    html, known = HANGING[where], FitSizes()
    styles = (("card.css", "p + p { letter-spacing: 0.4mm }"),)
    setting = replace(setting, styles=styles)
    face = set_one(setting, html, known)
    assert face.pdf == only_whole(setting, html, monkeypatch).pdf
    assert not any(remark.kind == "overflow" for remark in face.diagnostics)
    learned = FitSizes(known.added)
    assert layouts.of(lambda: set_one(setting, html, FitSizes()))[0] > 1
    assert layouts.of(lambda: set_one(setting, html, learned)) == (1, 0)
    assert learned.added == {}
    assert set_one(setting, html, learned).pdf == face.pdf


def test_very_many_boxes_are_not_tried_by_themselves(
    setting: FaceSettings, layouts: Layouts
) -> None:
    html = "".join(fitted(f"height: {mm / 100}mm", "x") for mm in range(400, 510))
    assert layouts.of(lambda: set_one(setting, html))[1] == 0


def test_what_is_known_is_not_searched_again(setting: FaceSettings, layouts: Layouts) -> None:
    known = FitSizes()
    html = absolute(5, 14) + absolute(30, 40)
    first = set_one(setting, html, known)
    again = FitSizes(known.added)
    assert layouts.of(lambda: set_one(setting, html, again)) == (1, 0)
    assert again.added == {}
    assert set_one(setting, html, again) == first


def test_a_size_that_is_not_so_is_searched_anew(setting: FaceSettings) -> None:
    """A memory may say what it wants: what the face shows decides."""
    known, html = FitSizes(), absolute(5, 14)
    face = set_one(setting, html, known)
    for wrong in ([(6.1, 40.0, 14.0, -3.0, -1.0)], [(6.1,)], [(5.0,)], [(9.0,), (9.0,)]):
        lies = FitSizes(dict.fromkeys(known.added, wrong))
        assert set_one(setting, html, lies).pdf == face.pdf


places = st.sampled_from([
    "position: absolute; left: {x}mm; top: {y}mm; width: {w}mm; height: {h}mm",
    "position: absolute; left: {x}mm; right: {x}mm; top: {y}mm; bottom: {h}mm",
    "position: absolute; left: 10%; top: {y}mm; width: 60%; height: {h}%",
    "width: {w}mm; height: {h}mm", "float: left; width: 50%; height: {h}mm",
    "height: {h}mm; line-height: 1.1; hyphens: auto", "width: 12em; max-height: {h}mm",
])  # fmt: skip
boxes = st.builds(
    lambda place, x, y, w, h, words: fitted(place.format(x=x, y=y, w=w, h=h), words),
    places, st.integers(0, 15), st.integers(0, 50), st.integers(8, 40), st.integers(4, 25),
    st.lists(st.sampled_from([*SENTENCE.split(), "incomprehensibly", "<b>Pay</b>"]), max_size=40)
    .map(" ".join),
)  # fmt: skip
rows = st.sampled_from(["{}", '<div style="display: flex; height: 30mm">{}</div>', "<p>{}</p>"])


@settings(max_examples=15)
@given(faces=st.lists(st.tuples(rows, st.lists(boxes, max_size=3)), min_size=1, max_size=3))
def test_the_memory_moves_nothing(
    setting: FaceSettings, faces: list[tuple[str, list[str]]]
) -> None:
    """Empty, full, half full or out of a file: the same bytes and the same remarks."""
    orders = [
        FaceInput(str(number), "en", row.format("".join(held)))
        for number, (row, held) in enumerate(faces)
    ]
    empty = FitSizes()
    first = layout_engine.typeset_batch(setting, orders, empty)
    told = {key: [list(each) for each in found] for key, found in empty.added.items()}
    full = {key: tuple(map(tuple, found)) for key, found in json.loads(json.dumps(told)).items()}
    assert layout_engine.typeset_batch(setting, orders, FitSizes(full)) == first
    half = dict(list(full.items())[::2])
    assert layout_engine.typeset_batch(setting, orders[::-1], FitSizes(half)) == first[::-1]
    assert [layout_engine.typeset_batch(setting, [order])[0] for order in orders] == first


@given(
    needs=st.lists(st.floats(4, 12), min_size=1, max_size=3),
    lies=st.lists(st.booleans(), min_size=3, max_size=3),
)
def test_the_largest_size_that_fits(needs: list[float], lies: list[bool]) -> None:
    """Of boxes that fit at a size and all below it, wherever that shows: by itself or not."""
    fits = [
        FittedBox(f"box-{number}", 6.0, 9.0, standalone=object(), key=str(number))
        for number in range(len(needs))
    ]

    def measured(fit: FittedBox, least: float) -> list[FitMeasurement]:
        return [FitMeasurement(10, 10, 5.0 if fit.size > least else 0.0, -1.0)]

    def probe(pending: Sequence[FittedBox]) -> dict[str, list[FitMeasurement]]:
        """What a box shows by itself may be another thing altogether."""
        return {
            fit.name: measured(fit, 7.0)
            if lies[int(fit.key)]
            else measured(fit, needs[int(fit.key)])
            for fit in pending
        }

    def whole() -> dict[str, list[FitMeasurement]]:
        return {
            fit.name: [
                replace(each, excess_width=-2.0 if lies[int(fit.key)] else -1.0) for each in found
            ]
            for fit in fits
            for found in [measured(fit, needs[int(fit.key)])]
        }

    fit_standalone_boxes(fits, probe)
    layouts = 1
    while update_fits(fits, whole()):
        layouts += 1
    for fit, need in zip(fits, needs, strict=True):
        tenths = [tenth / 10 for tenth in range(60, 91) if tenth / 10 <= need]
        assert fit.size == max(tenths, default=6.0)
    assert layouts == 1 or any(lies[: len(needs)])


TITLE = "position: absolute; left: 5mm; top: 5mm; width: 40mm; height: 8.4mm; line-height: 1.05"


@pytest.mark.parametrize(
    ("text", "size"),
    [("Barn", 13.5), ("House of Culture and Sport", 11), ("A long name " * 6, 11)],
)
@pytest.mark.parametrize("alone", [True, False])
def test_a_title_has_one_of_its_sizes_and_no_other(
    setting: FaceSettings, text: str, size: float, *, alone: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second is taken where the first does not fit, though one between them would."""
    if not alone:
        monkeypatch.setattr(PageLayout, "find_chains", lambda _self, _names: iter(()))
    html = f'<div data-at=card.html:7 data-fit-steps="11 13.5" style="{TITLE}">{text}</div>'
    sizes = FitSizes()
    for _ in range(2):  # the second time from memory
        found = layout_engine.inspect_layout(setting, FaceInput("key", "en", html), sizes)
        assert [(box.size, box.smallest, box.largest) for box in found.boxes] == [(size, 11, 13.5)]
    outputs = set_one(setting, html).diagnostics
    assert any("smallest size, 11 pt" in each.message for each in outputs) == (len(text) > 40)


@pytest.mark.parametrize(
    "steps", ["", "large", "13.5 0.2", "9-13", " ".join(map(str, range(5, 14)))]
)
def test_sizes_that_are_none_are_an_error_that_shows_how(setting: FaceSettings, steps: str) -> None:
    html = f'<div data-at=card.html:7 data-fit-steps="{steps}" style="{TITLE}">Barn</div>'
    (error,) = (each for each in set_one(setting, html).diagnostics if each.severity == "error")
    assert error.message == f"data-fit-steps is '{steps}'; write up to eight sizes, such as 13.5 11"


# -- the memory in the store


def made(root: Path, store: Store) -> FaceSet:
    game, problems = rule_file.load_game(root)
    assert (game is not None, problems) == (True, [])
    assert game is not None
    fonts, _ = game_fonts.prepare_fonts(game, store)
    faces = rendering.render_faces(game, fonts, game.decks, ("en",), store)
    typesetting.typeset_faces(game, faces, store)
    return faces


@pytest.fixture
def root(make_game: MakeGame) -> Path:
    """A game with a text that is too long for its largest size."""
    deck = TEXT_GAME["cards/loot.yaml"].replace("and leave.", "and leave. " + SENTENCE * 5)
    return make_game({**TEXT_GAME, "cards/loot.yaml": deck})


def kept(store: Store) -> Iterator[Path]:
    return (store.folder / fit_cache.SIZES_KIND).iterdir()


def forget_faces(store: Store) -> None:
    for path in (store.folder / "faces").iterdir():
        path.unlink()


def face_bytes(faces: FaceSet, store: Store) -> list[bytes]:
    return [store.get_path("faces", f"{face.key}.pdf").read_bytes() for face in faces.faces]


def test_a_memory_that_is_damaged_is_made_anew(
    root: Path, layouts: Layouts, one_process: None
) -> None:
    store = Store(root / "build/.store")
    first = face_bytes(made(root, store), store)
    whole = {path: path.read_bytes() for path in kept(store)}
    assert whole
    for spoilt in (b"", b"{}", b"\0" * 400):
        for path in whole:
            path.write_bytes(spoilt)
        forget_faces(store)
        _, tried = layouts.of(lambda: made(root, store))
        assert tried > 0
        assert {path: path.read_bytes() for path in kept(store)} == whole
    forget_faces(store)
    assert layouts.of(lambda: made(root, store))[1] == 0
    assert face_bytes(made(root, store), store) == first


@pytest.mark.parametrize(
    ("more", "searches"),
    [
        ("color: #123456", False),
        ("background: #abcdef; border-radius: 2mm", False),
        ("letter-spacing: 0.2mm", True),
        ("border: 1mm solid #123456", True),
    ],
)
def test_what_only_paints_searches_nothing(
    root: Path, layouts: Layouts, one_process: None, more: str, searches: bool
) -> None:
    store = Store(root / "build/.store")
    made(root, store)
    style = root / "templates/card.css"
    style.write_text(
        style.read_text(encoding="utf-8").replace("}", f"; {more} }}"), encoding="utf-8"
    )
    faces, boxes = layouts.of(lambda: made(root, store))
    assert faces > 0
    assert bool(boxes) == searches
