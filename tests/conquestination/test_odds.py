"""What is told of attacks before their dice: CN-7, CN-9 and CN-14.4, exact."""

from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from gm.campaign.check import CheckContext, check_file
from gm.campaign.order_files import OrderReader
from gm.core.yaml.source import Source
from gm.game.answers import OddsAnswer, OddsQuestion, Preview
from gm.games.conquestination.battle import Retreat, attacked
from gm.games.conquestination.odds import ends, losses, outlook
from gm.games.conquestination.spec import SPEC
from gm.games.conquestination.state import Campaign
from tests.commands import Run, run
from tests.conquestination.campaigns import GAME, position, read, table
from tests.conquestination.lands import dice, rules

__all__ = ["run"]

WHERE = "P1 red 7, P2 blue 3, P3 blue 2, Q1 blue 1, Q2 red 4"
CHAIN = """attacks:
  - {id: a, from: P1, to: P2, with: max, until: {keep: 1}}
  - {id: b, from: P2, to: P3, with: {leave: 1}, if: {won: a, min_units: 3}}
  - {from: Q2, to: Q1, with: 2, until: {rolls: 2}, if: {lost: b}}
redeploy:
  - {from: P1, to: P2, units: max, if: {hold: [P2]}}
"""


def preview(text: str = CHAIN, where: str = WHERE) -> Preview:
    state = position(where)
    sheet = read(state, "red", text).sheet
    head = f"game: {GAME}\nturn: {state.run}\nplayer: red\n"
    return SPEC.preview(table(), state, "RED", sheet, Source("red.yaml", head + text))


def asked(state: Campaign | None = None, **question: Any) -> OddsAnswer:
    assert SPEC.odds is not None
    return SPEC.odds(table(), state, OddsQuestion(**question, fights=1), lambda: 0.5)


@pytest.mark.clause("CN-14.4")
def test_the_published_value_for_nine_against_ten() -> None:
    assert outlook(9, 10, rules().attack)[0] == pytest.approx(0.47993525647768, abs=1e-14)
    won = sum(chance for (_, defenders), chance in ends(9, 10, rules().attack).items() if not defenders)
    assert won == pytest.approx(0.47993525647768, abs=1e-14)


@pytest.mark.clause("CN-14.4", "CN-7.6")
def test_counted_rolls_are_those_of_the_full_count() -> None:
    assert losses(3, 2, 6) == {(0, 2): 2890, (1, 1): 2611, (2, 0): 2275}
    assert losses(2, 2, 6) == {(0, 2): 295, (1, 1): 420, (2, 0): 581}
    assert losses(1, 2, 6) == {(0, 1): 55, (1, 0): 161}


@pytest.mark.clause("CN-7.5", "CN-9.4", "CN-9.5")
@pytest.mark.parametrize(("engaged", "defenders"), [(3, 1), (2, 2), (4, 2)])
def test_two_rolls_come_out_as_the_engine_fights_them(engaged: int, defenders: int) -> None:
    """By all that the dice can show, thrown by the engine itself.

    With dice of two faces there are not too many.
    """
    attack = rules().attack.evolve(die=2)
    until = Retreat(keep=1, rolls=2)
    counts = Counter[tuple[int, int]]()
    for faces in product((1, 2), repeat=10):
        end = attacked(engaged, defenders, until, attack, dice(*faces[:6]), dice(*faces[6:]))
        counts[end.engaged, end.defenders] += 1
    assert ends(engaged, defenders, attack, until) == pytest.approx(
        {key: count / 2**10 for key, count in counts.items()}
    )


@pytest.mark.parametrize("until", [Retreat(), Retreat(keep=1), Retreat(keep=4)])
def test_both_tables_agree(until: Retreat) -> None:
    for engaged, defenders in ((7, 3), (12, 12), (20, 5)):
        chances = ends(engaged, defenders, rules().attack, until)
        won = {units: chance for (units, left), chance in chances.items() if not left}
        outcome = outlook(engaged, defenders, rules().attack, until)
        assert outcome[0] == pytest.approx(sum(won.values()))
        assert outcome[1] == pytest.approx(
            sum(units * chance for units, chance in won.items()) / sum(won.values())
        )
        assert sum(chances.values()) == pytest.approx(1)


@pytest.mark.clause("CN-9.6", "CN-9.1", "CN-9.8")
@pytest.mark.slow
def test_the_course_of_a_chain_is_that_of_the_turns_own_code() -> None:
    lines = preview().figures["lines"]
    counted = Counter[str]()
    tries = 150
    state = position(WHERE)
    sheet = read(state, "red", CHAIN).sheet
    for seed in range(tries):
        for event in SPEC.play(table(), state, {"RED": sheet}, str(seed)).events:
            if event.kind in ("Fought", "Redeployed"):
                counted[event.target] += 1  # type: ignore[attr-defined]
    for line, target in zip(lines, ("P2", "P3", "Q1"), strict=False):
        if target != "P2":  # to that a redeployment goes, too
            assert counted[target] / tries == pytest.approx(line["reached"], abs=0.12)
    # exact where it can be had by hand: the second is reached as often as the first is won with three units
    # or more
    first = ends(lines[0]["engaged"], lines[0]["against"], rules().attack, Retreat(keep=1))
    assert lines[0]["won"] == pytest.approx(sum(c for (_, left), c in first.items() if not left))
    enough = sum(chance for (units, left), chance in first.items() if not left and units >= 3)
    assert lines[1]["reached"] == pytest.approx(enough)
    assert lines[2]["reached"] == pytest.approx(1 - lines[1]["won"])


