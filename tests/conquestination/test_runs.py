"""CN-1, CN-5 to CN-9, CN-11, CN-12: whole runs."""

import pytest

from gm.core.yaml.source import Source
from gm.game.values import NewGameRequest
from gm.games.conquestination.spec import SPEC
from tests.conquestination.campaigns import GAME, begun, fates, of_kind, played, position, read, table
from tests.conquestination.lands import board

SPLIT = "P1 red 5, P2 blue 1, P3 blue 1, Q1 red 2, Q2 blue 3"


@pytest.mark.clause("CN-1.2", "CN-12.1", "CN-5.5", "CN-5.1", "CN-3.5", "CN-3.1", "CN-3.3")
def test_a_new_game_is_dealt_and_deploys_in_run_0() -> None:
    state = begun("four-shores", players=3)
    assert sorted(len(state.held(code)) for code in state.parties) == [4, 4, 5]
    assert [party.to_deploy for party in state.parties.values()] == [5, 6, 6]
    assert {country.units for country in state.countries.values()} == {1}
    first = {code: state.held(code)[0] for code in state.parties}
    files = {code.lower(): f"deploy: [{{country: {first[code]}, units: rest}}]\n" for code in state.parties}
    after = played(state, files, name="four-shores").state
    assert [after.units_of(code) for code in after.parties] == [10, 10, 10]
    assert all(after.countries[first[code]].units == 1 + state.parties[code].to_deploy for code in first)
    assert (after.turn, after.run) == (1, 1)


@pytest.mark.clause("CN-5.2", "CN-2.5", "CN-12.3", "CN-5.4")
def test_the_deal_is_drawn_and_seats_may_be_shuffled() -> None:
    deals = {
        seed: begun("four-shores", seed, players=4, seat_order=order)
        for seed, order in (("1", "joined"), ("2", "joined"), ("3", "shuffled"), ("4", "shuffled"))
    }
    assert deals["1"].countries != deals["2"].countries
    assert list(deals["1"].parties) == list(deals["2"].parties) == ["RED", "BLUE", "GREEN", "YELLOW"]
    seats = {tuple(deals[seed].parties) for seed in ("3", "4")}
    assert len(seats | {("RED", "BLUE", "GREEN", "YELLOW")}) > 1


@pytest.mark.clause("CN-2.1", "CN-2.2")
@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("four-shores", {"players": 5}, "Four Shores is for 2 to 4 players, not for 5"),
        ("random", {"players": 9}, "A random map is for 2 to 8 players, not for 9"),
        ("small-random", {"players": 4, "countries": 3}, "for 2 to 3 players, not for 4"),
        ("test-5", {"countries": 9}, "'countries' is for a random map"),
    ],
)
def test_what_does_not_go_together_is_refused_at_creation(
    name: str, options: dict[str, int], message: str
) -> None:
    wishes = NewGameRequest(
        map=SPEC.maps()[name], options={option: str(value) for option, value in options.items()}, seed="s"
    )
    with pytest.raises(ValueError, match=message):
        SPEC.founded(wishes)


@pytest.mark.clause("CN-5.6", "CN-6.8", "CN-5.3")
def test_units_a_deploy_list_does_not_place_go_by_the_default_rule() -> None:
    state = position("P1 red 1, P2 red 1, P3 blue 1, Q1 red 1, Q2 blue 1", turn=0).with_parties(
        {"RED": {"to_deploy": 3}, "BLUE": {"to_deploy": 2}}
    )
    outcome = played(
        state, {"red": "deploy: [{country: P1, units: 1}]\n", "blue": "deploy: [{country: P3, units: 9}]\n"}
    )
    red, blue = of_kind(outcome, "Deployed")
    # in the second round Q1 faces P3 and Q2, in the third P2 is pressed as much and comes first
    assert (dict(red.placed), red.by_default) == ({"P1": 1, "Q1": 1, "P2": 1}, 2)
    assert (dict(blue.placed), blue.by_default) == ({"P3": 2}, 0)
    assert fates(outcome, "blue") == [("reduced", "fewer-units")]


@pytest.mark.clause("CN-8.6", "CN-11.6")
def test_who_is_out_neither_plays_nor_orders() -> None:
    state = position("P1 red 5, P2 red 1, P3 green 1, Q1 red 2, Q2 green 3", name="test-5")
    state = state.evolve(
        parties=type(state.parties)(
            {**state.parties, "BLUE": state.parties["RED"].evolve(code="BLUE", name="Blue")}
        )
    ).with_party("BLUE", out=True, status="eliminated")
    assert [event.owner for event in of_kind(played(state, {}), "TurnBegan")] == ["RED", "GREEN"]
    reading = read(state, "blue", "attacks: []\n")
    assert [diagnostic.message for diagnostic in reading.diagnostics] == [
        "Blue is out of the game: eliminated"
    ]


@pytest.mark.clause("CN-12.4", "CN-12.3")
def test_the_log_has_every_die_of_both_sides() -> None:
    outcome = played(position(SPLIT), {"red": "attacks: [{from: P1, to: P2}]\n"})
    fight = of_kind(outcome, "Fought")[0]
    logged = {event.label.rpartition(" | ")[2]: event.outcomes for event in of_kind(outcome, "DiceRolled")}
    attack = [sorted(map(int, roll.partition(" : ")[0].split())) for roll in fight.rolls]
    at = 0
    throws = []
    for dice in attack:
        throws.append(sorted(face + 1 for face in logged["D3 attack"][at : at + len(dice)]))
        at += len(dice)
    assert throws == attack
    assert set(logged) == {"D3 attack", "D4 defence"}


@pytest.mark.clause("CN-7.2", "CN-3.2")
def test_a_link_is_a_way_but_no_border() -> None:
    land = board("test-5")
    assert land.neighbours["P3"] == ("P2", "Q1")
    assert land.by_land["P3"] == ("P2",)


@pytest.mark.clause("CN-13.3")
def test_fallback_lines_are_skipped_and_the_check_does_not_warn_of_them() -> None:
    """14.D29: a line for another case is skipped, in the report and in the check.

    One that cannot be is warned of.
    """
    state = position("P1 red 5, P2 red 9, P3 blue 1, Q1 blue 1, Q2 blue 1")
    text = """\
redeploy:
  - {from: P2, to: P1, units: {leave: 1}}
  - {from: P1, to: P2, units: 1}
"""
    reading = read(state, "red", text)
    outcome = SPEC.play(table(), state, {"RED": reading.sheet}, "seed")
    assert fates(outcome, "red")[1] == ("skipped", "another-choice")
    head = f"game: {GAME}\nturn: {state.run}\nplayer: red\n"
    preview = SPEC.preview(table(), state, "RED", reading.sheet, Source("red.yaml", head + text))
    assert [order.fate for order in preview.orders] == ["done", "skipped"]
    assert preview.findings == ()
    few = "attacks:\n  - {from: P1, to: Q1, with: 2, until: {keep: 2}}\n"
    tried = read(state, "red", few.replace("P1, to: Q1", "P2, to: P3"))
    preview = SPEC.preview(table(), state, "RED", tried.sheet, Source("red.yaml", head + few))
    assert [order.fate for order in preview.orders] == ["skipped"]
    assert "would be skipped" in preview.findings[0].message
