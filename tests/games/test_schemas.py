"""The JSON Schemas of the small games' order files take what the reader takes, and refuse what a schema
can know.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from gm.campaign.check import CheckContext, check_file
from gm.campaign.order_files import OrderReader
from gm.core.yaml.models import load_data
from gm.core.yaml.source import plain_data, read_yaml
from gm.game.base.small_game import SmallGame
from gm.game.values import GameData
from tests.games.cases import all_cases, started
from tests.games.playing import PLAIN, begun

EXAMPLES = Path(__file__).parents[2] / "examples"
STARTS: dict[str, dict[str, Any]] = {
    "conqueror": {},
    "conquest-fields": {"board": "squares4-6x6"},
    "conquest-structures": {"units": ["H1 IITT", "H2 I"]},
    "conquestination": {"where": "P1 red 9, P2 blue 1, P3 red 1, Q1 red 1, Q2 blue 3"},
}
TABLE = load_data(Path(__file__).with_name("schemas.yaml"))[0]
TAKEN = ("CN-11.4", "CS-14.8")  # Warnings of what stands: it cannot be done yet, or cannot be undone
BODIES = [
    (name, kind, text) for name, kinds in TABLE.items() for kind, texts in kinds.items() for text in texts
]


def seen(spec: SmallGame[Any], table: GameData, state: Any, party: str, body: str) -> tuple[bool, bool]:
    """Whether the reader takes all of a body, without a word against what stands there, and whether the
    schema does.
    """
    text = f"game: g\nturn: {spec.quoted(state)}\nplayer: {party.lower()}\n{body}\n"
    context = CheckContext(OrderReader(spec, table, state, "g"), {}, party)
    diagnostics = check_file(context, Path("orders.yaml"), text.encode()).diagnostics
    taken = all(
        diagnostic.code.startswith("trial/") or diagnostic.clause in TAKEN for diagnostic in diagnostics
    )
    schema = json.loads(spec.realm_schema(table, state, "g", party))
    return taken, Draft202012Validator(schema).is_valid(plain_data(read_yaml(text.encode(), "orders.yaml")))


@pytest.mark.parametrize(("name", "kind", "body"), BODIES)
def test_reader_and_schema_agree(name: str, kind: str, body: str) -> None:
    spec, table, state = started(Path(f"{name}.yaml"), STARTS[name])
    party = {"conqueror": "ARDEN"}.get(name, "RED")
    assert seen(spec, table, state, party, body) == ((True, True) if kind == "accepted" else (False, False))


@pytest.mark.slow
def test_what_the_reader_takes_of_the_cases_fits_the_schema() -> None:
    tried = 0
    for case in all_cases():
        spec, table, state = started(case.file, case.fields.get("start", {}))
        for party, body in case.fields.get("orders", {}).items():
            taken, fits = seen(spec, table, state, party, body)
            tried += taken
            assert fits or not taken, (case.file.name, case.sentence, party)
    assert tried > 200


@pytest.mark.parametrize("name", PLAIN)
def test_the_order_files_of_the_examples_fit_the_schema(name: str) -> None:
    game = begun(name)
    fits = Draft202012Validator(dict(game.spec.schema(game.table, None)))
    files = sorted(EXAMPLES.glob(f"{name}/turn-*/*.yaml"))
    assert len(files) > 8
    for path in files:
        fits.validate(plain_data(read_yaml(path.read_bytes(), path.name)))
