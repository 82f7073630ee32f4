"""Rules files of a game's own that say only what differs from ours."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gm.campaign.pinning import rules_in_force
from gm.core.yaml.models import load_value, overlaid, standing_alone, whole_text
from gm.core.yaml.source import plain_data, read_yaml
from gm.games import game_spec
from gm.resources import resource
from tests.cli.conftest import AT, Run
from tests.examples import sweep

OWN = {
    "troops.yaml": ("troops: {Militia: {cost: 4}}\n", "troops.Militia.cost: 3 -> 4"),
    "fortifications.yaml": (
        "fortifications:\n  - {level: 2, barracks: 8}\n",
        "fortifications.2.barracks: 6 -> 8",
    ),
    "numbers.yaml": ("economy: {decay_percent: 8}\n", "economy.decay_percent: 7 -> 8"),
}


def leaves(data: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield the entries that hold no others, with where they stand."""
    for name, value in data.items():
        if isinstance(value, dict):
            yield from leaves(value, (*path, name))
        else:
            yield (*path, name), value


def own_file(game: Path, name: str, text: str) -> None:
    """Put a file of its own into a game."""
    (game / "rules").mkdir(exist_ok=True)
    (game / "rules" / name).write_text(text, "utf-8")


@pytest.mark.slow
def test_a_file_of_one_cost_changes_that_cost_and_nothing_else(ready: Path, run: Run) -> None:
    """Item 18: rows and columns that a file does not name are ours.

    Just what differs is shown, and then played.
    """
    for name, (text, _) in OWN.items():
        own_file(ready, name, text)
    changes = [f"rules/{name}: {change}" for name, (_, change) in OWN.items()]
    dry = run("upgrade", "--dry-run").output
    assert sorted(line.partition("   (")[0] for line in dry.splitlines()) == sorted(
        [*changes, "Nothing was changed."]
    )
    assert "3 differences" in run("status", "--at", AT).output
    assert all(change in run("turn", code=1).output for change in changes)
    upgraded = run("upgrade").output
    assert all(change in upgraded for change in changes)
    assert "began with" in run("upgrade").output
    table = game_spec("medieval").load_table(ready)
    shipped = game_spec("medieval").shipped_table("minsk")
    changed = [name for name, troop in shipped.rules.troops.items() if table.rules.troops[name] != troop]
    assert changed == ["Militia"]
    assert table.rules.troops["Militia"].cost == 4
    assert [fortification.barracks for fortification in table.rules.fortifications][:3] == [3, 8, 9]
    run("turn", "--no-html")
    assert "Proven" in run("verify", "--replay").output


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("troops.yaml", "troops: {Militia: {cots: 4}}\n", "= did you mean 'cost'?"),
        ("troops.yaml", "troops: {Millitia: {cost: 4}}\n", "= did you mean 'Militia'?"),
        ("troops.yaml", "troops: {Dragons: {cost: 4}}\n", "'upkeep' is missing here"),
        ("troops.yaml", "troops: {Militia: {cost: dear}}\n", "troops.Militia.cost"),
        ("troops.yaml", "troops: {Militia: null}\n", "lists Militia, not in troops.yaml"),
        ("troops.yaml", "troops: [\n", "troops.yaml"),
        ("numbers.yaml", "economy: {revenue_percent: [100]}\n", "revenue_percent needs one figure"),
    ],
)
def test_a_file_that_is_refused_is_refused_by_the_dry_run_too(
    ready: Path, run: Run, name: str, text: str, complaint: str
) -> None:
    """Item 18: ``upgrade`` and ``upgrade --dry-run`` say the same of a file that cannot be used."""
    own_file(ready, name, text)
    for words in (["upgrade", "--dry-run"], ["upgrade"]):
        assert complaint in " ".join(run(*words, code=2).output.split()), words


@pytest.mark.slow
def test_with_keep_a_row_that_was_taken_out_stays_out(ready: Path, run: Run) -> None:
    """Item 18: ``null`` takes a row out, and ``--keep`` writes the file that says so again."""
    ours = plain_data(read_yaml(resource("rules/medieval/recruits.yaml").read_bytes(), ""))["recruits"]
    lists = {region: [name for name in names if name != "Mercenaries"] for region, names in ours.items()}
    own_file(ready, "recruits.yaml", whole_text({"recruits": lists}).decode())
    own_file(ready, "troops.yaml", "troops: {Mercenaries: null}\n")
    assert "rules/troops.yaml: troops.Mercenaries: {" in run("upgrade").output
    load = game_spec("medieval").load_table
    chosen = load(ready).rules
    assert "Mercenaries" not in chosen.troops
    for name in ("troops.yaml", "recruits.yaml"):
        (ready / "rules" / name).unlink()
    assert "troops.Mercenaries: nothing -> {" in run("turn", code=1).output
    run("upgrade", "--keep")
    assert load(ready).rules == chosen
    assert "began with" in run("upgrade", "--dry-run").output
    run("turn", "--no-html")


def test_what_a_game_is_played_by_can_be_said_by_what_differs() -> None:
    """Item 18: what a game is played by can be told of ours by a file that says what differs."""
    ours: Any = {"troops": {"A": {"cost": 1}, "B": {"cost": 2}}, "limit": None, "names": ["x"]}
    for data in ({**ours, "troops": {"A": {"cost": 3}}}, {"troops": ours["troops"]}, {**ours, "names": []}):
        said = standing_alone(ours, data)
        merged = overlaid(ours, plain_data(read_yaml(whole_text(said), "")))
        assert {name: value for name, value in merged.items() if value is not None} == {
            name: value for name, value in data.items() if value is not None
        }


@pytest.mark.parametrize(
    "key", sweep(["conquest-structures", "conquest-fields", "conquestination", "conqueror"], "conqueror")
)
@pytest.mark.slow
def test_the_rules_of_every_game_may_differ_in_one_figure(run: Run, tmp_path: Path, key: str) -> None:
    """Item 18: small games read their rules in the same way."""
    folder = tmp_path / key
    run("new", folder, "--game", key, "--first", "2026-01-09", "--at", AT)
    spec = game_spec(key)
    shipped = plain_data(read_yaml(resource("rules", key, "rules.yaml").read_bytes(), ""))
    *above, name = next(path for path, value in leaves(shipped) if type(value) is int and value > 1)
    part = shipped
    for section in above:
        part = part[section]
    figure = part[name]
    own: Any = {name: figure + 1}
    for section in reversed(above):
        own = {section: own}
    own_file(folder, "rules.yaml", whole_text(own).decode())
    part[name] = figure + 1
    assert plain_data(read_yaml(rules_in_force(spec, folder)["rules/rules.yaml"], "")) == shipped
    change, last = run("upgrade", "--dry-run", "--game", folder).output.splitlines()
    assert change.startswith(f"rules/rules.yaml: {'.'.join([*above, name])}: {figure} -> {figure + 1}")
    assert last == "Nothing was changed."
    whole = tmp_path / "whole.yaml"
    whole.write_bytes(whole_text(shipped))
    assert spec.load_table(folder).rules == load_value(whole, spec.rules_type)  # type: ignore[attr-defined]
