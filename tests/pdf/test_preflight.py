"""Preflight: files broken on purpose fail at the right page with the right words."""

from __future__ import annotations

import time
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from pikepdf import Array, Dictionary, Encryption, Name, Pdf, String
from print_files import GROUND, LETTERS, POKER, PrintFile, form, looked_at, picture, told

from cardgen.core import work_limits
from cardgen.core.units import Box, Size
from cardgen.pdf.preflight import (
    bounded_streams,
    inspection,
    page_walker,
    pdf_reader,
    printer_spec,
)
from cardgen.pdf.preflight.pdf_facts import format_page_ranges
from cardgen.pdf.preflight.printer_spec import DEFAULT_SPEC, PrinterSpec


def second(content: bytes, before: bytes = GROUND) -> list[bytes]:
    """Three pages, the middle one with something on it."""
    return [GROUND, before + content, GROUND]


def fonts(_pdf: Pdf) -> Mapping[str, Any]:
    return {"/Font": Dictionary(F=Dictionary(
        Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica))}  # fmt: skip


def states(**given: Any) -> Any:
    return lambda pdf: {
        **drawn_font(pdf),
        "/ExtGState": Dictionary(G=Dictionary({f"/{key}": value for key, value in given.items()})),
    }


def drawn_font(pdf: Pdf) -> Mapping[str, Any]:
    """Letters that are drawings: always embedded."""
    letter = pdf.make_stream(b"500 0 0 0 500 700 d1 0 0 500 700 re f")
    font = Dictionary(
        Type=Name.Font, Subtype=Name.Type3, Name=Name.Drawn, FontBBox=Array([0, 0, 500, 700]),
        FontMatrix=Array([0.001, 0, 0, 0.001, 0, 0]), CharProcs=Dictionary(L=letter),
        Encoding=Dictionary(Differences=Array([76, Name.L])), FirstChar=76, LastChar=76,
        Widths=Array([500]), Resources=Dictionary(),
    )  # fmt: skip
    return {"/Font": Dictionary(F=pdf.make_indirect(font))}


def placed(made: Any) -> Any:
    return lambda pdf: {"/XObject": Dictionary(X=made(pdf))}


def intent(pdf: Pdf) -> None:
    """All that PDF/X-1a asks of a file's head."""
    profile = pdf.make_stream(b"no profile, and long enough", N=4)
    pdf.Root.OutputIntents = Array([Dictionary(
        Type=Name.OutputIntent, S=Name.GTS_PDFX, DestOutputProfile=profile,
        OutputConditionIdentifier=String("FOGRA39"))])  # fmt: skip
    pdf.docinfo["/GTS_PDFXVersion"] = "PDF/X-1a:2003"
    pdf.docinfo["/Title"] = "Loot"
    pdf.docinfo["/Trapped"] = Name("/False")
    pdf.trailer.ID = Array([String("0123456789abcdef"), String("0123456789abcdef")])


SOUND = {"force_version": "1.4"}
DRIVE = printer_spec.load_shops()["drivethrucards"]


def test_a_sound_file_passes(tmp_path: Path) -> None:
    assert told(PrintFile(), tmp_path) == []


def test_a_file_as_a_shop_wants_it_passes(tmp_path: Path) -> None:
    file = PrintFile(contents=[GROUND] * 4, change=intent)
    assert told(file, tmp_path, DRIVE, **SOUND) == []
    assert looked_at(file.made(**SOUND), tmp_path, DRIVE).summary == (
        "PDF/X-1a:2003, 4 pages of 69.85 × 95.25 mm, trim 63.50 × 88.90 mm",
        "colours: CMYK",
        "ink: at most 30 % of one colour (drawings, page 1)",
    )


def test_a_shop_is_told_what_it_does_not_take(tmp_path: Path) -> None:
    heavy = b"1 0.9 0.8 0 k 20 20 40 40 re f\n1 0 0 rg 80 80 9 9 re f\n"
    file = PrintFile(contents=second(heavy), resources=drawn_font)
    assert told(file, tmp_path, DRIVE) == [
        "cards.pdf: error: it has 3 pages; DriveThruCards takes a multiple of 2: one is missing "
        "[pages]",
        "cards.pdf: error: it does not claim to be PDF/X; DriveThruCards asks for PDF/X-1a:2003: "
        "export it so [pdf-x]",
        "cards.pdf:page 2: error: RGB in drawings; DriveThruCards takes CMYK and grey tones: turn "
        "it into inks with the printer's profile [colour]",
        "cards.pdf:page 2: error: 270 % of ink (C100 M90 Y80 K0) in drawings; DriveThruCards "
        "takes 240 %: use a profile with that ink limit, or a lighter colour [ink]",
    ]


