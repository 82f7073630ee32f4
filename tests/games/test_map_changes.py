"""What changed on a map between two positions: one pure comparison, and its legend in a reader's words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.core.values import PUBLIC
from gm.game.answers import Fight, TurnStory, Work
from gm.game.base.hooks import formatter_of
from gm.game.base.story import story_of
from gm.game.map_changes import (
    ChangeKind,
    LegendRow,
    MapChange,
    MapReader,
    changes_data,
    legend,
    map_changes,
    steps_between,
)
from gm.game.values import TurnResult
from gm.games import game_spec
from gm.games.conquest_structures.events import UnitsBuilt

NAMES = {"LIT": "Lithuania", "POL": "Poland"}
BREST = MapChange(ChangeKind.HANDS, ("BR",), "POL", "LIT")
FOUGHT = TurnStory((Fight(("BR",), "Brest", "They fought."), Fight(("BR", "MI"), "Border", "They met.")))
BUILT = TurnStory(built=(Work("MI", "fort"), Work("MI", "fort"), Work("BR", "harbour")))
OWNERS = st.dictionaries(st.sampled_from("abcdef"), st.sampled_from(["LIT", "POL", "TEU"]))


def reader(code: str) -> MapReader:
    return MapReader(code, NAMES, {"BR": "Brest", "MI": "Minsk"}, str)


@pytest.mark.parametrize(
    ("before", "after", "stories", "changes"),
    [
        ({"BR": "POL"}, {"BR": "POL"}, [], ()),
        ({"BR": "POL"}, {"BR": "LIT"}, [], (BREST,)),
        ({}, {"BR": "LIT"}, [], (BREST.evolve(former=""),)),
        ({"BR": "POL"}, {}, [], (BREST.evolve(owner=""),)),
        (
            {},
            {},
            [FOUGHT, FOUGHT],
            (MapChange(ChangeKind.BATTLE, ("BR",)), MapChange(ChangeKind.BATTLE, ("BR", "MI"))),
        ),
        (
            {},
            {},
            [BUILT, TurnStory()],
            (
                MapChange(ChangeKind.BUILT, ("MI",), what="fort"),
                MapChange(ChangeKind.BUILT, ("BR",), what="harbour"),
            ),
        ),
    ],
    ids=["nothing", "won", "from nobody", "to nobody", "battles once", "buildings once"],
)
def test_two_positions_and_the_stories_between_give_typed_changes(
    before: dict[str, str], after: dict[str, str], stories: list[TurnStory], changes: tuple[MapChange, ...]
) -> None:
    assert map_changes(before, after, stories) == changes


@given(OWNERS, OWNERS)
def test_the_changes_lead_from_one_position_to_the_other(
    before: dict[str, str], after: dict[str, str]
) -> None:
    owners = dict(before)
    for change in map_changes(before, after, ()):
        (place,) = change.places
        assert owners.pop(place, "") == change.former != change.owner
        owners |= {place: change.owner} if change.owner else {}
    assert owners == after


@pytest.mark.parametrize(
    ("code", "change", "row"),
    [
        ("LIT", BREST, ("won", "Won from Poland")),
        ("POL", BREST, ("lost", "Lost to Lithuania")),
        ("", BREST, ("hands", "Won by Lithuania from Poland")),
        ("LIT", BREST.evolve(former=""), ("won", "Won (no owner before)")),
        ("POL", BREST.evolve(owner=""), ("lost", "Lost (no owner now)")),
        ("POL", BREST.evolve(former=""), ("hands", "Won by Lithuania (no owner before)")),
        ("LIT", BREST.evolve(owner=""), ("hands", "Lost by Poland (no owner now)")),
        ("LIT", MapChange(ChangeKind.BATTLE, ("BR",)), ("battle", "Battle")),
        ("LIT", MapChange(ChangeKind.BUILT, ("BR",), what="fort"), ("built", "Built: fort")),
    ],
)
def test_the_legend_says_it_in_the_readers_words(code: str, change: MapChange, row: tuple[str, str]) -> None:
    assert legend([change], reader(code)) == (LegendRow(*row, ("Brest",)),)


def test_a_row_of_the_legend_has_all_places_and_rows_come_in_the_order_of_the_marks() -> None:
    changes = map_changes({"MI": "POL", "BR": "POL"}, {"MI": "LIT", "BR": "LIT"}, [BUILT, FOUGHT])
    rows = [(row.words, row.places) for row in legend(changes, reader("LIT"))]
    assert rows == [
        ("Won from Poland", ("Brest", "Minsk")),
        ("Battle", ("Brest", "Brest – Minsk")),
        ("Built: fort", ("Minsk",)),
        ("Built: harbour", ("Brest",)),
    ]


def test_a_pages_data_has_the_changes_of_each_turn_and_no_name_that_is_not_needed() -> None:
    stories = [FOUGHT, TurnStory(), TurnStory()]
    steps = steps_between([{"BR": "POL"}, {"BR": "POL"}, {"BR": "LIT"}], stories)
    data = changes_data(steps, reader(""))
    assert data["steps"] == [[[], [], []], [[[0, 1, 2]], [], []]]
    assert (data["places"], data["owners"]) == (["BR"], ["", "POL", "LIT"])
    assert data["called"] == {"BR": "Brest"}


def test_places_that_the_page_has_keep_their_numbers_in_its_data() -> None:
    data = changes_data([map_changes({}, {}, [FOUGHT, BUILT])], reader(""), ("MI", "BR"))
    assert data["steps"] == [[[], [[1], [1, 0]], [[0, 0], [1, 1]]]]
    assert (data["places"], data["things"]) == ([], ["fort", "harbour"])


@pytest.mark.parametrize(("audience", "built"), [(PUBLIC, True), ("RED", True), ("BLUE", False)])
def test_what_was_built_is_told_only_to_those_who_may_know_of_it(audience: str, built: bool) -> None:
    spec = game_spec("conquest-structures")
    table = spec.shipped_table(spec.default_map)
    state = spec.start(table, spec.maps()[spec.default_map], None).with_new(
        "H1", ["infantry"], built_now=True
    )
    unit = next(iter(state.units.values()))
    event = UnitsBuilt(audience=audience, owner="BLUE", place="H1", units=(unit.id,))
    result = TurnResult(game="g", before=state, after=state, events=(event,))
    story = story_of(spec, table, result, "RED", formatter_of(spec, table, [state]))
    assert story.built == ((Work("H1", unit.type),) if built else ())
