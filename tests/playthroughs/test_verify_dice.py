"""The independent script and the program agree on every roll of the example game, and it finds every
change.
"""

import ast
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from examples import verify_dice
from examples.medieval import demo
from gm.cli.app import gm
from gm.core.values import DiceRolled
from gm.resources import resource
from gm.store.folder import GameFolder

TURNS = (1, 2, 3, 4)
REALMS = ("LIT", "NOV", "POL", "TEU")
PUBLIC_STEPS = {
    "armies_unloaded",
    "commanders_hired",
    "cross_border_battles_fought",
    "homeless_fleets_depart",
    "land_battles_fought",
    "province_ownership_changes",
    "sea_battles_fought",
}
"""Steps whose rolls decide what everybody sees: battles, landings, flights, conquests, commanders in
units."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the example after its last turn, without pages."""
    folder: Path = tmp_path_factory.mktemp("example") / "minsk"
    for arguments in demo.commands(folder):
        more = ["--no-html"] if arguments[0] == "turn" else []
        gm.main([*arguments, *more], prog_name="pbem", standalone_mode=False)
    return folder


def turn_folder(game: Path, turn: int) -> Path:
    return game / f"turns/turn-{turn:02}"


def logged(game: Path, turn: int) -> list[dict[str, Any]]:
    """Every roll of the turn's log."""
    return [event for event in GameFolder(game).log(turn) if event["event"] == DiceRolled.__name__]


def given(game: Path, turn: int, realm: str) -> dict[str, Any]:
    """What a realm's player has of a turn."""
    results = verify_dice.results(turn_folder(game, turn) / f"results/{realm}.yaml")
    orders = turn_folder(game, turn) / f"orders/{realm}.yaml"
    lines = (turn_folder(game, turn) / "results/dice.jsonl").read_text(encoding="utf-8").splitlines()
    return {
        "now": results,
        "before": verify_dice.results(turn_folder(game, turn - 1) / f"results/{realm}.yaml"),
        "orders": orders.read_bytes() if orders.is_file() else None,
        "rolls": [*results["rolls"], *map(json.loads, lines[1:])],
    }


def test_the_script_imports_nothing_of_ours_and_is_short() -> None:
    source = resource("examples", "verify_dice.py").read_text(encoding="utf-8")
    names = {
        name
        for node in ast.walk(ast.parse(source))
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for name in (
            [node.module] if isinstance(node, ast.ImportFrom) else [name.name for name in node.names]
        )
    }
    assert {str(name).split(".")[0] for name in names} <= set(sys.stdlib_module_names)
    assert len(source.splitlines()) < 100


@pytest.mark.clause("W12")
@pytest.mark.parametrize("turn", TURNS)
def test_script_and_program_agree_on_every_roll(played: Path, turn: int) -> None:
    rolls = logged(played, turn)
    assert rolls
    seed = given(played, turn, "LIT")["now"]["dice"]["seed"]
    for roll in rolls:
        assert list(verify_dice.outcomes(seed, roll["label"], roll["asked"])) == roll["outcomes"], roll[
            "label"
        ]
    for realm in REALMS:
        assert list(verify_dice.problems(**given(played, turn, realm))) == []


@pytest.mark.clause("W8")
@pytest.mark.parametrize("turn", TURNS)
def test_what_is_published_is_every_roll_but_those_of_a_purse(played: Path, turn: int) -> None:
    rolls = logged(played, turn)
    published = {roll["label"] for roll in given(played, turn, "LIT")["rolls"]}
    assert published == {roll["label"] for roll in rolls if roll["private"] in ("", "LIT")}
    assert {roll["step"] for roll in rolls if not roll["private"]} <= PUBLIC_STEPS


def other(text: str) -> str:
    """Another hash of the same length."""
    return text.translate(str.maketrans("0123456789abcdef", "123456789abcdef0"))


