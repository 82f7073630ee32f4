"""15.4: a clause is written once, in Python: no script of a page knows a word of an order, a clause or a
reason.
"""

import re
from itertools import chain
from pathlib import Path

import pytest

from gm.games.medieval.data.clauses_data import load_clauses, load_reasons
from gm.games.medieval.data.rules import Movement
from gm.games.medieval.orders.grammar import HEADQUARTERS, PLAN, UNIT
from gm.resources import resource
from gm.text.pages import minified

FOLDER = Path(str(resource("templates", "medieval", "script")))
SCRIPTS = {path.name: minified(path.read_text("utf-8"), path.name) for path in sorted(FOLDER.glob("*.js"))}
"""Each script without its comments."""

LABELS = "writer_words.js"
"""Where words of orders get a title and a place among others, and nothing is decided."""

PLAN_ENTRY = "plan"
"""The word under which a file has a unit's plan: the writer of the file has to know it."""

LIMIT = 7_131
"""Lines of all scripts of all pages but the next, no line to spare: those of Medieval's reports, of orders on
drawings, what both share, of the game at one's own table and of the choice before it."""

STEPS_LIMIT = 315
"""Lines of stepping through turns and of what changed between them, in the history and in the small games'
reports."""

SUMS = ("book.js", "plan.js", "orders.js", "treasury.js")
SUMS_LIMIT = 750
"""Lines of those that add the tables up."""


def quoted(script: str) -> set[str]:
    """Every text in quotes, and every name of a property that is written out or asked for."""
    texts = re.findall(r""""([^"\n]*)"|'([^'\n]*)'|`([^`\n]*)`""", script)
    names = re.findall(r"[{,\s]([\w]+):|\.([A-Za-z_]\w*)", script)
    literals = chain.from_iterable((*texts, *names))
    return {literal for literal in literals if literal}


@pytest.mark.parametrize("name", sorted(SCRIPTS))
def test_no_word_of_an_order_is_decided_in_a_script(name: str) -> None:
    words = {*HEADQUARTERS, *UNIT, *PLAN}
    # what is an English or a programmer's word as well is looked for where it is compared or looked up
    compared = set(
        re.findall(r"""(?:===|!==|case|includes\(|has\(|get\()\s*["']([a-z_]+)["']""", SCRIPTS[name])
    )
    keys = {word for word in words if "_" in word and word in quoted(SCRIPTS[name])}
    assert name == LABELS or not (compared & words - {PLAN_ENTRY}) | keys


@pytest.mark.parametrize("name", sorted(SCRIPTS))
def test_no_clause_and_no_reason_is_known_to_a_script(name: str) -> None:
    literals = quoted(SCRIPTS[name])
    clauses = {clause for clause in load_clauses() if re.search(r"\d", clause)}
    assert not literals & clauses
    assert not literals & set(load_reasons())


@pytest.mark.parametrize("name", sorted(SCRIPTS))
def test_no_number_of_the_rules_is_asked_for_by_name(name: str) -> None:
    """What a script adds up has names of its own in the tables; those of the rules data are for steps."""
    assert not quoted(SCRIPTS[name]) & {
        "rules",
        *(field for field in Movement.__struct_fields__ if "_" in field),
    }


def test_the_label_file_decides_nothing() -> None:
    assert not re.search(r"\b(fate|failed|allowed|book|desk)\b", SCRIPTS[LABELS])


def test_the_scripts_are_no_more_than_they_may_be() -> None:
    lines = {path: len(path.read_text("utf-8").splitlines()) for path in FOLDER.parents[1].rglob("*.js")}
    steps = sum(count for path, count in lines.items() if path.parent.name == "story")
    assert sum(lines.values()) - steps <= LIMIT
    assert steps <= STEPS_LIMIT
    assert sum(lines[FOLDER / name] for name in SUMS) <= SUMS_LIMIT


def test_no_script_parses_yaml() -> None:
    """15.5."""
    assert not [name for name, text in SCRIPTS.items() if "GmYaml" in text or name.startswith("yaml")]
