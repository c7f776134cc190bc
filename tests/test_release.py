"""What is released: its version, and what `distribution/try_release.py` looks at."""

from __future__ import annotations

import re
import tomllib
import zipfile
from pathlib import Path

import pikepdf
import pytest
import try_release
from conftest import ROOT
from PIL import Image
from try_release import A4, POKER, SHEETS, SOURCES, Wrong

from cardgen import system_libraries

VERSION: str = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
# What says with which version figures were made, and what was changed in which.
MADE_WITH = ("performance.md", "reliability.md", "CHANGELOG.md")
# What readers copy: a workflow and a hook name a release by its tag.
COPIED = "teams.md"


def test_the_version_stands_in_one_place() -> None:
    kinds = ("*.py", "*.md", "*.yaml", "*.yml", "*.html", "Dockerfile")
    folders = [ROOT / name for name in ("cardgen", "distribution", "docs", ".github", "tests")]
    files = [file for folder in folders for kind in kinds for file in folder.rglob(kind)]
    files += [file for kind in kinds for file in ROOT.glob(kind) if file.name != "game.yaml"]
    version = re.compile(
        rf"cardgen\W{{0,3}}v?{re.escape(VERSION)}|version\W{{1,4}}{re.escape(VERSION)}"
    )
    assert len(files) > 300
    assert [
        str(file.relative_to(ROOT))
        for file in files
        if file.name not in (*MADE_WITH, COPIED)
        and version.search(file.read_text(encoding="utf-8"))
    ] == []


def test_what_readers_copy_names_this_release() -> None:
    text = (ROOT / "docs" / COPIED).read_text(encoding="utf-8")
    named = re.findall(r"cardgen@v([\d.]+)|rev: v([\d.]+)", text)
    assert {action or hook for action, hook in named} == {VERSION}
    assert len(named) == 3


def test_the_newest_release_of_the_changelog_is_the_version() -> None:
    lines = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()
    headings = [line.removeprefix("## ") for line in lines if line.startswith("## ")]
    assert headings[0] == "Unreleased"
    assert re.fullmatch(rf"{re.escape(VERSION)} – \d{{4}}-\d\d-\d\d", headings[1])


def test_the_versions_of_python_are_those_that_are_tried() -> None:
    named = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["classifiers"]
    python = "Programming Language :: Python :: 3."
    assert [f"3.{each.removeprefix(python)}" for each in named if each.startswith(python)] == [
        *try_release.WANTED
    ]
    for workflow in ("test.yml", "release.yml"):
        text = (ROOT / ".github/workflows" / workflow).read_text(encoding="utf-8")
        assert sorted(set(re.findall(r"\b3\.1\d\b", text))) == [*try_release.WANTED]


def test_each_python_is_tried_in_each_way() -> None:
    ways = list(try_release.WAYS)
    assert try_release.planned(["3.11", "3.12"], some=False) == [
        (python, way) for python in ("3.11", "3.12") for way in ways
    ]
    assert try_release.planned(["3.11", "3.12", "3.13"], some=True) == [
        *(("3.11", way) for way in ways),
        ("3.12", ways[1]),
        ("3.13", ways[2]),
    ]


def wheel(path: Path, files: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w") as made:
        for name, text in files.items():
            made.writestr(name, text)
    return path


def test_what_two_wheels_hold_is_compared(tmp_path: Path) -> None:
    one = wheel(tmp_path / "one.whl", {"a.py": "1", "b.py": "2", "c.py": "3"})
    same = wheel(tmp_path / "same.whl", {"c.py": "3", "a.py": "1", "b.py": "2"})
    other = wheel(tmp_path / "other.whl", {"a.py": "1", "b.py": "22", "d.py": "4"})
    assert try_release.differences(one, same) == []
    assert try_release.differences(one, other) == ["b.py", "c.py", "d.py"]


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """A folder as a build of a new game leaves it."""
    for name, pages in (("sheets.pdf", SHEETS), ("rulebook.pdf", 2)):
        pdf = pikepdf.new()
        for _ in range(pages):
            pdf.add_blank_page(page_size=A4)
        pdf.save(tmp_path / name)
    (tmp_path / "images/mygame").mkdir(parents=True)
    for name in ("tug", "crane", "crane-back"):
        Image.new("RGB", POKER).save(tmp_path / f"images/mygame/{name}.png")
    return tmp_path


def test_a_whole_game_is_told(made: Path) -> None:
    assert try_release.looked_at(made, 2) == "4 pages of sheets, 2 different cards, 2 of rules"


def test_a_file_that_is_missing_or_of_another_size_is_told(made: Path) -> None:
    with pytest.raises(Wrong, match="2 pictures of fronts, and 3 cards"):
        try_release.looked_at(made, 3)
    Image.new("RGB", (700, 1050)).save(made / "images/mygame/tug.png")
    with pytest.raises(Wrong, match=r"tug\.png is \(700, 1050\) pixels"):
        try_release.looked_at(made, 2)
    with pikepdf.open(made / "sheets.pdf", allow_overwriting_input=True) as pdf:
        del pdf.pages[-1]
        pdf.save()
    with pytest.raises(Wrong, match=r"sheets\.pdf has 3 pages, not 4"):
        try_release.looked_at(made, 2)
    (made / "rulebook.pdf").unlink()
    with pytest.raises(Wrong, match=r"no rulebook\.pdf"):
        try_release.looked_at(made, 2)


def test_a_command_that_fails_is_told_with_all_that_it_said(tmp_path: Path) -> None:
    with pytest.raises(Wrong, match=r"ended with 2:\n(.|\n)*unexpected argument"):
        try_release.said((try_release.tool("uv"), "--nonsense"), tmp_path)


def dockerfile() -> list[list[str]]:
    """The lines of the Dockerfile as words, each begun by its instruction."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    return [line.split() for line in text.splitlines() if line and not line.startswith("#")]


def test_the_container_has_the_libraries_that_are_looked_for() -> None:
    (installed,) = [line for line in dockerfile() if "apt-get" in line]
    assert [word for word in installed if word.startswith("lib")] == list(
        system_libraries._DEBIAN_PACKAGES
    )


def test_the_container_copies_what_the_wheel_is_built_of() -> None:
    copied = [
        word
        for line in dockerfile()
        if line[0] == "COPY" and not line[1].startswith("--")
        for word in line[1:-1]
    ]
    assert sorted(copied) == sorted(SOURCES)
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert sorted(line[1:] for line in ignored if line.startswith("!")) == sorted(copied)


def test_the_container_runs_cardgen_as_nobody_in_particular() -> None:
    last = {line[0]: line[1:] for line in dockerfile()}
    assert last["USER"] == ["cardgen"]
    assert last["ENTRYPOINT"] == ['["cardgen"]']
    assert last["WORKDIR"] == ["/game"]


def test_a_container_is_left_out_by_name_where_no_engine_answers(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert try_release.contained().startswith("left out: neither docker nor podman")
