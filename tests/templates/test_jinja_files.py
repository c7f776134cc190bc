"""Files with Jinja in them: compiled once in a process, as long as they say the same."""

from __future__ import annotations

import pytest

from cardgen.templates import jinja_files
from cardgen.templates.sandbox import Sandbox


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that are compiled from now on."""
    monkeypatch.setattr(jinja_files.CompiledTemplates, "_codes", {})
    found: list[str] = []
    whole = Sandbox._compile

    def noted(self: Sandbox, source: str, filename: str) -> object:
        found.append(filename)
        return whole(self, source, filename)

    monkeypatch.setattr(Sandbox, "_compile", noted)
    return found


def filled(text: str, *, path: str = "a.html", **options: object) -> str:
    environment = jinja_files.make_environment(lambda name: (text, path), **options)  # type: ignore[arg-type]
    return environment.get_template("a").render(word="<b>")


def test_the_same_text_is_compiled_once(compiled: list[str]) -> None:
    assert filled("1 {{ word }}") == filled("1 {{ word }}") == "1 <b>"
    assert compiled == ["a.html"]
    assert filled("2 {{ word }}") == "2 <b>"
    assert len(compiled) == 2


def test_other_options_and_other_files_are_other_codes(compiled: list[str]) -> None:
    assert filled("{{ word }}") == "<b>"
    assert filled("{{ word }}", autoescape=True) == "&lt;b&gt;"
    assert filled("{{ word }}", path="b.html") == "<b>"
    assert filled("{{ word }}{# no #}", comment_start_string="{##") == "<b>{# no #}"
    assert compiled == ["a.html", "a.html", "b.html", "a.html"]


def test_old_codes_are_forgotten(compiled: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jinja_files.CompiledTemplates, "_MAX_COMPILED", 3)
    for number in range(20):
        filled(f"{number} {{{{ word }}}}")
        assert len(jinja_files.CompiledTemplates._codes) <= 3
