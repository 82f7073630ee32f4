"""What changed since last turn: at most ten lines, the most important first, each leading to its details.

What single orders and events change is tested in cases/changed.yaml.
"""

from collections.abc import Mapping
from itertools import chain, product

import pytest
from msgspec.structs import replace

from gm.core.diagnostics import Diagnostic
from gm.game.base.herald import Piece
from gm.game.values import OrderFile
from gm.games.medieval.events.battle import BattleFought
from gm.games.medieval.report.battle_entries import battle_entries
from gm.games.medieval.report.changed import LIMIT
from gm.games.medieval.report.formatter import MedievalFormatter
from gm.games.medieval.report.turn_result import Line, MedievalResult, Weight
from tests.medieval.reportland import CODES, busy_record, changes_of, record_of
from tests.medieval.testland import atlas, make_world, unit


def lines_of(result: MedievalResult, realm: str) -> dict[str, Line]:
    return {line.title: line for line in changes_of(result, realm)}


def told(line: Line) -> list[tuple[str, str]]:
    return [(piece.text, piece.note) for piece in line.pieces]


def battles_in(lines: Mapping[str, Line]) -> list[tuple[str, Piece]]:
    """Return each battle of the lines with their title."""
    titles = [title for title in ("Battles won", "Battles lost", "Battles that nobody won") if title in lines]
    return list(chain.from_iterable(product([title], lines[title].pieces) for title in titles))


def test_the_start_of_a_game_has_no_lines() -> None:
    world = make_world()
    record = replace(record_of(world, {}), before=world, after=world, events=())
    assert all(lines_of(record, code) == {} for code in CODES)


def test_every_battle_is_told_with_outcome_losses_and_a_link_to_it() -> None:
    record = busy_record()
    formatter = MedievalFormatter(record.before, record.after)
    fought = [event.report for event in record.events if isinstance(event, BattleFought)]
    entries = battle_entries(record.public, formatter)
    for code in CODES:
        lines = lines_of(record, code)
        battles = battles_in(lines)
        assert len(battles) == sum(code in report.realms for report in fought)
        for title, piece in battles:
            (entry,) = [entry for entry in entries if entry.anchor == piece.anchor]
            assert (title == "Battles won") == (code in entry.report.winners)
            own = [end for end in entry.report.ends if end.unit.startswith(f"{code}/")]
            fell = sum(sum(loss.count for loss in end.losses) + len(end.fallen_commanders) for end in own)
            assert piece.note.startswith(f"{fell} of yours fell")


@pytest.mark.clause("O2", "O7")
def test_orders_that_failed_or_were_not_understood_are_counted() -> None:
    world = make_world(unit("ENG/A1", "Kent", {"Men-at-Arms": 4}))
    record = record_of(world, {"ENG": "units: {A1: {plan: [march: Paris, march: Riga]}}\n"})
    finding = Diagnostic("error", "order/x", "what is this", "ENG.yaml", 1, 1, 1, "x")
    lines = lines_of(replace(record, readings={"ENG": OrderFile(None, (finding,))}), "ENG")
    assert told(lines["Orders"]) == [("1 order not understood", ""), ("2 orders failed", "")]
    assert {piece.anchor for piece in lines["Orders"].pieces} == {"orders"}


@pytest.mark.clause("V1")
def test_the_victory_clock_stands_first() -> None:
    cities = {name: "ENG" for name, place in atlas().locations.items() if place.city}
    world = make_world(owners=cities)
    record = record_of(world, {})
    england = lines_of(record, "ENG")
    france = lines_of(record, "FRA")
    assert next(iter(england)) == next(iter(france)) == "Victory is near"
    assert england["Victory is near"].pieces[0].text == "you"
    assert (england["Victory is near"].tone, france["Victory is near"].tone) == ("good", "bad")


@pytest.mark.clause("W8")
def test_only_the_realm_itself_reads_of_its_gold_and_letters() -> None:
    record = busy_record()
    assert told(lines_of(record, "ENG")["Envoys"]) == [
        ("Aqu", "sends 5.55 gold"),
        ("Aqu", "sends an ambassador"),
    ]
    for code in set(CODES) - {"ENG"}:
        pieces = chain.from_iterable(line.pieces for line in lines_of(record, code).values())
        texts = [piece.note for piece in pieces]
        assert not any("5.55" in text for text in texts)


def test_what_does_not_fit_is_named_in_the_last_line() -> None:
    record = busy_record()
    full = changes_of(record, "ENG")
    finding = Diagnostic("error", "order/x", "what is this", "ENG.yaml", 1, 1, 1, "x")
    assert len(full) == LIMIT
    assert full[-1].weight is not Weight.MORE

    world = record.before.with_realms(record.before.realms["DEN"].evolve(passage=frozenset({"ENG"})))
    revoked = record_of(world, {"DEN": "headquarters: {revoke_passage: [ENG]}\n"}).events
    readings = {"ENG": OrderFile(None, (finding,))}
    crowded = changes_of(
        replace(record, before=world, readings=readings, events=(*record.events, *revoked)), "ENG"
    )
    assert len(crowded) == LIMIT
    assert crowded[-1].weight is Weight.MORE
    assert crowded[-1].pieces[0].note == "envoys and built"
