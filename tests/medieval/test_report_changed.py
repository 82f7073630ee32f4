"""What changed since last turn: at most ten lines, the most important first, each leading to its details."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

import pytest
from msgspec.structs import replace

from gm.core.diagnostics import Diagnostic
from gm.game.values import ReadOrders
from gm.games.medieval.events.battle import BattleFought
from gm.games.medieval.report.battle_entries import battle_entries
from gm.games.medieval.report.changed import LIMIT, changes
from gm.games.medieval.report.changed_lines import Line, TurnView, Weight
from gm.games.medieval.report.sentences import MedievalFormatter
from gm.games.medieval.report.turn_result import MedievalResult
from gm.games.medieval.state import World
from tests.medieval.reportland import CODES, busy_record, record_of
from tests.medieval.testland import atlas, commander, make_world, unit


def lines_of(record: MedievalResult, realm: str) -> dict[str, Line]:
    speaker = MedievalFormatter(record.before, record.after)
    found = changes(TurnView(record, speaker, battle_entries(record.events, speaker)), realm)
    assert len(found) <= LIMIT
    assert [line.weight for line in found] == sorted(line.weight for line in found)
    assert len({line.title for line in found}) == len(found)
    return {line.title: line for line in found}


def lines(world: World, orders: Mapping[str, str], realm: str) -> dict[str, Line]:
    return lines_of(record_of(world, orders), realm)


def told(line: Line) -> list[tuple[str, str]]:
    return [(piece.text, piece.note) for piece in line.pieces]


QUIET = {"ENG": {"treasury": Decimal(100)}}


def test_the_start_of_a_game_has_no_lines() -> None:
    world = make_world()
    record = replace(record_of(world, {}), before=world, after=world, events=())
    assert all(lines_of(record, code) == {} for code in CODES)


def test_a_quiet_turn_tells_of_the_treasury_alone() -> None:
    found = lines(make_world(realms=QUIET), {}, "ENG")
    assert list(found) == ["Treasury"]
    (piece,) = found["Treasury"].pieces
    # 7% of 100 decay (L9), then 20 from London and 10 from Kent come in (L11)
    assert (piece.text, piece.anchor, piece.note) == ("123 gold", "headquarters", "it was 100: +23")
    assert found["Treasury"].tone == "good"


@pytest.mark.clause("M13")
def test_a_conquest_is_a_province_lost_to_one_and_won_by_the_other() -> None:
    world = make_world(
        unit("ENG/A1", "Kent", {"Heavy Infantry": 20}), war=[("ENG", "FRA")], owners={"Flanders": "FRA"}, realms=QUIET
    )
    orders = {"ENG": "units:\n  A1:\n    plan: [march: Flanders]\n"}
    won = lines(world, orders, "ENG")["Provinces won"]
    assert told(won) == [("Flanders", "from Fra")]
    assert (won.pieces[0].anchor, won.tone) == ("place-flanders", "good")
    lost = lines(world, orders, "FRA")["Provinces lost"]
    assert told(lost) == [("Flanders", "to Eng")]
    assert lost.tone == "bad"
    assert "Provinces won" not in lines(world, orders, "DEN")


def test_the_loss_of_a_capital_and_a_gift_are_called_so() -> None:
    world = make_world(unit("ENG/A1", "Kent", {"Men-at-Arms": 1}), realms=QUIET)
    orders = {"ENG": "headquarters: {give_province: {London: FRA}}\n"}
    assert told(lines(world, orders, "ENG")["Provinces lost"]) == [("London", "your capital, as a gift to Fra")]
    assert told(lines(world, orders, "FRA")["Provinces won"]) == [("London", "as a gift from Eng")]


@pytest.mark.clause("F1", "F3")
def test_war_and_the_rights_that_it_ends_touch_both() -> None:
    world = make_world(
        provinces={"Kent": {"permissions": {"FRA"}}},
        realms={"ENG": {"passage": {"FRA"}}, "FRA": {"treasury": Decimal(9)}},
    )
    orders = {"ENG": "headquarters: {declare_war: [FRA]}\n"}
    assert told(lines(world, orders, "ENG")["War"]) == [("Fra", "you declare war")]
    france = lines(world, orders, "FRA")
    assert told(france["War"]) == [("Eng", "declares war on you")]
    assert france["War"].pieces[0].anchor == "realms"
    assert told(france["Rights"]) == [("Eng", "war ended the rights that it gave you")]
    assert list(lines(world, orders, "NOR")) == ["Treasury"]


@pytest.mark.clause("F2", "F3", "F4")
def test_rights_are_told_to_those_who_have_them() -> None:
    orders = {
        "ENG": "headquarters: {grant_passage: [FRA], grant_permission: {Kent: [NOR]}, refuse_gifts: [DEN]}\n",
    }
    world = make_world()
    assert told(lines(world, orders, "FRA")["Rights"]) == [("Eng", "lets you pass")]
    assert told(lines(world, orders, "NOR")["Rights"]) == [("Eng", "lets you into Kent")]
    assert lines(world, orders, "NOR")["Rights"].tone == "good"
    assert told(lines(world, orders, "DEN")["Rights"]) == [("Eng", "refuses your gifts")]
    assert lines(world, orders, "DEN")["Rights"].tone == "warn"
    assert "Rights" not in lines(world, orders, "ENG")


@pytest.mark.clause("L15", "L16", "L17")
def test_peace_alliances_and_their_end_are_told_to_both() -> None:
    world = make_world(war=[("ENG", "FRA")], allied=[("DEN", "ENG")])
    orders = {
        "ENG": "headquarters: {offer_peace: [FRA], offer_alliance: [NOR]}\n",
        "FRA": "headquarters: {offer_peace: [ENG]}\n",
        "NOR": "headquarters: {offer_alliance: [ENG]}\n",
        "DEN": "headquarters: {cancel_alliance: [ENG]}\n",
    }
    england = lines(world, orders, "ENG")
    assert told(england["Peace"]) == [("Fra", "")]
    assert told(england["Allied"]) == [("Nor", "")]
    assert told(england["No longer allied"]) == [("Den", "ended by them")]
    assert told(lines(world, orders, "FRA")["Peace"]) == [("Eng", "")]
    assert told(lines(world, orders, "DEN")["No longer allied"]) == [("Eng", "")]


def test_every_battle_is_told_with_outcome_losses_and_a_link_to_it() -> None:
    record = busy_record()
    speaker = MedievalFormatter(record.before, record.after)
    fought = [event.report for event in record.events if isinstance(event, BattleFought)]
    entries = battle_entries(record.events, speaker)
    for code in CODES:
        found = lines_of(record, code)
        battles = [
            (title, piece)
            for title in ("Battles won", "Battles lost", "Battles that nobody won")
            if title in found
            for piece in found[title].pieces
        ]
        assert len(battles) == sum(code in report.realms for report in fought)
        for title, piece in battles:
            (entry,) = [each for each in entries if each.anchor == piece.anchor]
            assert (title == "Battles won") == (code in entry.report.winners)
            own = [end for end in entry.report.ends if end.unit.startswith(f"{code}/")]
            fell = sum(sum(each.count for each in end.losses) + len(end.fallen_commanders) for end in own)
            assert piece.note.startswith(f"{fell} of yours fell")


@pytest.mark.clause("F5", "F8")
def test_units_are_formed_dissolved_and_lost() -> None:
    world = make_world(
        unit("ENG/G1", "London", {"Men-at-Arms": 9}),
        unit("ENG/A1", "London", {"Longbowmen": 2}),
        unit("ENG/A2", "Kent", {"Peasant Rabble": 1}),
        unit("FRA/A1", "Flanders", {"Heavy Infantry": 60}),
        owners={"Flanders": "FRA"},
        war=[("ENG", "FRA")],
    )
    orders = {
        "ENG": """