BOXES = [
    ({"/TrimBox": None}, "warning: no TrimBox: the page is 69.85 × 95.25 mm, and nothing says"),
    ({"/TrimBox": [-9, 9, 189, 261]}, "error: the TrimBox reaches beyond the BleedBox by 3.17 mm"),
    ({"/BleedBox": [0, 0, 198, 300]}, "error: the BleedBox reaches beyond the page (MediaBox) by"),
    ({"/CropBox": [20, 20, 178, 250]}, "warning: the CropBox cuts 3.88 mm off the trim"),
    ({"/TrimBox": [9, 9, 180, 261]}, "warning: this page is cut to 60.33 × 88.90 mm and page 1 to"),
]  # fmt: skip


@pytest.mark.parametrize(("boxes", "said"), BOXES, ids=lambda each: str(each)[:30])
def test_boxes(boxes: dict[str, Any], said: str, tmp_path: Path) -> None:
    found = told(PrintFile(boxes=lambda n: boxes if n == 2 else {}), tmp_path)
    assert any(line.startswith(f"cards.pdf:page 2: {said}") for line in found), found
    assert all(line.startswith("cards.pdf:page 2: ") for line in found)


def test_sizes_are_those_that_the_printer_has(tmp_path: Path) -> None:
    own = PrinterSpec("Kettu", sizes={"mini": Size(44.45, 63.5)}, bleed=3.5)
    found = told(PrintFile(), tmp_path, own)
    assert found == [
        "cards.pdf:page 1: error: the bleed box ends 3.17 mm from the trim; Kettu asks for 3.5 mm "
        "on every side: make the bleed wider, and let the pictures go on into it (so on pages "
        "2–3, too) [bleed]",
        "cards.pdf:page 1: error: the trim is 63.50 × 88.90 mm; Kettu prints no such size, and "
        "the nearest is mini, 44.45 × 63.50 mm: set the cards in it (so on pages 2–3, too) [size]",
    ]


def test_a_page_without_boxes_is_measured_by_the_bleed_that_is_asked(tmp_path: Path) -> None:
    bare = PrintFile(boxes=lambda _n: {"/TrimBox": None, "/BleedBox": None})
    assert [
        line for line in told(bare, tmp_path, printer_spec.load_shops()["tgc"]) if "[size]" in line
    ] == []


INSIDE = b"0.2 0.1 0 0 k 9 9 180 252 re f\n"
STRIPE = b"0.2 0.1 0 0 k 4 4 190 262 re f\n"
DIAGONALS = b"0.2 0.1 0 0 k\n" + b"".join(
    b"%d 0 m %d 0 l %d 270 l %d 270 l f\n" % (x, x + 12, x + 282, x + 270)
    for x in range(-280, 200, 24)
)


def test_bleed_that_is_blank_is_told(tmp_path: Path) -> None:
    (line,) = told(PrintFile(contents=second(b"", INSIDE)), tmp_path)
    assert line.startswith(
        "cards.pdf:page 2: error: the bleed is blank on the left, right, bottom and top, though "
    )


def test_a_stripe_of_paper_is_told(tmp_path: Path) -> None:
    (line,) = told(PrintFile(contents=second(b"", STRIPE)), tmp_path)
    assert "painted no further than 1.8 mm from the trim on the left, right, bottom and top" in line
    assert line.startswith("cards.pdf:page 2: error: ")


def test_one_side_alone(tmp_path: Path) -> None:
    left = b"0.2 0.1 0 0 k 9 0 189 270 re f\n"
    turned = PrintFile(contents=second(b"", left), boxes=lambda _n: {"/Rotate": 90})
    (line,) = told(turned, tmp_path)
    assert "page 2: error: the bleed is blank on the left, though" in line


@pytest.mark.parametrize("ground", [DIAGONALS, b"", b"0.5 g 40 40 90 90 re f\n"])
def test_stripes_that_run_out_and_white_edges_are_no_fault(ground: bytes, tmp_path: Path) -> None:
    assert told(PrintFile(contents=[ground] * 2), tmp_path) == []


