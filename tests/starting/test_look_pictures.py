"""The pictures of a look in each style."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from PIL import Image

from cardgen.cli.command_line import cli
from cardgen.looks import look_catalogue
from cardgen.starting import look_pictures


@pytest.mark.parametrize("look", ["classic", "token"])
def test_a_look_is_drawn_in_its_own_style_and_in_others(look: str) -> None:
    found = look_catalogue.load_look(look)
    one = look_pictures.draw_styles(found, [])
    three = look_pictures.draw_styles(found, ["night", "candy"])
    assert three.width > 2.8 * one.width
    assert three.height == one.height
    columns = [three.crop((n * three.width // 3, 0, (n + 1) * three.width // 3, 400))
               for n in range(3)]  # fmt: skip
    assert len({column.resize((8, 8)).tobytes() for column in columns}) == 3


def test_the_command_draws_every_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        look_pictures, "draw_styles", lambda look, styles: Image.new("RGB", (len(styles), 2))
    )
    result = CliRunner().invoke(cli, ["looks", "--styles", str(tmp_path / "drawn")])
    assert result.exit_code == 0
    drawn = sorted((tmp_path / "drawn").iterdir())
    assert [path.stem for path in drawn] == sorted(look_catalogue.list_looks())
    assert Image.open(drawn[0]).width >= 8
