"""Figures of the small games as data (``figures/GAME.yaml``): expressions about rules and maps.

An expression is one of Jinja2's over the names of the game's modules and test helpers; ``given`` names some
more, ``figures`` holds the value of each, tuples as lists, and ``refused`` the message for one that cannot
be.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment, StrictUndefined

from gm.core.yaml.models import load_data
from gm.games.conqueror import computer, figures
from gm.games.conquest_fields import bots as strategies
from gm.games.conquestination import battle, state
from tests.conqueror import turns
from tests.conquest_fields import boards, matches
from tests.conquest_structures import field
from tests.conquestination import campaigns, lands

NAMES: Mapping[str, Mapping[str, Any]] = {
    "conqueror": {**vars(computer), **vars(figures), **vars(turns)},
    "conquest-fields": {**vars(strategies), **vars(matches), **vars(boards)},
    "conquest-structures": vars(field),
    "conquestination": {**vars(battle), **vars(state), **vars(campaigns), **vars(lands)},
}
FIGURES = Path(__file__).with_name("figures")
EVERY = [
    pytest.param(file.stem, case, id=case["says"], marks=pytest.mark.clause(*case["clauses"].split()))
    for file in sorted(FIGURES.glob("*.yaml"))
    for case in load_data(file)[0]
]


def plain(value: Any) -> Any:
    """A value as YAML has it."""
    if isinstance(value, Mapping):
        return {str(name): plain(child) for name, child in value.items()}
    return [plain(child) for child in value] if isinstance(value, tuple | list) else value


@pytest.mark.parametrize(("game", "case"), EVERY)
def test_a_figure_comes_to_what_is_written(game: str, case: Mapping[str, Any]) -> None:
    jinja = Environment(undefined=StrictUndefined, autoescape=True)
    names = dict(NAMES[game])

    def value(expression: str) -> Any:
        return jinja.compile_expression(f"({expression})", undefined_to_none=False)(**names)

    for name, expression in case.get("given", {}).items():
        names[name] = value(expression)
    figures = {expression: plain(value(expression)) for expression in case.get("figures", {})}
    assert figures == case.get("figures", {})
    for expression, says in case.get("refused", {}).items():
        with pytest.raises(ValueError, match=re.escape(says)):
            value(expression)