def test_little_bleed_is_told_where_colour_reaches_the_trim(tmp_path: Path) -> None:
    little = {"/BleedBox": [5, 5, 193, 265]}
    (line,) = told(PrintFile(boxes=lambda _n: little), tmp_path)
    assert "page 1: warning: colour reaches the trim, and the page has 1.41 mm of bleed" in line
    assert told(PrintFile(contents=[b""], boxes=lambda _n: little), tmp_path) == []


def test_fonts(tmp_path: Path) -> None:
    black = b"0 0 0 1 k " + LETTERS
    found = told(PrintFile(contents=second(black), resources=fonts), tmp_path)
    assert any(
        line.startswith("cards.pdf:page 2: error: the font Helvetica is not embedded: it is one of")
        for line in found
    )
    unseen = b"3 Tr " + LETTERS
    assert told(PrintFile(contents=second(unseen), resources=fonts), tmp_path) == []
    drawn = b"0.5 0 0 0 k " + LETTERS.replace(b"Loot", b"LL")
    assert told(PrintFile(contents=second(drawn), resources=drawn_font), tmp_path) == []


def rgb_form(pdf: Pdf) -> Any:
    return form(pdf, b"0 1 0 rg 50 50 20 20 re f")


def rgb_mask(pdf: Pdf) -> Mapping[str, Any]:
    """A soft mask whose group is in RGB: it paints nothing."""
    group = Dictionary(S=Name.Transparency, CS=Name.DeviceRGB)
    held = form(pdf, b"1 1 1 rg 0 0 99 99 re f", Group=group)
    mask = Dictionary(S=Name.Luminosity, G=held)
    return {"/ExtGState": Dictionary(G=Dictionary(SMask=mask))}


def rgb_gradient(_pdf: Pdf) -> Mapping[str, Any]:
    ends = Dictionary(FunctionType=2, Domain=Array([0, 1]), N=1,
                      C0=Array([1, 0, 0]), C1=Array([0, 0, 1]))  # fmt: skip
    return {"/Shading": Dictionary(X=Dictionary(
        ShadingType=2, ColorSpace=Name.DeviceRGB, Coords=Array([0, 0, 99, 0]),
        Function=ends))}  # fmt: skip


STRAY = [
    (b"1 0 0 rg 20 20 9 9 re f", lambda _pdf: {}, "drawings"),
    (b"/X Do", placed(rgb_form), "drawings"),
    (b"q 50 0 0 50 20 20 cm /X Do Q",
     placed(lambda pdf: picture(pdf, 300, 300, Name.DeviceRGB, b"\1\2\3" * 90_000)), "pictures"),
    (b"q 2 0 0 2 20 20 cm BI /W 1 /H 1 /CS /RGB /BPC 8 ID abc EI Q", lambda _pdf: {}, "pictures"),
    (b"/X sh", rgb_gradient, "gradients"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "resources", "what"), STRAY, ids=lambda each: str(each)[:20])
def test_stray_rgb(content: bytes, resources: Any, what: str, tmp_path: Path) -> None:
    (line,) = told(PrintFile(contents=second(content), resources=resources), tmp_path)
    assert line.startswith(f"cards.pdf:page 2: warning: RGB in {what}, in a file that is made for")


def test_a_soft_mask_paints_nothing(tmp_path: Path) -> None:
    file = PrintFile(contents=second(b"/G gs 0.1 0 0 0 k 20 20 9 9 re f"), resources=rgb_mask)
    assert told(file, tmp_path) == []
    (line,) = told(file, tmp_path, PrinterSpec("Kettu", transparency=False))
    assert line == (
        "cards.pdf:page 2: error: transparency (soft masks); Kettu takes none: flatten it "
        "[transparency]"
    )


def test_a_file_in_rgb_alone_has_no_stray_rgb(tmp_path: Path) -> None:
    file = PrintFile(contents=[b"1 0 0 rg 0 0 198 270 re f\n"] * 2)
    assert told(file, tmp_path) == []
    (line,) = told(file, tmp_path, PrinterSpec("Kettu", colours=("cmyk",)))
    assert line.startswith("cards.pdf:page 1: error: RGB in drawings; Kettu takes CMYK: turn it")
    assert line.endswith("(so on page 2, too) [colour]")


