"""What may be chosen when a game begins stands in the game's files, and rules its end (V1)."""

from pathlib import Path

import pytest

from gm.game.values import NewGameRequest
from gm.games.medieval.spec import SPEC
from gm.games.medieval.steps.realms import scores


def wishes(**options: str) -> NewGameRequest:
    return NewGameRequest(map=SPEC.maps()["minsk"], options=options)


@pytest.mark.clause("V1")
def test_a_last_turn_and_a_share_of_cities_are_kept_with_the_game_and_end_it(tmp_path: Path) -> None:
    made = SPEC.founded(wishes(last_turn="1", cities_percent="90"))
    for name, data in made.files.items():
        (tmp_path / name).write_bytes(data)
    table = SPEC.load_table(tmp_path)
    assert (table.rules.victory.last_turn, table.rules.victory.cities_percent) == (1, 90)
    assert table.rules == made.table.rules
    start = SPEC.start(table, SPEC.maps()["minsk"], None)
    after = SPEC.play(table, start, {}, "seed").state
    ranked = scores(after, table.board, table.rules)
    assert SPEC.ended(table, start) is None
    assert SPEC.ended(table, after) == tuple(sorted(code for code, score in ranked if score == ranked[0][1]))


def test_what_is_not_chosen_is_as_in_the_rules() -> None:
    assert SPEC.founded(wishes()).table.rules == SPEC.shipped_table("minsk").rules


@pytest.mark.parametrize(
    ("name", "word"), [("last_turn", "0"), ("last_turn", "never"), ("cities_percent", "101")]
)
def test_a_figure_out_of_its_bounds_is_refused_with_them(name: str, word: str) -> None:
    with pytest.raises(ValueError, match=f"'{word}' is no figure for {name}: it goes from 1 to 1"):
        SPEC.founded(wishes(**{name: word}))