def changes(mine: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str]]:
    """What a player was given with one thing changed, and what the script says of it."""
    now = mine["now"]
    before = mine["before"]
    dice = now["dice"]
    yield {**mine, "orders": (mine["orders"] or b"") + b"#"}, "order file"
    yield {**mine, "before": {**before, "next_seal": other(before["next_seal"])}}, "published before"
    yield {**mine, "before": {**before, "turn": before["turn"] - 1}}, "two turns in a row"
    yield {**mine, "now": {**now, "dice": {**dice, "seal": other(dice["seal"])}}}, "published before"
    yield {**mine, "now": {**now, "dice": {**dice, "secret": other(dice["secret"])}}}, "does not fit the seal"
    yield {**mine, "now": {**now, "dice": {**dice, "seed": other(dice["seed"])}}}, "the seed does not follow"
    for realm in dice["order_files"]:
        files = {**dice["order_files"], realm: other(dice["order_files"][realm])}
        yield {**mine, "now": {**now, "dice": {**dice, "order_files": files}}}, "the seed does not follow"
    for index, roll in enumerate(mine["rolls"]):
        for draw in (0, len(roll["outcomes"]) - 1):
            outcomes = list(roll["outcomes"])
            outcomes[draw] += 1
            wrong = {**roll, "outcomes": outcomes}
            yield (
                {**mine, "rolls": [*mine["rolls"][:index], wrong, *mine["rolls"][index + 1 :]]},
                roll["label"],
            )
    later = {**mine["rolls"][0], "label": mine["rolls"][0]["label"].replace("turn ", "turn 9")}
    yield {**mine, "rolls": [later]}, "was not rolled"


@pytest.mark.clause("W12")
@pytest.mark.parametrize("turn", TURNS)
def test_the_script_finds_a_changed_order_file_roll_seal_secret_and_seed(played: Path, turn: int) -> None:
    for changed, says in changes(given(played, turn, "LIT")):
        assert says in "\n".join(verify_dice.problems(**changed))


def test_the_script_runs_by_itself(played: Path, tmp_path: Path) -> None:
    """The script proves the dice without the package, and finds that an order file was changed."""
    files = {
        "now.yaml": turn_folder(played, 2) / "results/NOV.yaml",
        "before.yaml": turn_folder(played, 1) / "results/NOV.yaml",
        "my.yaml": turn_folder(played, 2) / "orders/NOV.yaml",
        "dice.jsonl": turn_folder(played, 2) / "results/dice.jsonl",
    }
    for name, path in files.items():
        (tmp_path / name).write_bytes(path.read_bytes())

    def run() -> tuple[int, str]:
        arguments = ["now.yaml", "before.yaml", "--orders", "my.yaml", "--rolls", "dice.jsonl"]
        script = str(resource("examples", "verify_dice.py"))
        done = subprocess.run(
            [sys.executable, "-I", script, *arguments], cwd=tmp_path, capture_output=True, text=True
        )
        assert done.stderr == ""
        return done.returncode, done.stdout

    code, said = run()
    assert (code, said.startswith("Everything fits: seal, secret, seed, your orders, ")) == (0, True)
    (tmp_path / "my.yaml").write_bytes(files["my.yaml"].read_bytes() + b"\n")
    code, said = run()
    assert (code, said) == (1, "your order file is not the one that the dice were made of\n")
    gm_says = [*("verify", "--results", tmp_path / "now.yaml", "--before", tmp_path / "before.yaml")]
    with pytest.raises(SystemExit) as left:
        gm.main([*map(str, gm_says), "--orders", str(tmp_path / "my.yaml")], prog_name="pbem")
    assert left.value.code == 1


def test_the_script_checks_a_turn_that_was_taken_back(played: Path, tmp_path: Path) -> None:
    """14.A3: the chain of seals, and that the orders stayed; a player's 'pbem verify' says the same."""
    game = tmp_path / "minsk"
    shutil.copytree(played, game)
    newest = GameFolder(game).newest_turn()
    for words in (["undo", "--published", "--why", "a misread file"], ["turn", "--no-html", "--missing-ok"]):
        gm.main([*words, "--game", str(game)], prog_name="pbem", standalone_mode=False)
    mine = given(game, newest, "LIT")
    assert list(verify_dice.problems(**mine)) == []
    dice = mine["now"]["dice"]
    (renewal,) = dice["renewed"]
    for changed, says in (
        ({"seal": other(renewal["seal"])}, "published before"),
        ({"secret": other(renewal["secret"])}, "do not follow"),
        ({"sealed": other(renewal["sealed"])}, "do not follow"),
        ({"order_files": {**renewal["order_files"], "LIT": "0"}}, "did not stay"),
    ):
        wrong = {**dice, "renewed": [{**renewal, **changed}]}
        assert says in "\n".join(verify_dice.problems(**{**mine, "now": {**mine["now"], "dice": wrong}}))
    files = [turn_folder(game, turn) / "results/LIT.yaml" for turn in (newest, newest - 1)]
    said = CliRunner().invoke(gm, ["verify", "--results", str(files[0]), "--before", str(files[1])]).output
    assert "Proven" in said
    assert f"told of the seal {dice['seal']}: compare it" in said