def test_ink_of_pictures(tmp_path: Path) -> None:
    dark = b"\xf0\xf0\xf0\x80" * 90_000
    file = PrintFile(
        contents=second(b"q 50 0 0 50 20 20 cm /X Do Q"),
        resources=placed(lambda pdf: picture(pdf, 300, 300, data=dark)),
    )
    (line,) = told(file, tmp_path)
    assert line.startswith(
        "cards.pdf:page 2: warning: 332 % of ink (300 × 300 px) in pictures; a printer takes 300 %"
    )
    assert told(file, tmp_path, PrinterSpec("Kettu", max_ink=340)) == []


def test_spot_colours_are_those_that_the_printer_has(tmp_path: Path) -> None:
    def spot(pdf: Pdf) -> Mapping[str, Any]:
        ink = Dictionary(FunctionType=2, Domain=Array([0, 1]), N=1,
                         C0=Array([0, 0, 0, 0]), C1=Array([0, 0, 0, 1]))  # fmt: skip
        space = Array([Name.Separation, Name.Varnsh, Name.DeviceCMYK, ink])
        return {"/ColorSpace": Dictionary(S=space)}

    file = PrintFile(contents=second(b"/S cs 1 scn 20 20 9 9 re f"), resources=spot)
    own = PrinterSpec("Kettu", colours=("cmyk", "spot"), spots=("Varnish",))
    assert told(file, tmp_path, own) == [
        "cards.pdf:page 2: error: the spot colour 'Varnsh' is not one that Kettu has; did you mean "
        "'Varnish'? [colour]"
    ]
    assert told(file, tmp_path) == []


BLACK = [
    (b"0.6 0.4 0.4 1 k ", {}, "black text of several inks"),
    (b"0 0 0 1 k ", {}, "black text knocks out what lies below it: where inks are a hair apart"),
    (
        b"/G gs 0 0 0 1 k ",
        {"op": True},
        "black text knocks out what lies below it: overprint is switched on, but in mode 0",
    ),
    (b"0 0 0 rg ", {}, "black text in RGB, which the press makes of several inks"),
    (b"/G gs 0 0 0 1 k ", {"op": True, "OPM": 1}, ""),
]


@pytest.mark.parametrize(("colour", "state", "said"), BLACK)
def test_black_text(colour: bytes, state: dict[str, Any], said: str, tmp_path: Path) -> None:
    letters = colour + LETTERS.replace(b"Loot", b"LL")
    file = PrintFile(contents=second(letters), resources=states(**state))
    found = [line for line in told(file, tmp_path) if "[black]" in line]
    assert len(found) == bool(said)
    assert all(line.startswith(f"cards.pdf:page 2: warning: {said}") for line in found)
    assert all("smallest: 9 pt" in line for line in found)


def test_white_that_overprints_is_gone(tmp_path: Path) -> None:
    white = b"/G gs 0 0 0 0 k 50 50 20 20 re f"
    file = PrintFile(contents=second(white), resources=states(op=True, OPM=1))
    (line,) = told(file, tmp_path)
    assert line == (
        "cards.pdf:page 2: error: white overprints: on the press it is not there at all; let it "
        "knock out [overprint]"
    )


@pytest.mark.parametrize(
    ("white", "mode", "kinds"),
    [
        (b"1 g", 1, ["white in DeviceGray overprints"]),
        (b"0 0 0 0 k", 0, []),  # it knocks out
        (b"1 0 0 0 k", 0, ["colours other than black overprint"]),
    ],
)
def test_what_else_overprints(white: bytes, mode: int, kinds: list[str], tmp_path: Path) -> None:
    content = b"/G gs " + white + b" 50 50 20 20 re f"
    file = PrintFile(contents=second(content), resources=states(op=True, OPM=mode))
    found = [line for line in told(file, tmp_path) if "[overprint]" in line]
    assert len(found) == len(kinds)
    for line, said in zip(found, kinds, strict=True):
        assert line.startswith(f"cards.pdf:page 2: warning: {said}")


def test_a_page_that_is_turned_is_told(tmp_path: Path) -> None:
    def turn(pdf: Pdf) -> None:
        pdf.pages[1].obj.Rotate = 90

    (line,) = told(PrintFile(contents=[GROUND] * 3, change=turn), tmp_path)
    assert line.startswith("cards.pdf:page 2: warning: the page is turned by 90° (Rotate)")


