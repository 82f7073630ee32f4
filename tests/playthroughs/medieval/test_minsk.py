"""The example game, played through the commands: byte for byte the same, and every scene of its story
takes place.
"""

import hashlib
import inspect
import json
from collections import Counter
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from examples.medieval import demo
from gm.cli.app import gm
from gm.games.medieval.orders import model
from gm.games.medieval.spec import SPEC
from gm.store.folder import GameFolder
from tests.medieval.order_reading import read_sheet

GOLDEN = Path(__file__).parent / "golden"
TURNS = (1, 2, 3, 4)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the example after its last turn."""
    folder: Path = tmp_path_factory.mktemp("example") / "minsk"
    demo.run(folder)
    return folder


def events(folder: Path, turn: int, kind: str) -> list[dict[str, Any]]:
    """The events of one kind in a turn's log."""
    return [record for record in GameFolder(folder).log(turn) if record["event"] == kind]


def battle(folder: Path, turn: int, place: str) -> dict[str, Any]:
    """The report of the one battle at a place."""
    (record_of_battle,) = [
        record for record in events(folder, turn, "BattleFought") if record["place"] == place
    ]
    return dict(record_of_battle["report"])


def roles(report: dict[str, Any]) -> set[tuple[str, str]]:
    return {(unit["realm"], unit["role"]) for unit in report["units"]}


def state(folder: Path, turn: int) -> dict[str, Any]:
    return dict(json.loads((folder / "turns" / f"turn-{turn:02}" / "state.json").read_bytes()))


# -- byte for byte -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("turn", TURNS)
def test_the_example_replays_byte_for_byte(
    played: Path, turn: int, golden: Callable[[Path, str], None]
) -> None:
    folder = played / "turns" / f"turn-{turn:02}"
    counts = Counter(record["event"] for record in GameFolder(played).log(turn))
    lines = [
        *(folder / "summary.txt").read_text(encoding="utf-8").splitlines(),
        "",
        *(f"{count:4} {kind}" for kind, count in sorted(counts.items())),
        "",
        *(
            f"{name} {hashlib.sha256((folder / name).read_bytes()).hexdigest()}"
            for name in ("state.json", "log.jsonl")
        ),
    ]
    golden(GOLDEN / f"turn-{turn:02}.txt", "\n".join(lines) + "\n")


@pytest.mark.clause("W12")
@pytest.mark.slow
def test_the_order_in_which_files_arrive_changes_nothing(played: Path, tmp_path: Path) -> None:
    other = tmp_path / "minsk"
    for arguments in demo.commands(other):
        if arguments[0] == "receive":
            paths = arguments[1 : arguments.index("--at")]
            arguments = ["receive", *reversed(paths), *arguments[len(paths) + 1 :]]
        gm.main(arguments, prog_name="pbem", standalone_mode=False)
    for turn in TURNS:
        for name in ("state.json", "log.jsonl"):
            file = Path("turns") / f"turn-{turn:02}" / name
            assert (other / file).read_bytes() == (played / file).read_bytes(), file


# -- every order ---------------------------------------------------------------------------------------------


def order_kinds() -> set[type[model.Order]]:
    """Every class of order that a player can give."""
    general = (model.Order, model.RealmOrder, model.UnitOrder)
    classes = (member for _, member in inspect.getmembers(model, inspect.isclass))
    return {kind for kind in classes if issubclass(kind, model.Order) and kind not in general}


def test_every_kind_of_order_is_given_and_carried_out_at_least_once(played: Path) -> None:
    kinds: set[type[model.Order]] = set()
    done: set[type[model.Order]] = set()
    campaign = GameFolder(played)
    table = SPEC.load_table(played)
    for turn in TURNS:
        world = SPEC.state(campaign.state(turn - 1, SPEC.snapshot))
        fates = {
            (e["audience"], e["line"], e["column"]): e["fate"] for e in events(played, turn, "OrderSettled")
        }
        for realm, data in campaign.orders(turn, world.realms).items():
            sheet, _ = read_sheet(
                data, f"{realm}.yaml", world=world, rules=table.rules, atlas=table.board, game="minsk"
            )
            assert sheet is not None
            for order in sheet.all_orders():
                kinds.add(type(order))
                if fates[realm, order.written.line, order.written.column] == "done":
                    done.add(type(order))
    assert kinds == order_kinds()
    assert done == kinds


# -- the scenes ----------------------------------------------------------------------------------------------


@pytest.mark.clause("M8")
def test_spring_the_order_lands_on_gotland(played: Path) -> None:
    (landing,) = events(played, 1, "LandingSucceeded")
    assert (landing["realm"], landing["place"]) == ("TEU", "Gotland")
    assert state(played, 1)["provinces"]["Gotland"]["owner"] == "TEU"


