"""Signs of texts: what they print, what takes them literally, and what is told of a wrong one."""

from __future__ import annotations

import time

import pytest

from cardgen.game.card_text import render_icon, render_markup, replace_emoji
from cardgen.game.markup import convert_html, strip_markup
from cardgen.game.markup_lint import check_face_html, check_text

ICONS = ("bread", "coin", "red-coin")
COIN = str(render_icon("coin", ICONS))


LIST = (
    '<span class="text-list {}"><span class="text-item"><span class="text-mark">{}</span>{}</span>'
    '<span class="text-item"><span class="text-mark">{}</span>{}</span></span>'
)


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("Pay {coin} now", f"Pay {COIN} now"),
        (r"Write \{coin\} or \{coin}", "Write &#123;coin&#125; or &#123;coin&#125;"),
        (r"\*\*not bold\*\*", "&#42;&#42;not bold&#42;&#42;"),
        (r"**5 \* 3**", "<b>5 &#42; 3</b>"),
        (r"\\{coin}", f"&#92;{COIN}"),
        (r"\<b> \& \_x\_ C:\x", r"&#60;b&gt; &#38; &#95;x&#95; C:\x"),
        ("この*忍耐*の客と*2以下*を", "この<i>忍耐</i>の客と<i>2以下</i>を"),
        ("**太字***斜体*の 2*3*4", "<b>太字</b><i>斜体</i>の 2&#42;3&#42;4"),
        ("***both*** **b** *i*", "<b><i>both</i></b> <b>b</b> <i>i</i>"),
        ("a < b & c", "a &#60; b &amp; c"),
        ("{Coin}", "&#123;Coin&#125;"),
        (
            "One:\n- a **b**\n- c\nEnd",
            "One:<br>" + LIST.format("bulleted", "•", "a <b>b</b>", "•", "c") + "<br>End",
        ),
        ("* a\n* b", LIST.format("bulleted", "•", "a", "•", "b")),
        ("1. a\n2. b", LIST.format("numbered", "1.", "a", "2.", "b")),
        ("Said.\n- Bay", "Said.<br>- Bay"),
        ("- **a\n- b**", "- <b>a<br>- b</b>"),
        ("\\- a\n\\- b", "&#45; a<br>&#45; b"),
        ("- a\n\n- b\n\nEnd", LIST.format("bulleted", "•", "a", "•", "b") + "<br><br>End"),
        ("- a\n\n1. b", "- a<br><br>1. b"),
        (
            "1. a\n   - b\n2. c",
            LIST.format("numbered", "1.", "a", "•", "b")
            .replace("item", "item level-1", 2)
            .replace("item level-1", "item", 1)
            .removesuffix("</span>")
            + '<span class="text-item"><span class="text-mark">2.</span>c</span></span>',
        ),
    ],
)
def test_what_is_printed(written: str, printed: str) -> None:
    assert str(render_markup(written, ICONS)) == printed


