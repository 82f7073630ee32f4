"""The report's scripts in an empty page, and many drawn files at once: what the tests of single scripts
share.
"""

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

from hypothesis import strategies as st

from gm.games.medieval.analysis.choices import TurnChoices
from gm.games.medieval.report.page_data import SCRIPTS, private_data, public_data, script_file
from gm.games.medieval.state import World
from gm.resources import resource
from gm.text.localised import localised_script
from tests.drawn import drawn
from tests.medieval.order_files import as_file
from tests.medieval.ordering import sheets
from tests.medieval.positions import CODES, worlds
from tests.medieval.testland import atlas, rules


def with_scripts(page: Any, last: str) -> Any:
    """The page with the report's scripts from the first to ``last``, and nothing else."""
    page.goto("about:blank")
    for name in SCRIPTS[: SCRIPTS.index(last) + 1]:
        source = resource("templates", script_file(name)).read_text("utf-8")
        page.add_script_tag(content=localised_script(source))
    return page


def page_data(world: World, realm: str, key: str) -> list[str]:
    """The two blocks of data of a realm's page on the test map, as JSON: text reaches a browser faster
    than data.
    """
    choices = TurnChoices(world, rules(), atlas())
    blocks = (
        public_data(world, choices, game="test", title="Test"),
        private_data(world, realm, key, choices),
    )
    return [json.dumps(block) for block in blocks]


@dataclass(frozen=True)
class Ordered:
    """A world before a turn, and an order file of one of its realms."""

    world: World
    realm: str
    file: bytes


@st.composite
def _ordered(draw: st.DrawFn) -> Ordered:
    world = draw(worlds())
    realm = draw(st.sampled_from(CODES))
    return Ordered(world, realm, as_file(draw(sheets(world, realm))).encode())


@cache
def ordered() -> list[Ordered]:
    """Many positions with order files for them, drawn once: drawing takes longer than reading."""
    return drawn(_ordered(), 100)
