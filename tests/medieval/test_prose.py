"""Prose: small numbers are words, and what is a realm's has its adjective, in English and in German."""

from itertools import chain

import pytest

from gm.games.medieval.events.movement import ProvinceConquered
from gm.games.medieval.report.battle_wordings import FORMS, wordings
from gm.games.medieval.report.formatter import MedievalFormatter
from gm.games.medieval.spec import SPEC
from gm.text.languages import translator
from gm.text.pages import spelled
from gm.text.words import Named, in_prose
from tests.medieval.mapland import minsk
from tests.medieval.test_battle_summary import battle
from tests.medieval.testland import make_world, unit

GERMAN = translator("medieval", "de")


@pytest.mark.parametrize(
    ("pattern", "value", "said"),
    [
        ("{it:spelled}", 3, "three"),
        ("{it:spelled}", 10, "10"),
        ("{it:spelled}", 0, "0"),
        ("{it}", 3, "3"),
        ("{it:round}", 1, "one round"),
        ("{it:round}", 9, "nine rounds"),
        ("{it:round}", 12, "12 rounds"),
        ("{it:army|armies}", 2, "two armies"),
        ("{it:+ ships}", Named("Venice", "Venetian"), "Venetian ships"),
        ("{it:+ ships}", Named("Venice"), "ships of Venice"),
        ("{it:+ ships}", "Venice and Poland", "ships of Venice and Poland"),
        ("{it} wins", Named("Venice", "Venetian"), "Venice wins"),
    ],
)
def test_english_prose(pattern: str, value: object, said: str) -> None:
    assert in_prose(pattern, str, {"it": value}) == said


@pytest.mark.parametrize(
    ("pattern", "value", "said"),
    [
        ("{it:Runde|Runden}", 4, "vier Runden"),
        ("{it:Runde|Runden}", 1, "1 Runde"),
        ("{it:+e Schiffe}", Named("Venice", "venezianisch"), "venezianische Schiffe"),
        ("{it:+e Schiffe}", Named("Venice"), "Schiffe (Venice)"),
    ],
)
def test_german_prose(pattern: str, value: object, said: str) -> None:
    assert in_prose(pattern, GERMAN, {"it": value}) == said


def test_what_is_no_small_number_stays_as_it_is() -> None:
    assert [spelled(number) for number in ("²", "٣", "", "x", "-1", "1.5", 7)] == [
        "²",
        "٣",
        "",
        "x",
        "-1",
        "1.5",
        "seven",
    ]


def test_every_realm_of_the_maps_has_an_adjective() -> None:
    boards = [SPEC.shipped_table(name).board for name in SPEC.maps()]
    seats = chain.from_iterable(board.realms.values() for board in boards)
    lacking = [seat.name for seat in seats if not seat.adjective]
    assert lacking == []


def test_a_formatter_with_a_map_knows_its_adjectives() -> None:
    atlas = minsk()
    world = SPEC.start(SPEC.shipped_table("minsk"), SPEC.maps()["minsk"], None)
    texts = {
        language: MedievalFormatter(world, language=language, atlas=atlas).prose("{it:+e x}", it=name)
        for language in ("en", "de")
        for name in (MedievalFormatter(world, language=language, atlas=atlas).names["POL"],)
    }
    assert texts == {"en": "Polishe x", "de": "polnische x"}
    # an adjective that a language has no word for is not borrowed from English
    order = MedievalFormatter(world, language="de", atlas=atlas)
    assert order.prose("{it:+e x}", it=order.names["TEU"]) == "x (Teutonic Order)"


def test_battles_of_a_realm_and_turns_that_follow_have_other_wordings() -> None:
    armies = unit("ENG/A1", "Reims", {"Militia": 3}), unit("FRA/A1", "Reims", {"Militia": 9})
    france = battle(make_world(*armies, war=[("ENG", "FRA")]))
    first, second, third = wordings([france] * 3, 1)
    assert len({first, second, third}) == 3
    assert wordings([france] * 2, 2)[0] not in (first, second)
    assert all(0 <= wording < FORMS for wording in wordings([france] * 9, 7))
    assert wordings([france] * 3, 1) == [first, second, third]


def test_places_have_the_article_that_english_gives_them() -> None:
    table = SPEC.shipped_table("europe-1320")
    world = SPEC.start(table, SPEC.maps()["europe-1320"], None)
    english = MedievalFormatter(world, atlas=table.board)
    german = MedievalFormatter(world, atlas=table.board, language="de")
    names = ("Faroe Islands", "Dardanelles", "Adriatic Sea", "Kent", "Hanöbukten", "Cape Saint Vincent")
    assert [english.place(name) for name in names] == [
        "the Faroe Islands",
        "the Dardanelles",
        "the Adriatic Sea",
        "Kent",
        "Hanöbukten",
        "Cape Saint Vincent",
    ]
    assert [german.place(name) for name in names] == [*names]
    assert english.own_unit("POL", "Faroe Islands") == "Garrison of the Faroe Islands"
    conquered = ProvinceConquered(realm="NOR", place="Faroe Islands", former="DEN")
    assert english.format_event(conquered) == "Norway captures the Faroe Islands from Denmark."
