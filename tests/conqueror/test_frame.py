"""What figures (tests/games/figures) cannot say of how a game begins (CQ-2), and of the computer's orders
(CQ-18).
"""

import pytest

from gm.game.values import NewGameRequest
from gm.games.conqueror.computer import plan_of
from gm.games.conqueror.rules import Leader
from gm.games.conqueror.spec import SPEC
from tests.conqueror.turns import board, opened, rules


@pytest.mark.clause("CQ-2.9", "CQ-21.3")
@pytest.mark.slow
def test_homes_that_were_asked_for_are_played_and_the_others_are_drawn() -> None:
    chosen = {
        tuple(opened("europe859", max_players=4, homes=("Denmark", "white"), seed=str(n)).parties)
        for n in range(20)
    }
    assert all({"WESS", "DANE"} <= set(homes) and len(homes) == 4 for homes in chosen)
    assert len(chosen) > 5
    same = [tuple(opened("europe859", max_players=4, seed="one").parties) for _ in range(2)]
    assert same[0] == same[1]


@pytest.mark.clause("CQ-2.7", "CQ-2.10")
def test_settings_come_from_the_command_line() -> None:
    options = {
        "leaders": "{Arden: {name: Ada, sex: she}}",
        "until": "2026-05-01",
        "influence_cap": "10",
        "turns": "12",
    }
    founded = SPEC.founded(NewGameRequest(map=SPEC.maps()["duchies"], options=options, seed="x"))
    state = SPEC.start(founded.table, SPEC.maps()["duchies"], None)
    assert state.parties["ARDEN"].leader == Leader(name="Ada", sex="she")
    assert (state.settings.turns, str(state.settings.until), state.settings.influence_cap) == (
        12,
        "2026-05-01",
        10,
    )
    assert state.settings.applied(rules()).knobs.influence_cap == 10
    assert SPEC.state(SPEC.record(state)) == state


@pytest.mark.clause("CQ-2.8", "CQ-2.9")
def test_homes_that_are_asked_for_are_in_the_game_whatever_the_draw() -> None:
    """14.D27: ``--play WESS --set max_players=5`` never fails."""
    chosen = SPEC.maps()["europe859"]
    for seed in map(str, range(12)):
        wishes = NewGameRequest(map=chosen, options={"max_players": "3"}, seed=seed, parties=("WESS",))
        founded = SPEC.founded(wishes)
        codes = [seat.code for seat in SPEC.seats(founded.table, SPEC.start(founded.table, chosen, None))]
        assert "WESS" in codes
        assert len(codes) == 3
    with pytest.raises(ValueError, match="there are 2 seats"):
        SPEC.founded(
            NewGameRequest(map=chosen, options={"max_players": "2"}, parties=("WESS", "DANE", "LOMB"))
        )


@pytest.mark.clause("CQ-18.5")
def test_the_computer_gives_five_orders_at_most() -> None:
    europe = opened("europe859")
    everything = {
        code: province.owned_by("WESS").evolve(fresh=4)
        for code, province in europe.provinces.items()
        if code != "KIEV"
    }
    large = europe.with_provinces(*everything.values())
    plan = plan_of(large, "WESS", board("europe859"), rules(), lambda many: 0)
    assert len(plan.moves) == rules().limits.moves