units:
  London:
    form: {A7: Lions}
    plan:
      - transfer: {to: A7, troops: {Men-at-Arms: 9}}
  A1:
    plan:
      - transfer: {to: A7, troops: {Longbowmen: 2}}
  A2: {plan: [march: Flanders]}
"""
    }
    found = lines(world, orders, "ENG")
    assert told(found["Units formed"]) == [("A7 “Lions”", "London")]
    assert found["Units formed"].pieces[0].anchor == "unit-A7"
    assert told(found["Units dissolved"]) == [("A1", "")]
    assert told(found["Units lost"]) == [("A2", "Flanders")]
    assert ("1 killed", "") in told(found["Troops"])


def test_a_commander_who_changes_his_unit_is_neither_won_nor_lost() -> None:
    who = commander("Sir John", 10, 10, 10, 10)
    world = make_world(
        unit("ENG/G1", "London", {"Men-at-Arms": 9}, commanders=[who]),
        unit("ENG/A1", "London", {"Longbowmen": 2}),
        realms={"ENG": {"status": "royalty", "treasury": Decimal(100)}},
    )
    moved = {"ENG": "units:\n  London:\n    plan:\n      - transfer: {to: A1, commanders: [Sir John]}\n"}
    assert not {"Commanders won", "Commanders lost"} & lines(world, moved, "ENG").keys()
    gone = {"ENG": "units: {London: {disband_commanders: [Sir John]}}\n"}
    assert told(lines(world, gone, "ENG")["Commanders lost"])[0][0] == "Sir John"
    hired = {"ENG": "units: {London: {hire_commander: 1}}\n"}
    (piece,) = lines(world, hired, "ENG")["Commanders won"].pieces
    assert (piece.anchor, piece.note) == ("unit-G1", "hired")


@pytest.mark.clause("L3")
def test_unpaid_upkeep_is_told() -> None:
    world = make_world(unit("ENG/A1", "Kent", {"Heavy Infantry": 40}), realms={"ENG": {"treasury": Decimal(1)}})
    found = lines(world, {}, "ENG")
    assert found["Not paid"].tone == "bad"
    assert told(found["Not paid"])[0][0] == "15 gold of upkeep"


@pytest.mark.clause("O2", "O7")
def test_orders_that_failed_or_were_not_understood_are_counted() -> None:
    world = make_world(unit("ENG/A1", "Kent", {"Men-at-Arms": 4}))
    record = record_of(world, {"ENG": "units: {A1: {plan: [march: Paris, march: Riga]}}\n"})
    finding = Diagnostic("error", "order/x", "what is this", "ENG.yaml", 1, 1, 1, "x")
    found = lines_of(replace(record, readings={"ENG": ReadOrders(None, (finding,))}), "ENG")
    assert told(found["Orders"]) == [("1 order not understood", ""), ("2 orders failed", "")]
    assert {piece.anchor for piece in found["Orders"].pieces} == {"orders"}


@pytest.mark.clause("L6", "L7", "L8")
def test_works_and_annexations_name_their_provinces() -> None:
    world = make_world(
        unit("ENG/G1", "London", {"Men-at-Arms": 9}),
        owners={"Flanders": "ENG"},
        provinces={"Flanders": {"annexed_to": None}, "Zodzina": {"annexed_to": "ENG", "turns_away": 2}},
        realms=QUIET,
    )
    orders = {"ENG": "headquarters: {annex: [Flanders]}\nunits: {London: {build: [fortification]}}\n"}
    found = lines(world, orders, "ENG")
    assert told(found["Built"]) == [("London", "fortification of level 3")]
    assert told(found["Annexed"]) == [("Flanders", "")]
    assert told(found["No longer annexed to you"]) == [("Zodzina", "")]


@pytest.mark.clause("L1", "M14")
def test_damage_is_told_once_for_each_province_with_its_causes() -> None:
    world = make_world(
        unit("ENG/A1", "Kent", {"Heavy Infantry": 60}),
        unit("FRA/A1", "Flanders", {"Peasant Rabble": 1}),
        war=[("ENG", "FRA")],
        owners={"Flanders": "FRA"},
    )
    found = lines(world, {"FRA": "units: {A1: {plan: [march: Kent]}}\n"}, "ENG")
    assert told(found["Damage"]) == [("Kent", "damage 1")]
    pillaged = lines(world, {"ENG": "units: {A1: {plan: [march: Flanders, pillage]}}\n"}, "ENG")
    assert told(pillaged["Damage"]) == [("Flanders", "damage 1, pillaged by you")]


@pytest.mark.clause("V1")
def test_the_victory_clock_stands_first() -> None:
    cities = {name: "ENG" for name, place in atlas().locations.items() if place.city}
    world = make_world(owners=cities, realms=QUIET)
    record = record_of(world, {})
    england, france = lines_of(record, "ENG"), lines_of(record, "FRA")
    assert next(iter(england)) == next(iter(france)) == "Victory is near"
    assert england["Victory is near"].pieces[0].text == "you"
    assert (england["Victory is near"].tone, france["Victory is near"].tone) == ("good", "bad")


@pytest.mark.clause("W8")
def test_only_the_realm_itself_reads_of_its_gold_and_letters() -> None:
    record = busy_record()
    assert told(lines_of(record, "ENG")["Envoys"]) == [("Aqu", "sends 5.55 gold"), ("Aqu", "sends an ambassador")]
    for code in set(CODES) - {"ENG"}:
        texts = [piece.note for line in lines_of(record, code).values() for piece in line.pieces]
        assert not any("5.55" in text for text in texts)


def test_what_does_not_fit_is_named_in_the_last_line() -> None:
    record = busy_record()
    speaker = MedievalFormatter(record.before, record.after)
    scene = TurnView(record, speaker, battle_entries(record.events, speaker))
    full = changes(scene, "ENG")
    finding = Diagnostic("error", "order/x", "what is this", "ENG.yaml", 1, 1, 1, "x")
    assert len(full) == LIMIT
    assert full[-1].weight is not Weight.MORE

    world = record.before.with_realms(record.before.realms["DEN"].evolve(passage=frozenset({"ENG"})))
    longer = replace(record, before=world, readings={"ENG": ReadOrders(None, (finding,))})
    revoked = record_of(world, {"DEN": "headquarters: {revoke_passage: [ENG]}\n"}).events
    crowded = changes(
        TurnView(replace(longer, events=(*record.events, *revoked)), speaker, battle_entries(record.events, speaker)),
        "ENG",
    )
    assert len(crowded) == LIMIT
    assert crowded[-1].weight is Weight.MORE
    assert crowded[-1].pieces[0].note == "envoys and built"