def test_a_file_that_is_cut_off_is_told_before_what_is_left_of_it(tmp_path: Path) -> None:
    whole = PrintFile(contents=[GROUND] * 3).made()
    assert str(looked_at(whole[:-60], tmp_path).problems[0]) == (
        "cards.pdf: error: the file is cut off or damaged, and what follows is of what could be "
        "read: export or send it again [broken]"
    )


@pytest.mark.parametrize(
    ("side", "said"),
    [(72, "error: a picture of 144 × 144 px is placed at 25.4 × 25.4 mm, 144 dpi; a printer asks "
          "for 200: take a larger one, or place it smaller"),
     (40, "warning: a picture of 144 × 144 px is placed at 14.1 × 14.1 mm, 259 dpi; 300 is usual"),
     (34, "")],
)  # fmt: skip
def test_resolution_as_pictures_are_placed(side: int, said: str, tmp_path: Path) -> None:
    content = b"q %d 0 0 %d 50 50 cm /X Do Q" % (side, side)
    nested = placed(lambda pdf: form(pdf, content, Resources=Dictionary(
        XObject=Dictionary(X=picture(pdf, 144, 144)))))  # fmt: skip
    found = told(PrintFile(contents=second(b"/X Do"), resources=nested), tmp_path)
    assert len(found) == bool(said)
    assert all(line.startswith(f"cards.pdf:page 2: {said}") for line in found), found


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"0 w 20 20 m 90 90 l S", "a line of no width at all, as thin as the press can"),
     (b"0.1 0 0 0.1 0 0 cm 2 w 20 20 m 900 900 l S", "a line of 0.20 pt; a press loses what"),
     (b"0 0 0 1 k 20 20 60 0.1 re f", "a line of 0.10 pt"),
     (b"0.3 w 20 20 m 90 90 l S", "")],
)  # fmt: skip
def test_hairlines(content: bytes, said: str, tmp_path: Path) -> None:
    found = told(PrintFile(contents=second(content)), tmp_path)
    assert len(found) == bool(said)
    assert all(line.startswith(f"cards.pdf:page 2: warning: {said}") for line in found), found


def test_scripts_notes_and_locks(tmp_path: Path) -> None:
    def noted(pdf: Pdf) -> None:
        pdf.Root.OpenAction = Dictionary(S=Name.JavaScript, JS=String("app.alert(1)"))
        pdf.pages[1].obj.Annots = Array([Dictionary(Type=Name.Annot, Subtype=Name.Text)])

    found = told(PrintFile(change=noted), tmp_path)
    assert [line.split(";")[0] for line in found] == [
        "cards.pdf: error: an action that runs when it is opened",
        "cards.pdf:page 2: warning: notes or fields (Text) are on the page, and a "
        "printer may print them or not",
    ]
    (line,) = told(PrintFile(), tmp_path, encryption=Encryption(owner="a", user=""))
    assert line.startswith("cards.pdf: error: the file is encrypted")
    (line,) = told(PrintFile(), tmp_path, encryption=Encryption(owner="a", user="b"))
    assert line.startswith("cards.pdf: error: it opens only with a password")


def test_what_a_file_claims_is_held_to(tmp_path: Path) -> None:
    def claims(pdf: Pdf) -> None:
        pdf.docinfo["/GTS_PDFXVersion"] = "PDF/X-4"

    found = told(PrintFile(change=claims), tmp_path)
    assert [line.split(";")[0].split(": ", 2)[2] for line in found if "page" not in line] == [
        "it has no output intent, which says for which press and paper its inks are meant: export "
        "it with the printer's profile [intent]",
        "it claims to be PDF/X-4, and does not say whether it is trapped (Trapped in its "
        "information) [pdf-x]",
        "it claims to be PDF/X-4, and has no title [pdf-x]",
    ]
    seen = PrintFile(
        contents=second(b"/G gs 20 20 9 9 re f"), resources=states(ca=0.5), change=intent
    )
    (line,) = told(seen, tmp_path, DEFAULT_SPEC, **SOUND)
    assert line.startswith("cards.pdf:page 2: error: it claims to be PDF/X-1a:2003, which allows")


# -- a stranger's files


