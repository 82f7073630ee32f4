"""Every game of the program can be simulated, and its bots give no order that its reader refuses."""

import sys
from importlib.metadata import Distribution, EntryPoint
from pathlib import Path

import pytest

from gm.game.values import View
from gm.games import GAMES, game_spec
from gm.simulation.findings import Findings
from gm.simulation.plan import Plan, code_fingerprint, make_plan
from gm.simulation.playing import BotBrokeError, run_here
from gm.simulation.report import simulation_page, summary_lines
from gm.simulation.seating import SeatingError
from tests.examples import sweep

TURNS = 4
CHANCE = "random"  # a bot that orders by chance may well order what makes no sense


@pytest.mark.parametrize("name", sweep(GAMES, "conquest-structures"))
def test_games_of_every_kind_can_be_simulated(name: str) -> None:
    spec = game_spec(name)
    maps = spec.maps()
    chosen = maps[spec.default_map or next(iter(maps))]
    sensible = [bot for bot in spec.bots if bot != CHANCE]
    assert sensible
    plan, names = make_plan(spec, chosen, bots=",".join(sensible), turns=TURNS, seed="every game")
    count = len(plan.seating.rotating)
    records = list(run_here(plan, plan.jobs(count)))
    assert records == list(run_here(plan, plan.jobs(count)))
    findings = Findings(records)
    assert "\n".join(findings.refusals) == ""
    assert findings.refused == 0
    assert findings.names == names
    assert set(findings.bots) == set(sensible)
    assert findings.orders > 0
    assert sum(findings.uses["event"].values()) > 0


def test_who_plays_may_be_drawn_for_each_game() -> None:
    """14.D27: ``pbem simulate --game conqueror --set max_players=4``."""
    spec = game_spec("conqueror")
    options = {"max_players": "4"}
    plan, _ = make_plan(spec, spec.maps()["europe859"], bots="steward", turns=2, seed="s", options=options)
    records = list(run_here(plan, plan.jobs(4)))
    assert all(len(record["realms"]) == 4 for record in records)
    assert len({tuple(record["realms"]) for record in records}) > 1
    fixed, _ = make_plan(
        spec, spec.maps()["europe859"], bots="WESS=random,steward", turns=1, seed="s", options=options
    )
    assert all(record["realms"]["WESS"]["bot"] == "random" for record in run_here(fixed, fixed.jobs(4)))


def test_a_game_stopped_at_the_limit_is_unfinished_and_nobody_has_won() -> None:
    """14.D33: who is ahead is told in a column of its own."""
    spec = game_spec("conquest-structures")
    plan, _ = make_plan(spec, spec.maps()["duel-11"], bots="random", turns=1, seed="s")
    records = list(run_here(plan, plan.jobs(3)))
    assert {(record["reason"], tuple(record["winners"])) for record in records} == {("unfinished", ())}
    findings = Findings(records)
    assert all(realm.finished == realm.wins == 0 for realm in findings.realms.values())
    assert sum(realm.led for realm in findings.realms.values()) > 0
    assert "unfinished" in simulation_page(plan, spec.title, dict.fromkeys(spec.bots, "plays"), findings)
    assert "led unfinished" in "\n".join(summary_lines(findings))


def test_games_without_chance_are_one_observation() -> None:
    """14.D33: two minimaxes play the same game each time, two randoms do not."""
    spec = game_spec("conquest-fields")
    board = spec.maps()["training-2x3"]
    plan, _ = make_plan(spec, board, bots="minimax", turns=20, seed="s")
    findings = Findings(run_here(plan, plan.jobs(5)))
    assert (findings.games, findings.repeated) == (1, 4)
    assert "4 more games were one of these over again" in "\n".join(summary_lines(findings))
    assert "the same over again" in simulation_page(
        plan, spec.title, dict.fromkeys(spec.bots, "plays"), findings
    )
    plan, _ = make_plan(spec, board, bots="random", turns=20, seed="s")
    drawn = Findings(run_here(plan, plan.jobs(5)))
    assert (drawn.games, drawn.repeated) == (5, 0)


class Standstill:
    """A bot of a package's own."""

    name = "standstill"
    about = "does nothing"

    def orders(self, view: View) -> bytes:
        return (
            f"game: {view.game}\nturn: {view.turn}\nplayer: {view.realm.lower()}\nkey: {view.key}\n".encode()
        )