@pytest.mark.clause("CN-8.4")
@pytest.mark.slow
def test_the_course_reckons_with_what_a_file_assumes_of_others() -> None:
    """The forecast's chances agree with 300 played turns in which the others do what is assumed."""
    state = position("P1 red 6, P2 blue 3, P3 blue 2, Q1 red 2, Q2 blue 4")
    orders = "attacks: [Q2 -> Q1, P2 -> P1]\n"
    assumed = "attacks: [P1 -> P2, {from: Q1, to: Q2}]\n"
    context = CheckContext(OrderReader(SPEC, table(), state, "g"), {}, "BLUE")
    text = f"game: g\nturn: {state.run}\nplayer: blue\n{orders}assume:\n  red: {{{assumed.strip()}}}\n"
    expected = check_file(context, Path("o.yaml"), text.encode())
    assert expected is not None
    sheets = {
        code: read(state, code.lower(), file).sheet for code, file in (("RED", assumed), ("BLUE", orders))
    }
    reached = Counter[str]()
    won = Counter[str]()
    tries = 300
    held = 0
    for seed in range(tries):
        outcome = SPEC.play(table(), state, sheets, str(seed))
        held += len(outcome.state.held("BLUE"))
        for event in outcome.events:
            if event.kind == "Fought" and event.owner == "BLUE":  # type: ignore[attr-defined]
                reached[event.target] += 1  # type: ignore[attr-defined]
                won[event.target] += event.how == "won"  # type: ignore[attr-defined]
    for line, target in zip(expected.figures["lines"], ("Q1", "P1"), strict=True):
        assert reached[target] / tries == pytest.approx(line["reached"], abs=0.1)
        assert won[target] / tries == pytest.approx(line["won"], abs=0.1)
    sentence = expected.course[-1].text
    assert sentence.startswith("If the others do what you assume, you hold ")
    assert float(sentence.split()[9]) == pytest.approx(held / tries, abs=0.25)


def test_the_check_says_what_is_to_be_expected() -> None:
    lines = [line.text for line in preview().course]
    assert [line.partition(":")[0] for line in lines[:4]] == [
        "Line 5, P1 > P2",
        "Line 6, P2 > P3",
        "Line 7, Q2 > Q1",
        "Line 9, P1 > P2",
    ]
    assert "wins in" in lines[0]
    assert lines[-1].startswith("You take")
    assert preview("reinforce: []\n").course == ()
    large = preview(where="P1 red 900, P2 blue 3, P3 blue 2, Q1 blue 1, Q2 red 4")
    assert [line.text for line in large.course] == ["The odds are reckoned for forces of up to 400 units."]


def test_odds_of_typed_forces() -> None:
    keep = Retreat(keep=2)
    first = ends(12, 4, rules().attack, keep)
    chain = sum(
        chance * outlook(left - 1, 3, rules().attack, keep)[0]
        for (left, against), chance in first.items()
        if not against
    )
    for forces, figure in (("9 vs 10", 0.47993525647768), ("12 keep 2 vs 4, 3", chain)):
        answer = asked(forces=forces)
        assert sum(answer.figures["chains"][0]["left"].values()) == pytest.approx(figure)
        assert f"{figure:.1%}" in "\n".join(answer.lines)
        assert "<svg" in answer.picture()


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ({"forces": "9"}, "write it like one of these"),
        ({"forces": "9 vs 401"}, "a force has 1 to 400 units"),
        ({"forces": "P1 vs Q2"}, "Q2 is not next to P1"),
        ({"place": "Q1"}, "nobody can attack Q1 now"),
        ({"place": "P2"}, "no such attack can be made"),
        ({"place": "X9"}, "no country is called 'X9'"),
    ],
)
def test_odds_that_nobody_can_tell(question: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        asked(position("P1 red 1, P2 blue 1, P3 red 1, Q1 red 1, Q2 red 4"), **question)


def test_the_commands_know_battles_and_their_odds(run: Run, tmp_path: Path) -> None:
    game = tmp_path / "game"
    run("new", game, "--game", "conquestination", "--bots", "general", "--map", "four-shores", "--seed", "x")
    for _ in range(2):
        run("turn", "--missing-ok", "--no-html", "--game", game)
    assert "48.0%" in run("odds", "9", "vs", "10", "--map", "test-5").output
    assert "48.0%" in run("odds", "9", "vs", "10", "--game", game).output
    answer = " ".join(run("why", "turn", "--game", game).output.split())
    assert "fought to the end" in answer
    assert "on average; 3.50 is even" in answer
