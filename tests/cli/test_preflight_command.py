"""`cardgen preflight`: what it prints, what it exits with, and a printer's own file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from print_files import GROUND, PrintFile

from cardgen.cli.command_line import cli
from cardgen.core.units import Size
from cardgen.pdf.preflight import printer_spec

RED = b"1 0 0 rg 20 20 9 9 re f"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a sound file, and one with a stray colour on its second page."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sound.pdf").write_bytes(PrintFile().made())
    stray = PrintFile(contents=[GROUND, GROUND + RED])
    (tmp_path / "stray.pdf").write_bytes(stray.made())
    return tmp_path


def run(*arguments: str) -> tuple[int, list[str], list[str]]:
    """The exit code, and the lines of both outputs."""
    found = CliRunner().invoke(cli, ["preflight", *arguments])
    return found.exit_code, found.stdout.splitlines(), found.stderr.splitlines()


TOLD = (
    "stray.pdf:page 2: warning: RGB in drawings, in a file that is made for inks: the press turns "
    "it into inks in its own way; turn it into inks with the printer's profile [colour]"
)


def test_files_are_told_one_after_another(folder: Path) -> None:
    code, out, err = run("sound.pdf", "stray.pdf")
    assert (code, err) == (0, [TOLD])
    assert out == [
        "sound.pdf: no problems",
        "  PDF 1.3, 3 pages of 69.85 × 95.25 mm, trim 63.50 × 88.90 mm",
        "  colours: CMYK",
        "  ink: at most 30 % of one colour (drawings, page 1)",
        "stray.pdf: 1 warning",
        "  PDF 1.3, 2 pages of 69.85 × 95.25 mm, trim 63.50 × 88.90 mm",
        "  colours: CMYK, RGB",
        "  ink: at most 30 % of one colour (drawings, page 1)",
    ]


def test_codes(folder: Path) -> None:
    assert run("stray.pdf", "--strict")[0] == 1
    assert run("sound.pdf", "--strict")[0] == 0
    assert run("stray.pdf", "--for", "drivethrucards")[0] == 1
    assert run("no.pdf")[0] == 2
    code, _, err = run("sound.pdf", "--for", "tgc", "--spec", "sound.pdf")
    assert (code, err[-1]) == (2, "Error: --for and --spec are two printers; name one of them")


def test_for_machines(folder: Path) -> None:
    code, out, err = run("stray.pdf", "--problems", "json")
    (found,) = json.loads("\n".join(out))
    assert (code, err, found["kind"], found["line"]) == (0, [], "colour", 2)
    assert run("stray.pdf", "--problems", "github")[1][0].startswith("::warning file=stray.pdf")


OWN = """name: Kettu
sizes: [poker, 59 x 92]
bleed: 3
boxes: true
pages: {least: 2, most: 108, by: 2}
colours: [cmyk, gray, spot]
spots: [Varnish]
ink: 300
resolution: 300
line: 0.25
transparency: true
pdf-x: [X-4]
intent: true
black-text: overprinting
"""


def test_a_printer_of_ones_own(folder: Path) -> None:
    (folder / "kettu.yaml").write_text(OWN, encoding="utf-8")
    own, problems = printer_spec.load_spec(folder / "kettu.yaml")
    assert own is not None
    assert problems == []
    assert own.sizes == {"poker": Size(63.5, 88.9), "59 x 92": Size(59, 92)}
    code, _, err = run("stray.pdf", "--spec", "kettu.yaml")
    assert code == 1
    assert [line.rpartition("[")[2] for line in err] == ["intent]", "pdf-x]", "colour]"]


WRONG = """name: Kettu
sizes: [pokker, 2.5 x 3.5 in]
bleed: 3mm
bleeds: 3
colours: [cmyk, grey]
pages: {least: 9, most: 2}
spots: [Varnish]
black-text: one ink
"""


def test_mistakes_of_a_printers_file_are_told_at_their_lines(folder: Path) -> None:
    (folder / "kettu.yaml").write_text(WRONG, encoding="utf-8")
    code, out, err = run("sound.pdf", "--spec", "kettu.yaml")
    assert (code, out) == (1, [])
    assert err == [
        "kettu.yaml:2: error: a size is 'pokker'; expected one such as 63.5 x 88.9 or 2.5 x 3.5 "
        "in; did you mean 'poker'? [size]",
        "kettu.yaml:3: error: bleed is '3mm'; expected a length from 0 to 30 mm [size]",
        "kettu.yaml:4: error: unknown field 'bleeds' in a printer's file; did you mean 'bleed'? "
        "[fields]",
        "kettu.yaml:5: error: colours: there is no 'grey'; did you mean 'gray'? [type]",
        "kettu.yaml:6: error: pages: least is 9, which is more than most, 2 [type]",
        "kettu.yaml:7: error: spots: needs spot in colours:; add it there, or remove spots: [type]",
        "kettu.yaml:8: error: black-text is 'one ink'; did you mean 'one-ink'? [type]",
    ]


def test_what_is_no_printers_file(folder: Path) -> None:
    for text, said in (
        ("- 1\n", "it is a list; a printer's file has name:, sizes:, bleed: and more [type]"),
        ("bleed: 3\n", "name: is missing; write who prints [missing]"),
        ("a: [\n", "[yaml]"),
    ):
        (folder / "own.yaml").write_text(text, encoding="utf-8")
        code, _, err = run("sound.pdf", "--spec", "own.yaml")
        assert code == 1
        assert err[0].endswith(said)


def test_shops_are_written_as_a_printers_own() -> None:
    assert printer_spec.load_shops()["tgc"].sizes["SquareDeck"] == Size(88.9, 88.9)
    assert [each.name for each in printer_spec.load_shops().values()] == [
        "MakePlayingCards", "The Game Crafter", "DriveThruCards", "BoardGamesMaker",
    ]  # fmt: skip


def test_a_shop_of_a_game_is_named_as_cardgens_own(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    (folder / "shops").mkdir()
    (folder / "shops/kettu.yaml").write_text("name: Kettu\nsizes: [59 x 92]\n", encoding="utf-8")
    code, _, err = run("sound.pdf", "--for", "kettu")
    assert code == 1
    assert "Kettu" in err[0]
    code, _, err = run("sound.pdf", "--for", "ketu")
    assert (code, err[-1]) == (2, "Error: --for: there is no shop 'ketu'; did you mean 'kettu'?")


def test_the_schema_knows_every_key() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    import yaml  # noqa: PLC0415

    jsonschema.Draft7Validator.check_schema(printer_spec.SPEC_SCHEMA)
    jsonschema.validate(yaml.safe_load(OWN), printer_spec.SPEC_SCHEMA)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(yaml.safe_load(WRONG), printer_spec.SPEC_SCHEMA)
