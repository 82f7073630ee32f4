"""A realm's page runs the program's own scripts and nothing else.

Its study shows the figures of the rules data.
"""

import hashlib
import re
from base64 import b64decode, b64encode
from decimal import Decimal
from itertools import chain
from pathlib import Path

import pytest

from gm import resources
from gm.cli import table_cache
from gm.games.medieval.analysis.choices import TurnChoices
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.report.page_data import (
    SCRIPTS,
    SHARED,
    STYLES,
    inlined,
    private_data,
    public_data,
    script_file,
)
from gm.games.medieval.report.rules_part import study
from gm.resources import resource
from gm.text import pages
from gm.text.localised import localised_script
from gm.text.pages import figure, fragment, gold, minified, percent, policy_of
from tests.medieval.reportland import Page, busy_files, busy_world
from tests.medieval.testland import atlas, rules

PAGE = "results/ENG.html"


def policy(html: str) -> str:
    (content,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', html)
    return str(content)


def test_the_policy_names_the_very_bytes_of_each_script() -> None:
    html = busy_files()[PAGE]
    page = Page(html)
    run = [text for kind, text in page.scripts if not kind]
    assert len(run) == len(SCRIPTS)
    sources = re.findall(r"'sha256-([^']+)'", policy(html))
    assert [b64decode(source) for source in sources] == [
        hashlib.sha256(text.encode()).digest() for text in run
    ]


def test_nothing_else_may_run_load_or_be_sent() -> None:
    directives = dict(part.strip().split(" ", 1) for part in policy(busy_files()[PAGE]).split(";"))
    assert (
        directives["default-src"]
        == directives["connect-src"]
        == directives["base-uri"]
        == directives["form-action"]
        == "'none'"
    )
    assert "unsafe-inline" not in directives["script-src"]
    assert "unsafe-eval" not in directives["script-src"]


def test_pages_without_scripts_allow_none() -> None:
    for name, html in busy_files().items():
        if name.endswith(".html") and not Page(html).scripts:
            assert "script-src" not in policy(html)
            assert "default-src 'none'" in policy(html)


def test_without_scripts_the_policy_forbids_all() -> None:
    assert policy_of([]) == "'none'"
    digest = b64encode(hashlib.sha256(b"let x;").digest()).decode()
    assert policy_of(["let x;"]) == f"'sha256-{digest}'"


def test_a_script_that_would_end_its_own_element_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(resources, "_ROOTS", [tmp_path])
    monkeypatch.setattr(pages, "environment", pages.environment.__wrapped__)
    (tmp_path / "templates" / "medieval" / "script").mkdir(parents=True)
    for text in ('const a = "</script>";', "<!-- a browser would stay in here"):
        (tmp_path / "templates" / "medieval" / "script" / "bad.js").write_text(text, encoding="utf-8")
        with pytest.raises(ValueError, match=r"bad\.js"):
            pages._read("medieval/script/bad.js", "</script", str)


def test_a_text_that_is_kept_is_no_template(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A place may be called anything."""
    monkeypatch.setattr(table_cache, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(pages, "_kept_by", [table_cache._cached_text])
    for text in (
        "a{% endraw %}{{ 7 * 7 }}{% raw %}b",
        "{%- endraw -%}{{ 1 }}",
        "{{% endraw %}",
        "{%\nendraw %}{# no #}",
    ):
        assert pages.cached_text("medieval/test", text, lambda text=text: text) == text
        assert pages.cached_text("medieval/test", text, lambda: "made again") == text
    assert pages.cached_text("medieval/test", "another", lambda: "made again") == "made again"


def test_every_script_and_style_in_the_folder_is_in_the_page() -> None:
    folder = resource("templates", "medieval")
    # the handbook is a page of its own
    own = {*SCRIPTS, "handbook"} - {*SHARED}
    assert {path.stem for path in (folder / "script").glob("*.js")} == own
    # map_own is a template: it has the realm in it
    assert {path.stem for path in (folder / "css").glob("*.css")} == {*STYLES, "handbook-page", "map_own"}


@pytest.mark.parametrize("name", [*SCRIPTS, "handbook"])
def test_a_script_keeps_the_house_rules(name: str) -> None:
    text = resource("templates", script_file(name)).read_text("utf-8")
    assert text.startswith('"use strict";')
    assert len(text.splitlines()) <= 350
    # code that is made of text could be a player's
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function|XMLHttpRequest", text
    )
    assert not re.search(r"(?<![.\w])(import|export)\s|WebSocket|sendBeacon", text)
    # a method may be called so
    assert not re.search(r"(?<![.\w])fetch\((?!\) \{)", text)
    defined = re.findall(r"^(?:const|let|var|class|function)\s+(\w+)", text, flags=re.MULTILINE)
    # a script that nobody calls defines nothing
    assert len(defined) == (name not in ("clause_note", "contents")), defined
    assert all(name.startswith("Gm") for name in defined)


NO_TEXT = re.compile(
    r"""/\*[\s\S]*?\*/|\s//\s.*|"use\ strict"|\bthrow\s.*  # comments, and what only programmers read
    |\b(?:class|key|"data-key"):\s[^,}\n]*|"[^"\n]*":  # looks
    |\bkeyed\(`[^`]*`  # by what the focus is found again
    |(?:querySelector(?:All)?|closest|matches|addEventListener)\((?:"[^"]*"|`[^`]*`)
    |(?:===|!==|case)\s"[^"]*"|\b(?:said|fail)\((?:\w+,\s)?"[^"]*"  # names
    |\b(?:has|set|again|counted)\([^()"`]*`[^`]*`  # names too
    |\bpaper\.say\(`\w+:.*""",  # the head of an order file
    re.VERBOSE | re.MULTILINE,
)
MARKED = re.compile(r'\b_\((?:"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`)\)')
TEXT = re.compile(r"^\W*[A-Z][a-z]|[a-z]{2}[,:;.]?[ |]|[ |]\W?[a-z]{2}")
NO_TEXTS = {
    "no ships": "the name of a reason",
    **dict.fromkeys(("(prefers-reduced-motion: reduce)", "(max-width: 44rem)"), "questions to the browser"),
    **dict.fromkeys(("Palatino, Georgia, serif", "translate($px, $px) scale($)"), "styles"),
    **dict.fromkeys(("gm orders $ $ $", "choices $ $"), "where drafts and choices are kept"),
}


def unmarked(script: str) -> list[str]:
    """What looks like words for people, with a capital or a space between letters, and cannot be
    translated.
    """
    code = NO_TEXT.sub("", MARKED.sub("", script))
    while code != (code := re.sub(r"\$\{[^{}`]*\}", "$", code)):
        pass
    literals = [literal[1:-1] for literal in re.findall(r'"(?:[^"\\\n]|\\.)*"|`[^`\n]*`', code)]
    return [literal for literal in literals if TEXT.search(literal) and literal not in NO_TEXTS]


def test_what_looks_like_words_is_found() -> None:
    text = (
        'el("p", { class: "a b" }, "Two words", _("Two words"), `${one} of ${two}`, _(`${one} of`), "Word");'
    )
    assert unmarked(text) == ["Two words", "$ of $", "Word"]


@pytest.mark.parametrize("name", SCRIPTS)
def test_all_that_a_script_tells_people_can_be_translated(name: str) -> None:
    source = resource("templates", script_file(name)).read_text("utf-8")
    assert not unmarked(source)
    assert not MARKED.search(localised_script(source)), "a mark within a mark stays"


def test_the_data_for_scripts_is_said_in_the_language_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gm.games.medieval.report.formatter.translator", lambda *_: "~{}".format)
    choices = TurnChoices(busy_world(), rules(), atlas(), "xx")
    world = public_data(choices.world, choices, game="test", title="Test")
    own = private_data(choices.world, "ENG", "", choices)
    all_words = chain.from_iterable(world["grammar"].values())
    sentences = [word["says"] for word in all_words]
    sentences += [*world["choices"]["titles"].values(), *world["ways"], world["season"]]
    sentences += [says for _, says in (*world["choices"]["says"], *own["choices"]["says"])]
    sentences += [says for odds in own["odds"].values() for _, says in odds.values()]
    assert len(own["odds"]) > 1
    assert not [sentence for sentence in sentences if not sentence.startswith("~")]


def test_pages_are_made_of_styles_and_scripts_that_are_read_once() -> None:
    assert inlined() is inlined()


def test_what_is_mailed_has_no_comments_and_no_indentation_and_says_the_same() -> None:
    text = "/**\n * What it is.\n */\nconst a = {\n  // why\n  b: `x // y`, // goes\n  c: '`',\n};\n"
    assert minified(text, "a.js") == "const a={b:`x // y`,c:'`',};"
    assert minified("a,  b { margin : 0 ; } /* why */\nc > d {}\n", "a.css") == "a,b{margin:0}c>d{}"


def test_a_template_literal_within_another_is_refused_because_it_would_be_changed() -> None:
    assert minified("const a = `${b} ` + `${c ? d : e} `;", "a.js")
    with pytest.raises(ValueError, match=r"a\.js has a template literal within another"):
        minified("const a = `${b ? ` ${c}` : d}`;", "a.js")


def page(data: Rules) -> Page:
    return Page(str(fragment("medieval/study.html", study(data, atlas()))))


@pytest.mark.clause("T1")
def test_every_troop_and_ship_has_a_row_with_all_its_figures() -> None:
    text = page(rules()).text
    for troop in rules().troops.values():
        figures = [
            f"{troop.attacks}×{troop.combat}",
            figure(troop.hit_points),
            str(troop.move_points),
            gold(troop.cost),
            gold(troop.upkeep),
        ]
        if troop.ship:
            figures += [str(troop.marine_space), str(troop.storage), f"{troop.capture_chance}%"]
        else:
            figures += [str(troop.weight), percent(troop.amphibious) if troop.amphibious else ""]
            figures += ["never" if troop.marine is None else percent(troop.marine) if troop.marine else ""]
            figures += [f"{troop.siege_power}%"] if troop.siege_power else []
            figures += [f"{troop.capture_chance}%"] if troop.capture_chance else []
        row = " ".join(figure for figure in (troop.name, troop.kind.value, *figures) if figure)
        assert row in text, row


@pytest.mark.clause("T2", "T4")
def test_every_fortification_level_has_its_bonus_and_its_price() -> None:
    text = page(rules()).text
    for row in rules().fortifications:
        assert (
            f"{row.level} {row.name} {row.barracks} {percent(row.foot_combat)} +{figure(row.foot_hit_points)}"
            in text
        )
    # level 3: 14 gold and 3 workers, half the gold for a repair, a third when razed, rounded down (T4, L8.1,
    # L10)
    assert re.search(r"3 Stone Tower 9 .* 14 3 7 4\.66 4 Stone Keep", text)


@pytest.mark.clause("T3", "T5", "L9")
def test_other_figures_follow_the_rules_data() -> None:
    data = rules().evolve(
        economy=rules().economy.evolve(
            decay_percent=13, proclamation=Decimal("8.50"), revenue_percent=(100, 77, 55, 33)
        ),
        commanders=rules().commanders.evolve(price=Decimal(41)),
    )
    before = page(rules()).text
    after = page(data).text
    for words in ("13%", "8.50 gold", "1 77%", "41 gold"):
        assert words in after
        assert words not in before


def test_figures_name_their_clauses_and_cities_their_places() -> None:
    links = set(page(rules()).links)
    assert {"#rule-T1", "#rule-T2", "#rule-T3", "#rule-T4", "#rule-T5", "#rule-L9", "#rule-V1"} <= links
    assert all(link.startswith(("#rule-", "#place-")) for link in links)
    cities = [name for name, place in atlas().locations.items() if place.city]
    assert len(cities) > 6, "too many to be listed one by one"
    assert f"{len(cities)} cities" in page(rules()).text