class Clumsy:
    """Another, which fails."""

    name = "clumsy"
    about = "fails"

    def orders(self, view: View) -> bytes:
        raise RuntimeError("no idea")


def test_a_bot_of_somebody_elses_that_fails_is_told_as_such(tmp_path: Path) -> None:
    spec = game_spec("conquest-structures")
    named = f"{__name__}:Clumsy"
    plan, _ = make_plan(spec, spec.maps()["duel-11"], bots=f"RED={named},marshal", turns=2, seed="s")
    with pytest.raises(BotBrokeError, match=f"game 1, turn 1: the bot {named} of RED: RuntimeError: no idea"):
        list(run_here(plan, plan.jobs(1)))
    program = f"program:{sys.executable} {tmp_path / 'bot.py'} --level=3"
    (tmp_path / "bot.py").write_text("raise SystemExit('boom')\n")
    plan, _ = make_plan(spec, spec.maps()["duel-11"], bots=f"RED={program},marshal", turns=2, seed="s")
    assert dict(plan.seating.fixed) == {"RED": program}
    with pytest.raises(BotBrokeError, match="of RED: it ended with exit status 1: boom"):
        list(run_here(plan, plan.jobs(1)))


def test_code_of_other_bots_that_changes_makes_it_another_simulation(tmp_path: Path) -> None:
    spec = game_spec("conquest-structures")
    bot = tmp_path / "bot.py"

    def mark() -> str:
        names = f"program:{sys.executable} {bot} --level=3,marshal"
        return make_plan(spec, spec.maps()["duel-11"], bots=names, turns=2, seed="s")[0].fingerprint

    bot.write_text("1")
    first = mark()
    assert mark() == first
    bot.write_text("2")
    assert mark() != first


def test_code_of_installed_bots_that_changes_makes_it_another_simulation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name of a bot of an installed package has no colon: ``--bots careful``."""
    spec = game_spec("conquest-structures")
    entry_points = [
        EntryPoint("conquest-structures.careful", "careful_players:Careful", "gm.bots"),
        EntryPoint("gone", "no_such_package.players:Gone", "gm.bots"),
    ]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: entry_points)
    monkeypatch.syspath_prepend(tmp_path)
    module = tmp_path / "careful_players.py"

    def plan() -> Plan:
        return make_plan(spec, spec.maps()["duel-11"], bots="careful,marshal", turns=2, seed="s")[0]

    module.write_text("class Careful:\n    def orders(self, view): ...\n")
    first = plan()
    assert list(first.other_bots) == ["careful"]
    assert plan() == first
    module.write_text("class Careful:\n    def orders(self, view): return b''\n")
    assert plan().fingerprint != first.fingerprint
    with pytest.raises(SeatingError, match="'gone' cannot be loaded"):
        make_plan(spec, spec.maps()["duel-11"], bots="gone,marshal", turns=2, seed="s")


def test_an_installed_bot_of_another_version_makes_it_another_simulation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its package may have other modules than the bot's own: its version stands for them."""
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "careful_players.py").write_text("class Careful: ...\n")
    fingerprints = []
    for version in ("1.0", "1.1"):
        info = tmp_path / f"careful-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: careful\nVersion: {version}\n")
        (info / "entry_points.txt").write_text("[gm.bots]\ncareful = careful_players:Careful\n")
        (entry_point,) = Distribution.at(info).entry_points
        fingerprints.append(code_fingerprint("careful", entry_point))
    assert len(set(fingerprints)) == 2


def test_bots_of_other_modules_can_be_simulated() -> None:
    """14.D33: ``--bots module:Class``."""
    spec = game_spec("conquest-structures")
    named = f"{__name__}:Standstill"
    plan, _ = make_plan(spec, spec.maps()["duel-11"], bots=f"RED={named},marshal", turns=2, seed="s")
    (record,) = run_here(plan, plan.jobs(1))
    assert record["realms"]["RED"]["bot"] == named
    assert record["refused"] == 0
    with pytest.raises(SeatingError, match="cannot be loaded"):
        make_plan(spec, spec.maps()["duel-11"], bots="no_such_module:Bot", turns=2, seed="s")
