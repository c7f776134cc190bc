"""`make setup` compiles cardgen and its libraries, so that no command compiles them anew."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from importlib.metadata import distribution, requires
from importlib.util import cache_from_source
from pathlib import Path

import pytest
from code_map import FILES
from conftest import ROOT


def list_library_modules() -> Iterator[Path]:
    """Yield the modules of every library that a plain installation of cardgen has."""
    waiting, seen = [name for name in requires("cardgen") or () if "extra ==" not in name], set()
    while waiting:
        name = re.split(r"[^\w.-]", waiting.pop())[0].lower()
        if name not in seen:
            seen.add(name)
            found = distribution(name)
            waiting += [each for each in found.requires or () if ";" not in each]
            files = (Path(str(file.locate())) for file in found.files or ())
            yield from (file for file in files if file.suffix == ".py" and "test" not in file.parts)


@pytest.mark.skipif(Path(sys.prefix) != ROOT / ".venv", reason="another environment than make's")
def test_byte_code_is_there_after_setup() -> None:
    modules = [*FILES, *list_library_modules()]
    assert len(modules) > 1000
    assert [str(file) for file in modules if not Path(cache_from_source(str(file))).exists()] == []