@pytest.mark.parametrize(
    "written",
    [
        "Pay {coin}, **then** *run*.",
        r"\{Coin\} \{\{ name \}\} \<b> \*\* \&nbsp; \__x__ C:\\new",
        "2 * 3 = 6; a < b; R&D; <3; <your name>; snake_case; ____ and ____",
        "* a point\n* another",
        "Ä–Ö, NÃO, “crème brûlée”, Âge, año, Ångström",
        "C:\\games",
        "Pay $5/$3, $2 and $4. US$ is 12:30:45; a == b, 2^3 ^ 4, ~5 and ~6, [ ] and EU:n jäsen: x",
        r"\:coin\: \==m\== \$x$ \^2\^ \~2\~ \[[x]] \[^1]",
    ],
)
def test_what_is_right_is_not_told(written: str) -> None:
    assert check_text(written, ICONS) == []


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("{Coin}", "error: '{Coin}' is not an icon; did you mean {coin}? [icon]"),
        ("{red coin}", "error: '{red coin}' is not an icon; did you mean {red-coin}? [icon]"),
        ("{coin.svg}", "error: '{coin.svg}' is not an icon; did you mean {coin}? [icon]"),
        ("{2 coin}", "error: '{2 coin}' is not an icon; did you mean {coin}? [icon]"),
        ("{coin", "error: '{coin' is not closed; did you mean {coin}? [icon]"),
        ("coin}", "error: 'coin}' is not opened; did you mean {coin}? [icon]"),
        ("__x__", "warning: '__x__' is printed as it is; write **bold** [markup]"),
        (
            "~~gone~~",
            "warning: '~~gone~~' is printed as it is; no text is struck out, remove it or "
            "the signs [markup]",
        ),
        (
            "[link](http://x.org)",
            "warning: '[link](http://x.org)' is printed as it is; a card has "
            "no links, write the words alone [markup]",
        ),
        ("`code`", "warning: '`code`' is printed as it is; write **bold** or *italic* [markup]"),
        (
            "| a | b |",
            "warning: '| a | b |' is printed as it is; a text has no tables, write a "
            "line for each row [markup]",
        ),
        (
            "---",
            "warning: '---' is printed as it is; a text has no rules, leave a line empty [markup]",
        ),
        (
            "# Head",
            "warning: '# Head' is printed as it is; a text has no headings, write **bold** "
            "[markup]",
        ),
        (
            "> said",
            "warning: '> said' is printed as it is; a text has no quotations, write "
            "*italic* [markup]",
        ),
        (
            "==m==",
            "warning: '==m==' is printed as it is; a text has no marker, write **bold** [markup]",
        ),
        (
            "x^2^",
            "warning: '^2^' is printed as it is; write the raised characters themselves, such as ² "
            "or ⁿ [markup]",
        ),
        (
            "H~2~O",
            "warning: '~2~' is printed as it is; write the lowered characters themselves, such as "
            "₂ [markup]",
        ),
        (":Coin:", "warning: ':Coin:' is printed as it is; did you mean {coin}? [markup]"),
        (
            ":dragon:",
            "warning: ':dragon:' is printed as it is; write the emoji itself, or {icon} [markup]",
        ),
        (
            "[[Setup]]",
            "warning: '[[Setup]]' is printed as it is; a card has no links, write the words alone "
            "[markup]",
        ),
        (
            "note[^1]",
            "warning: '[^1]' is printed as it is; a text has no footnotes, write the note itself "
            "in brackets [markup]",
        ),
        (
            "$2 x$",
            "warning: '$2 x$' is printed as it is; a text has no formulas, write the characters "
            "themselves, such as × or ½ [markup]",
        ),
        (
            "- [x] done",
            "warning: '- [x]' is printed as it is; a text has no boxes to tick, write ☐ or ☑ "
            "[markup]",
        ),
        ("_x_", "warning: '_x_' is printed as it is; write *italic* [markup]"),
        (
            r"1\n2",
            r"error: '\n' is printed as it is; break the line itself, or in YAML put the text in "
            "double quotes [markup]",
        ),
        ("{bred}", "error: there is no icon 'bred' in art/icons; did you mean 'bread'? [icon]"),
        (
            "{}",
            r"warning: '{}' is not an icon and is printed as it is; write \{\} if you mean that "
            "[markup]",
        ),
        (
            "{{coin}}",
            "error: '{{coin}}' is not filled in: a text prints it as it is; "
            "did you mean {coin}? [markup]",
        ),
        (
            "{{ card.cargo }} and {{ card.name }}",
            "error: '{{ card.cargo }}' is not filled in: a text prints it as it is; "
            "write the text of the card [markup]",
        ),
        (
            "<B>x</B>",
            "error: <B> is printed as it is, texts hold no HTML; write **bold** [markup]",
        ),
        (
            "&shy;",
            "error: '&shy;' is printed as it is, texts hold no HTML; "
            "write the character itself, U+00AD [markup]",
        ),
        (
            "**x",
            r"error: a '**' has no pair; bold is **bold**, the stars themselves are \*\* "
            "[markup]",
        ),
        (
            "*a\nb",
            "warning: a '*' has no pair; italic is *italic* within a line, "
            r"the star itself is \* [markup]",
        ),
    ],
)
def test_what_was_meant_otherwise_is_told_once(written: str, told: str) -> None:
    found = check_text(written, ICONS)
    assert [f"{slip.severity}: {slip.message} [{slip.kind}]" for slip in found] == [told]


def test_a_text_of_stars_and_braces_is_read_in_no_time() -> None:
    """What a stranger may write: nothing is looked for twice over."""
    started = time.process_time()
    long = (
        "{",
        "*",
        "{{",
        "{%",
        "{#",
        "<b ",
        "&a",
        "_a",
        "\\",
        "a}",
        "a",
        "\u00a0a",
        "**a",
        "* ",
        "__a",
    )
    for written in (part * 4_000 + end for part in long for end in ("", "}", " {coin}")):
        check_text(written, ICONS)
        render_markup(written, ICONS)
        list(check_face_html(written, ICONS))
    assert time.process_time() - started < 10, "it took a minute when places were looked at again"


