"""CSS that is passed over: what is told, and what to write instead."""

from __future__ import annotations

import pytest

from cardgen.pdf.weasyprint_adapter import (
    find_selector_line,
    format_bad_selector,
    format_ignored_declaration,
    format_other_message,
)


@pytest.mark.parametrize(
    ("written", "hint"),
    [
        ("left: 5mm top: 5mm", "; is a ; missing?"),
        ("left: 5", "; a length has a unit, 5mm"),
        ("left: 5 mm", "; no space stands before the unit, 5mm"),
        ("left: 5,5mm", "; decimals follow a point, 5.5"),
        ("margin: 5mm 2,5mm", "; decimals follow a point, 2.5"),
        ("background: f1e6cf", "; a colour begins with #, #f1e6cf"),
        ("background: #f1e6cg", "; a colour is # and six signs, 0 to 9 and a to f"),
        ("color: var(ink)", "; a variable begins with --, as in var(--ink)"),
        ("font-family: “Lato“ Black!", "; quotes are straight, \"…\" or '…'"),
        ("position: absolut", "; did you mean 'absolute'?"),
        ("text-align: centre", "; did you mean 'center'?"),
        ("flex: what", ""),
    ],
)
def test_a_value_that_is_none(written: str, hint: str) -> None:
    told = f"'{written}' is ignored: invalid value{hint}"
    assert format_ignored_declaration(written, "invalid value.", ()) == told


def test_a_property_that_is_none() -> None:
    told = "'colour: red' is ignored: unknown property; did you mean 'color'?"
    assert format_ignored_declaration("colour: red", "unknown property.", {"color", "left"}) == told


def test_what_is_no_selector() -> None:
    text = ".name { left: 5mm\n.cargo { top: 5mm }\n// a remark\n.text { top: 5mm }\n"
    nested = ":is(.name ) left: 5mm .cargo "
    assert (
        format_bad_selector(nested)
        == "'left: 5mm .cargo' is no selector; a } or ; is missing before it"
    )
    assert find_selector_line(text, nested) == 1
    assert format_bad_selector("// a remark .text ") == (
        "'// a remark .text' is no selector; a comment is written /* … */"
    )
    assert find_selector_line(text, "// a remark .text ") == 3
    assert (
        format_bad_selector("} .hint ") == "'} .hint' is no selector; a } before it closes nothing"
    )
    assert (
        format_bad_selector("a:hoover")
        == "the selector 'a:hoover' is not known, and its rule passed over"
    )


def test_the_rest() -> None:
    stop = "Error: Stop token reached before {} block for a qualified rule."
    assert format_other_message(stop) == "what stands there is neither a rule nor PROPERTY: VALUE;"
    assert format_other_message("Something else") == "Something else"