def test_what_is_no_pdf(tmp_path: Path) -> None:
    for data in (b"", b"%PDF-1.7\n", b"\x89PNG"):
        (problem,) = looked_at(data, tmp_path).problems
        assert problem.kind == "broken"


def test_a_bomb_is_not_unpacked(tmp_path: Path) -> None:
    most = 2_000_000
    bomb = zlib.compress(b"0 g " * most)

    def packed(pdf: Pdf) -> None:
        stream = pdf.make_stream(b"")
        stream.write(bomb, filter=Name.FlateDecode)
        pdf.pages[1].obj.Contents = stream

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bounded_streams, "MAX_STREAM_BYTES", most)
        patch.setattr(bounded_streams.check_stream_size, "__defaults__", (most,))
        (line,) = told(PrintFile(change=packed), tmp_path)
    assert "page 2: warning: its content unpacks to more than 2 MB; what depends on it" in line


def test_forms_within_themselves_end(tmp_path: Path) -> None:
    def loop(pdf: Pdf) -> Mapping[str, Any]:
        made = pdf.make_indirect(form(pdf, b"q 0.99 0 0 0.99 0 0 cm /X Do /X Do Q"))
        made.Resources = Dictionary(XObject=Dictionary(X=made))
        return {"/XObject": Dictionary(X=made)}

    (line,) = told(PrintFile(contents=second(b"/X Do"), resources=loop), tmp_path)
    assert "page 2: warning: a form stands in itself, or too deep in others; what depends" in line


def test_operators_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_walker, "MAX_OPERATORS", 50)
    (line,) = told(PrintFile(contents=second(b"0 g " * 60)), tmp_path)
    assert "page 2: warning: its content has more than" in line


def test_operators_that_are_wrong_are_passed_over(tmp_path: Path) -> None:
    wrong = b"(a) w /X cs 1 2 re 7 gs /No Do [1 2 (x)] 0 d 1 0 0 rg 20 20 9 9 re f"
    found = told(PrintFile(contents=second(wrong)), tmp_path)
    assert any("page 2: warning: RGB in drawings" in line for line in found)
    assert any("page 2: warning: an operator is wrong (w)" in line for line in found)


def test_pages_in_words() -> None:
    assert format_page_ranges([3]) == "page 3"
    assert format_page_ranges([2, 3, 4, 9]) == "pages 2–4 and 9"
    assert format_page_ranges(range(1, 60, 3)) == "20 pages from 1 to 58"


def test_the_usual_asks_for_no_size() -> None:
    assert DEFAULT_SPEC.find_size_name(Size(*POKER)) is None


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("/Group", 5), ("/Group", Name.X), ("/Resources", 5), ("/Contents", 5), ("/Rotate", Name.X),
        ("/TrimBox", Name.X), ("/TrimBox", Array([Name.X] * 4)), ("/Annots", 5), ("/UserUnit", "x"),
    ],
)  # fmt: skip
def test_values_of_another_kind_are_no_bug(path: str, value: Any, tmp_path: Path) -> None:
    def spoil(pdf: Pdf) -> None:
        pdf.pages[0].obj[path] = value
        intent(pdf)
        pdf.Root.OutputIntents[0].DestOutputProfile.N = Name.X

    found = looked_at(PrintFile(change=spoil).made(), tmp_path, DRIVE)
    assert any(problem.kind == "broken" for problem in found.problems)


def test_a_page_as_thin_as_a_thread_is_looked_at_in_few_pixels() -> None:
    for page in (Box(0, 0, 0.001, 900_000), Box(0, 0, 900_000, 0.001), Box(0, 0, 9e5, 9e5)):
        most = max(page.width, page.height) / 25.4 * pdf_reader._get_resolution(page)
        assert round(most) <= 20_000
    assert pdf_reader._get_resolution(Box(0, 0, 210, 297)) == pdf_reader.BLEED_DPI


def test_many_slow_pages_have_a_limit_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left: list[float] = []

    def note_deadlines(*_: Any) -> None:
        now = time.process_time()
        left.extend(block.deadline - now for block in work_limits._limit_state.blocks)
        raise TypeError

    monkeypatch.setattr(pdf_reader, "_read_page", note_deadlines)
    looked_at(PrintFile().made(), tmp_path, DRIVE)
    whole, page = left
    assert page <= inspection.PAGE_SECONDS < whole <= inspection.FILE_SECONDS