def test_titles_are_said_without_signs() -> None:
    assert strip_markup(r"**Loot** \{x\} {coin} Über\u00adfall".replace("\\u00ad", "\u00ad")) == (
        "Loot {x} coin Überfall"
    )


def test_a_face_that_prints_signs_is_told_where() -> None:
    rendered = render_markup("{coin} {Coin} **x", ICONS)
    html = f'<p title="{{coin}}">{rendered} <b>{{coin}}</b> &lt;i&gt;</p>'
    told = [
        (html[place : place + 6], message.partition(":")[0])
        for place, message in check_face_html(html, ICONS)
    ]
    assert told == [
        ("{coin}", "'{coin}' is printed as it is"),
        ("&lt;i&", "'<i>' is printed as it is"),
    ]


def test_a_keycap_is_its_icon_or_its_digit() -> None:
    text = "1\ufe0f\u20e3 2\ufe0f\u20e3, #\u20e3 and 3"
    assert replace_emoji(text, {"2\u20e3": "two"}) == "1 {two}, # and 3"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[b]Bold[/b]", "'[b]' is printed as it is; write **bold** or *italic*"),
        (
            "a <!-- note --> b",
            "'<!-- note -->' is printed as it is; a text has no comments, remove it",
        ),
        ("%%note%%", "'%%note%%' is printed as it is; a text has no comments, remove it"),
        ("::: note", "'::: note' is printed as it is; a text has no boxes, write **bold**"),
        (
            r"\( x \)",
            r"'\( x \)' is printed as it is; a text has no formulas, write the characters "
            "themselves, such as × or ½",
        ),
        ("'''Gold'''", "''''Gold'''' is printed as it is; write **bold** or *italic*"),
        (
            "\U0001f1eb\U0001f1ee",
            "'\U0001f1eb\U0001f1ee' is printed as its parts; draw an icon for it, and write its "
            "name under emoji: in game.yaml",
        ),
    ],
)
def test_marks_of_forums_and_other_tools_are_told(text: str, said: str) -> None:
    assert [slip.message for slip in check_text(text, ICONS)] == [said]


@pytest.mark.parametrize("text", ["5*3*2", "2**3 and 4**5", "Spieler*innen", "5'' and 6''"])
def test_plain_signs_are_not_told(text: str) -> None:
    assert check_text(text, ICONS) == []
    assert "<" not in render_markup(text, ICONS)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("-# small", "'-# small' is printed as it is; a text has no small print, write *italic*"),
        ("<:mana:123> now", "it is of a chat, write {icon} or the name"),
        ("<@1234> now", "it is of a chat, write {icon} or the name"),
        ("A >!secret!< here", "a text hides nothing, remove the signs"),
        ("<https://y.org>", "a card has no links, write the words alone"),
        ("a -- b", "'--' is printed as it is; write a dash, – or —"),
        ("```\ncode\n```", "a text has no listings, remove it"),
        (">quoted", "a text has no quotations, write *italic*"),
        ("Title\n=====", "a text has no headings, write **bold**"),
        ("+ one\n+ two", "an item of a list begins with - and a space"),
        ("Name | Cost\nTug | 1", "a text has no tables, write a line for each row"),
        ("&copy 2024", "'&copy' is printed as it is; write the character itself"),
        ("&foo;", "'&foo;' is printed as it is; write the character itself"),
        ("<kbd>K", "<kbd> is printed as it is, texts hold no HTML"),
        ("2 ** 3 ** 4", "a '**' has no pair"),
    ],
)
def test_marks_of_forums_and_chats_are_reported(text: str, told: str) -> None:
    (slip,) = check_text(text, ())
    assert told in slip.message


@pytest.mark.parametrize(
    ("html", "markup"),
    [
        ("<i>x</i><i>y</i> <b>p</b>", "*xy* **p**"),
        ("<b>x</b> <b>y</b>", "**x y**"),
        ("<i>x</i><b>y</b>", "*x*\u200b**y**"),
    ],
)
def test_styles_of_html_that_touch_stay_apart(html: str, markup: str) -> None:
    assert convert_html(html) == markup
    assert check_text(markup, ()) == []


def test_every_sign_that_other_programs_escape_is_printed() -> None:
    assert strip_markup(r"\[2\] a\! b \+ 50\% \| \'x\' \@") == "[2] a! b + 50% | 'x' @"


def test_spaces_and_hyphens_that_most_fonts_lack_are_replaced() -> None:
    assert replace_emoji("3\u2009m\u2003a\u2010b", {}) == "3\u202fm\u00a0\u00a0a-b"
