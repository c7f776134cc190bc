"""Markdown of GitHub and other tools in a rulebook: what is printed, and what is reported."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from markupsafe import escape

from cardgen.book import editions
from cardgen.book.model import BookSelection
from cardgen.rules import rule_file

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>'


def write(
    root: Path, text: str, language: str = "en", head: str = "# Book\n\n"
) -> tuple[str, list[str]]:
    """The HTML of a book, and its problems."""
    for folder in ("cards", "rulebook", "art/icons"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    (root / "game.yaml").write_text(f"title: Harbour\nlanguages: [{language}]\n")
    (root / "cards/a.yaml").write_text(
        "deck: a\ntitle: A\nlook: text\ncards: [{id: a, text: Hi}]\n"
    )
    (root / "art/icons/anchor.svg").write_text(SVG)
    (root / f"rulebook/{language}.md").write_text(f"{head}{text}", encoding="utf-8")
    game, problems = rule_file.load_game(root)
    assert game is not None
    assert problems == []
    books = editions.write_books(game, BookSelection((language,)), frozenset())
    return books.books[0].html, list(dict.fromkeys(map(str, books.problems)))


@pytest.mark.parametrize(
    ("kind", "language", "word"),
    [
        ("NOTE", "en", "Note"),
        ("TIP", "fi", "Vinkki"),
        ("IMPORTANT", "en", "Important"),
        ("WARNING", "fi", "Varoitus"),
        ("CAUTION", "ru", "Осторожно"),
    ],
)
def test_a_note_is_a_box(kind: str, language: str, word: str, tmp_path: Path) -> None:
    text = f"> [!{kind}]\n> Version **0.9**.\n>\n> More.\n\n> Just said.\n"
    html, problems = write(tmp_path, text, language)
    assert problems == []
    assert f'<section class="box {kind.lower()}">' in html
    assert f'<span class="box-kind">{word} </span>' in html
    assert "[!" not in html
    assert html.count("<blockquote>") == html.count("</blockquote>") == 1
    assert html.count("<section") == html.count("</section>") == 1


def test_a_problem_in_a_note_stands_at_its_line(tmp_path: Path) -> None:
    _, problems = write(tmp_path, "> [!NOTE]\n> A {coin}.\n")
    assert [each.partition(": ")[0] for each in problems] == ["rulebook/en.md:4"]


def test_a_note_of_an_unknown_kind_is_told(tmp_path: Path) -> None:
    html, problems = write(tmp_path, "> [!TYP]\n> Words.\n")
    assert problems == [
        "rulebook/en.md:3: warning: no box 'typ'; did you mean 'tip'?; it is printed as a note "
        "[box]"
    ]
    assert '<section class="box note titled">' in html


def test_a_task_list_has_boxes_to_tick(tmp_path: Path) -> None:
    html, problems = write(tmp_path, "- [ ] 1 board\n- [x] 54 cards\n- [y] other\n")
    assert problems == []
    assert '<li class="task-item"><span class="task"></span>1 board</li>' in html
    assert '<li class="task-item"><span class="task done"></span>54 cards</li>' in html
    assert "<li>[y] other</li>" in html


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("54 cards :anchor:", "':anchor:' is printed as it is; write {anchor}"),
        ("Well done :tada:", "':tada:' is printed as it is; write the character itself"),
        ("The 2^nd^ player", "'^nd^' is printed as it is; write <sup>…</sup>"),
        (
            "$$ x = 2 $$",
            "'$$ x = 2 $$' is printed as it is; a book sets no formulas, write it as text",
        ),
        ("\\newpage", "'\\newpage' is printed as it is; a page begins at ## Heading {.page}"),
        ("H~2~O", "'~2~' is printed as it is; write <sub>…</sub>"),
        ("%% mine %%", "'%% mine %%' is printed as it is; a comment is <!-- … --> or {## … ##}"),
        ("See [[Setup]].", "'[[Setup]]' is printed as it is; write [words](#heading)"),
        (
            "$E = mc^2$",
            "'$E = mc^2$' is printed as it is; a book sets no formulas, write it as text",
        ),
        ("A\\emph{b}", "'\\emph{b}' is printed as it is; write *italic*"),
        ("!!! note", "'!!! note' is printed as it is; write ::: note, the text and :::"),
        ("[TOC]", "'[TOC]' is printed as it is; write [[toc]] alone on a line"),
        (
            "#Heading",
            "'#Heading' is printed as it is; a heading has a space behind its sign, # Heading",
        ),
        ("Yes :+1:", "':+1:' is printed as it is; write the character itself"),
        (
            "| a |\n| b |",
            "'| a |' is printed as it is; a table has the line |---|---| below its first row, "
            "and a line break is <br>",
        ),
        (
            "• a\n• b",
            "'• a' is printed as it is; an entry of a list begins with - and a space",
        ),
        ("```\nopen", "this listing is not closed; write ``` where it ends"),
        (
            "<!-- open",
            "this comment is not closed, so the text from here on is left out; write -->",
        ),
        ("a ==mark== b", "'==mark==' is printed as it is; write **bold** or <mark>…</mark>"),
        ("a<b and c>d", "<b and c> is printed as text; write \\<b and c> if you mean that"),
        (
            "1 \\( x \\) 2",
            "'\\( x \\)' does not print its backslashes as they are; a book sets no formulas, "
            "write it as text",
        ),
        (
            "[b]Bold[/b]",
            "'[b]' is printed as it is; write **bold** or *italic*, [words](https://…), "
            "![words](art/map.png) or a list",
        ),
        (
            "[red]{.red}",
            "the class .red has no effect; add .red { … } to rulebook/book.css",
        ),
        (
            "Words {.lead}",
            "'{.lead}' is printed as it is; a heading ends with its name, ## Heading {#name}, a "
            "class follows [words]{.name}",
        ),
        (
            "<div>**raw**</div>",
            "'**raw**' is printed as it is; leave the line between the tag and this text empty",
        ),
        (
            "> 5 cards",
            "'>' begins a quotation and is not printed; write \\> if you mean the sign",
        ),
        (
            "2. a\n3. b\n\n1. c",
            "this item is printed with the number 4, not 1; number the items in order; two lists "
            "need a line of text or <!-- --> between them",
        ),
        (
            "    Draw two cards, then discard one.",
            "this is set as a listing, since it begins with four spaces or a tab; remove them, or "
            "write ``` above and below a listing",
        ),
        ("== Setup ==", "'== Setup ==' is printed as it is; a heading is # Heading"),
        (
            ".. note:: Words",
            "'.. note:: Words' is printed as it is; write ::: note, the text and :::",
        ),
        ("a -- b", "'--' is printed as it is; write a dash, – or —"),
        (
            "####### Seven",
            "'####### Seven' is printed as it is; a heading is # to ###### and a space, below an "
            "empty line",
        ),
        (
            "[board](art/my board.png)",
            "'[board](art/my board.pn…' is printed as it is; an address with spaces is "
            "<art/my map.png>",
        ),
        ("a\\ b", "'\\' is printed as it is; a space that does not break is &nbsp;"),
        ("&copy 2", "'&copy' is printed as it is; write the character itself"),
        (
            "&foo;",
            "'&foo;' is printed as it is; there is no character of that name, write it itself",
        ),
        ("a ~b c~ d", "'~b c~' is printed as it is; write ~~words~~"),
        (
            "[^q a]",
            "'[^q a]' is printed as it is; there is no such note; write it on a line of its own, "
            "[^1]: note",
        ),
        ("$d20 + 5$", "'$d20 + 5$' is printed as it is; a book sets no formulas, write it as text"),
        (
            "$\\frac{1}{2}$",
            "'$\\frac{1}{2}$' is printed as it is; a book sets no formulas, write it as text",
        ),
        (
            "a) b\nb) c",
            "'a) b' and the next line run together; begin each with - or 1. and a space",
        ),
        ("– b\n– c", "'– b' and the next line run together; begin each with - and a space"),
        ("-b\n-c", "'-b' and the next line run together; begin each with - and a space"),
        ("1)b\n2)c", "'1)b' and the next line run together; begin each with 1. and a space"),
        (
            "A | B\nC | D",
            "'A | B' and the next line run together; a table has the line |---|---| below its "
            "first row, and a line break is <br>",
        ),
    ],
)
def test_markup_of_other_tools_is_told(text: str, told: str, tmp_path: Path) -> None:
    _, problems = write(tmp_path, f"{text}\n")
    assert [re.sub(r":[0-9]+: ", ":3: ", each) for each in problems] == [
        f"rulebook/en.md:3: warning: {told} [{'html' if 'printed as text' in told else 'markup'}]"
    ]


@pytest.mark.parametrize(
    "text",
    ["5*3*2", "2*3 and 4*5", "2**3 and 4**5", "snake_case_word", "Spieler*innen", "a<b", "R&D"],
)
def test_signs_within_words_are_printed_in_silence(text: str, tmp_path: Path) -> None:
    html, problems = write(tmp_path, f"{text}\n")
    assert problems == []
    assert f"<p>{escape(text)}</p>" in html


def test_a_class_of_the_books_own_stylesheet_is_known(tmp_path: Path) -> None:
    (tmp_path / "rulebook").mkdir()
    (tmp_path / "rulebook/book.css").write_text(".red { color: red }")
    html, problems = write(tmp_path, '[a]{.red} <b class="red">b</b>\n')
    assert problems == []
    assert '<span class="red">a</span> <b class="red">b</b>' in html


@pytest.mark.parametrize(
    "text",
    [
        "at 10:30:15 sharp",
        "`:anchor:` and `$$x$$`",
        "a :: b",
        "~~old~~",
        "$5 and $10_",
        "\\$x^2\\$",
    ],
)
def test_what_is_right_is_not_told(text: str, tmp_path: Path) -> None:
    assert write(tmp_path, f"{text}\n")[1] == []


@pytest.mark.parametrize("href", ["#setting-up", "en.md#setting-up", "./en.md#setting-up"])
def test_a_link_leads_to_a_heading_of_the_book(href: str, tmp_path: Path) -> None:
    html, problems = write(tmp_path, f"See [here]({href}).\n\n## Setting up\n\nWords.\n")
    assert problems == []
    assert '<a class="reference" href="#setting-up">here' in html


def test_a_keycap_is_its_digit(tmp_path: Path) -> None:
    html, problems = write(tmp_path, "Press 1\ufe0f\u20e3 or #\u20e3.")
    assert "<p>Press 1 or #.</p>" in html
    assert problems == []


def test_notes_and_cells_that_are_left_out_are_reported(tmp_path: Path) -> None:
    text = "| a |\n|---|\n| 1 | lost |\n\nx[^a]\n\n[^a]: old\n[^a]: new\n\n[^b]: unused\n"
    _, problems = write(tmp_path, text)
    assert [each.split(":")[1] for each in problems] == ["5", "9", "12"]


def test_definitions_of_links_that_no_text_has_are_reported(tmp_path: Path) -> None:
    text = (
        "[Rules] and [more][rest].\n\n[rules]: #a\n[Rest]: #a\n[King]: 5\n[//]: # (mine)\n\n"
        "## A {#a}\n"
    )
    _, problems = write(tmp_path, text)
    message = "'[King]: 5' is left out: it is the target of a link that no text has; write "
    assert problems == [f"rulebook/en.md:7: warning: {message}\\[King]: 5 to print it [reference]"]


@pytest.mark.parametrize(
    "size", ["{width=50%}", "{width=50 %}", '{: width="50%" }', "{width=56mm}", "{width=56}"]
)
def test_a_picture_is_as_wide_as_written(size: str, tmp_path: Path) -> None:
    html, problems = write(tmp_path, f"![Map](art/icons/anchor.svg){size}\n")
    assert problems == []
    assert "width:56.00mm" in html


@pytest.mark.parametrize(
    "picture",
    [
        "![Map|250](art/icons/anchor.svg)",
        "![Map](art/icons/anchor.svg =200x150)",
        "![Map](art/icons/anchor.svg){width=200px}",
        "![Map](art/icons/anchor.svg){height=20mm}",
    ],
)
def test_a_size_that_is_not_understood_is_reported(picture: str, tmp_path: Path) -> None:
    html, problems = write(tmp_path, f"{picture}\n")
    assert "<figure" in html
    assert len(problems) == 1
    assert "width=40mm" in problems[0]


def test_the_title_of_a_folded_note_is_the_title_of_the_box(tmp_path: Path) -> None:
    html, problems = write(tmp_path, "> [!NOTE]- Odd cards\n> Words.\n")
    assert problems == []
    assert '<span class="box-title">Odd cards</span>' in html


def test_a_link_out_of_the_book_is_named_as_written(tmp_path: Path) -> None:
    _, problems = write(tmp_path, "See [x](../README.md#license).\n")
    assert "'../README.md#license'" in problems[0]


@pytest.mark.parametrize(
    ("head", "line", "told"),
    [
        ("---\ntitle: Castle: Siege\n---\n", 2, "needs quotes"),
        ("+++\ntitle = 'Castle'\n+++\n", 1, "write --- for +++"),
        ("---\ntitle: Castle\n\n", 1, "is not closed; write ---"),
    ],
)
def test_a_head_that_cannot_be_read_is_reported(
    head: str, line: int, told: str, tmp_path: Path
) -> None:
    html, problems = write(tmp_path, "## A\n\nText.\n", head=head)
    assert [each.split(":")[1] for each in problems] == [str(line)]
    assert told in problems[0]
    assert "Castle" not in html


def test_a_heading_beside_the_title_of_the_head_is_printed(tmp_path: Path) -> None:
    head = "---\ntitle: Castle\n---\n\n"
    html, problems = write(tmp_path, "# Introduction\n\n[go](#introduction)\n", head=head)
    assert problems == []
    assert 'id="introduction"' in html


def test_emoji_of_several_are_reported_once_and_tones_of_skin_left_out(tmp_path: Path) -> None:
    html, problems = write(
        tmp_path, "Up 👍🏽, \U0001f1eb\U0001f1ee and 👨\u200d👩\u200d👧.\n\n👨\u200d👩\u200d👧\n"
    )
    assert "Up 👍, " in html
    assert problems == [
        f"rulebook/en.md:3: warning: '{each}' is printed as its parts; draw an icon for it, and "
        "write its name under emoji: in game.yaml [markup]"
        for each in ("\U0001f1eb\U0001f1ee", "👨\u200d👩\u200d👧")
    ]


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("<br>\nShuffle.", "<p><br>\nShuffle.\n</p>"),
        ("<!-- c -->After.", "<p>After.\n</p>"),
        ("<div>a</div>\nmore <b>b</b>", "<div>a</div><p>\nmore <b>b</b>\n</p>"),
        ("<div>\n\ntext\n\n</div>", "<div>\n<p>text</p>\n</div>"),
    ],
)
def test_text_beside_html_is_a_paragraph(text: str, html: str, tmp_path: Path) -> None:
    written, problems = write(tmp_path, f"{text}\n")
    assert html in written
    assert problems == []


@pytest.mark.parametrize(
    "text", ["<div class='footnote'>a</div>", "[a]{.footnote}", "{.footnote}\na"]
)
def test_a_class_without_a_rule_is_left_out(text: str, tmp_path: Path) -> None:
    written, problems = write(tmp_path, f"{text}\n")
    assert "footnote" not in written
    assert [each.partition("the class ")[2].partition(" ")[0] for each in problems] == [".footnote"]


def test_text_below_a_table_is_reported(tmp_path: Path) -> None:
    _, problems = write(tmp_path, "|a|b|\n|-|-|\n|1|2|\nText below.\n")
    assert problems == [
        "rulebook/en.md:6: warning: this line is printed as a row of the table; leave the line "
        "above it empty [markup]"
    ]


def test_a_list_in_a_note_is_reported(tmp_path: Path) -> None:
    _, problems = write(tmp_path, "A[^n]\n\n[^n]: Note\n\n    - one\n    - two\n")
    assert [each.partition("warning: ")[2] for each in problems] == [
        "a list or table within a note is printed without its marks [markup]"
    ]


def test_references_by_the_numbers_of_windows_are_read(tmp_path: Path) -> None:
    written, problems = write(tmp_path, "It&#146;s 1 &#150; 2 &#x80;5\n")
    assert "It’s 1 – 2 €5" in written
    assert problems == []