@pytest.mark.clause("L17", "L16", "F1", "L15")
def test_alliance_war_and_peace(played: Path) -> None:
    wars = [(turn, e["realm"], e["other"]) for turn in TURNS for e in events(played, turn, "WarDeclared")]
    assert wars == [(2, "NOV", "TEU"), (3, "LIT", "TEU"), (3, "POL", "TEU")]
    peaces = [(turn, e["realm"], e["other"]) for turn in TURNS for e in events(played, turn, "PeaceMade")]
    assert peaces == [(3, "NOV", "TEU"), (4, "LIT", "TEU")]
    assert state(played, 1)["alliances"] == [["LIT", "TEU"]]
    assert state(played, 2)["alliances"] == []
    assert state(played, 4)["alliances"] == [["LIT", "POL"]]
    assert state(played, 4)["wars"] == [["POL", "TEU"]]


@pytest.mark.clause("M6", "B13")
def test_summer_a_sea_battle_with_marines_in_the_gulf_of_riga(played: Path) -> None:
    report = battle(played, 2, "Gulf of Riga")
    assert report["kind"] == "sea"
    assert roles(report) == {("NOV", "fleet"), ("NOV", "marines"), ("TEU", "fleet")}


@pytest.mark.clause("M12")
def test_summer_a_three_way_battle_at_polotsk(played: Path) -> None:
    report = battle(played, 2, "Polotsk")
    assert roles(report) == {("IND", "garrison"), ("NOV", "army"), ("TEU", "army")}
    struck = {
        unit["unit"].split("/")[0]
        for unit_round in report["rounds"]
        for unit in unit_round["units"]
        if any(troop["damage"] for troop in unit["caused"])
    }
    assert struck == {"IND", "NOV", "TEU"}  # each of the three did damage


@pytest.mark.clause("M6.1")
def test_autumn_the_pilgrims_take_a_cog_by_mutiny(played: Path) -> None:
    aboard = state(played, 2)["units"]["LIT/A2"]
    assert aboard["aboard"] == "TEU/F1"
    report = battle(played, 3, "Gulf of Riga")
    assert report["mutiny"]
    assert roles(report) == {("LIT", "mutineers"), ("TEU", "fleet")}
    (taken,) = events(played, 3, "FleetFormedByCapture")
    assert taken["realm"] == "LIT"
    assert state(played, 3)["units"]["LIT/A2"]["aboard"] == taken["unit"]


@pytest.mark.clause("B2", "B3")
def test_autumn_marienburg_is_besieged_and_falls(played: Path) -> None:
    report = battle(played, 3, "Prussia")
    assert report["siege"]["damage_after"] > report["siege"]["damage_before"]
    assert any(unit["defends"] for unit in report["units"] if unit["realm"] == "TEU")
    assert state(played, 3)["provinces"]["Prussia"]["owner"] == "POL"


@pytest.mark.clause("O7")
def test_the_unreadable_file_is_set_aside_and_the_valid_one_stands(played: Path) -> None:
    rejected = list((played / "inbox" / "turn-03" / "rejected").glob("*.yaml"))
    assert [path.read_bytes()[:6] for path in rejected] == [b"<html>"]
    assert state(played, 3)["realms"]["POL"]["missed_turns"] == 0
    assert (
        (played / "turns" / "turn-03" / "orders" / "POL.yaml")
        .read_bytes()
        .startswith(b"# -*- Poland, autumn")
    )


@pytest.mark.clause("O2", "O7")
def test_bad_orders_are_refused_with_reasons_and_the_others_stand(played: Path) -> None:
    settled = chain.from_iterable(events(played, turn, "OrderSettled") for turn in TURNS)
    failed = {(e["audience"], e["reason"]) for e in settled if e["reason"]}
    assert ("NOV", "needs-move-points") in failed
    assert ("NOV", "not-recruited-here") in failed
    assert ("POL", "gold-too-little") in failed
    assert ("LIT", "no-permission-to-enter") in failed
    assert "Poltosk" not in (played / "turns" / "turn-02" / "summary.txt").read_text(encoding="utf-8")
    assert state(played, 2)["units"]["NOV/A3"]["place"] == "Pskov"  # the march before the misspelt one counts


@pytest.mark.clause("L12")
def test_winter_the_order_buys_off_an_invader_with_land(played: Path) -> None:
    assert state(played, 3)["provinces"]["Courland"]["owner"] == "TEU"
    assert state(played, 4)["provinces"]["Courland"]["owner"] == "LIT"
    assert state(played, 4)["provinces"]["Gotland"]["owner"] == "IND"


@pytest.mark.clause("W3")
def test_winter_novgorod_marches_over_the_strait(played: Path) -> None:
    assert state(played, 4)["provinces"]["Osel"]["owner"] == "NOV"
