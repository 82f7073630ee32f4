"""The world around a realm: headlines, the matrix of relations, the race to victory and what is near its land
equal the data, counted again by other ways; nothing private is in them.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import chain, combinations
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from gm.core.values import GM
from gm.game.base.herald import FRONT, Herald, grammar, plain
from gm.games.medieval.data.atlas import City
from gm.games.medieval.events.battle import BattleFought
from gm.games.medieval.events.final import AllianceFormed, PeaceMade, Proclaimed, RealmDefeated
from gm.games.medieval.events.first import PassageGranted, WarDeclared
from gm.games.medieval.report.battle_entries import battle_entries
from gm.games.medieval.report.files import turn_digests
from gm.games.medieval.report.formatter import MedievalFormatter
from gm.games.medieval.report.herald import TurnNews, herald
from gm.games.medieval.report.relations import MARCHES, Surroundings, matrix, race
from gm.games.medieval.report.turn_result import MedievalResult, TurnView
from gm.games.medieval.report.views import UnitRow
from gm.games.medieval.state import INDEPENDENTS, Unit, World
from gm.games.medieval.state.strength import total_combat
from tests.examples import examples
from tests.medieval.books import run
from tests.medieval.ordering import all_orders
from tests.medieval.positions import worlds
from tests.medieval.reportland import CODES, HOSTILE, Page, busy_record, record_of, texts
from tests.medieval.test_report_pages import hostile_record
from tests.medieval.testland import atlas, make_world, rules, unit


def view_of(result: MedievalResult) -> TurnView:
    formatter = MedievalFormatter(result.before, result.after, atlas=result.atlas)
    return TurnView(result, formatter, battle_entries(result.public, formatter))


def changed_hands(view: TurnView) -> dict[str, tuple[str, str]]:
    before = view.result.before.provinces
    after = view.result.after.provinces
    owners = {name: (land.owner, after[name].owner) for name, land in before.items()}
    return {name: both for name, both in owners.items() if len(set(both)) > 1}


def pairs_told(stories: Iterable[Any], kind: type) -> list[frozenset[str]]:
    """Return the pairs of realms of which the stories tell this kind of event."""
    pairs: list[frozenset[str]] = []
    for story in stories:
        if story.kind == kind.__name__:
            pairs += [frozenset((story.figures["realm"], other)) for other in story.figures["others"]]
    return pairs


def heads_in(units: Any) -> int:
    """Return how many men of a unit, or of a battle's report of one, began a battle."""
    return len(units.commanders) + sum(troop.count for troop in units.troops)


def check_news(view: TurnView) -> None:
    """Of all that there could be each piece of news is as state and events have it.

    The paper says nothing twice.
    """
    every = tuple(TurnNews(view).news())
    events = view.result.events
    changed = changed_hands(view)
    lands = [story for story in every if story.kind in ("capital", "cities", "lands", "gift", "ceded")]
    places = chain.from_iterable(land.places for land in lands)
    assert sorted(place.anchor for place in places) == sorted(map(view.place_anchor, changed))
    for kind in (WarDeclared, PeaceMade, AllianceFormed):
        pairs = {frozenset((event.realm, event.other)) for event in events if isinstance(event, kind)}
        assert sorted(map(sorted, pairs_told(every, kind))) == sorted(map(sorted, pairs))
    counts = Counter(story.kind for story in every)
    kinds = Counter(type(event) for event in events)
    assert all(counts[kind.__name__] == kinds[kind] for kind in (RealmDefeated, Proclaimed))
    fought = [event.report.units for event in events if isinstance(event, BattleFought)]
    heads = [sum(map(heads_in, units)) for units in fought]
    assert [story.figures["heads"] for story in every if story.kind in ("battle", "fleet", "mutiny")] == heads
    check_paper(herald(view))


def check_paper(paper: Herald) -> None:
    """It has as much as a paper should have, and no sentence twice."""
    section = grammar("medieval").sections[FRONT]
    assert section.least <= len(paper.of(FRONT)) <= section.most
    all_texts = chain.from_iterable((article.head, *article.text) for article in paper.articles)
    said = [plain(text) for text in all_texts if text]
    assert len(said) == len(set(said))


def check_matrix(view: TurnView) -> None:
    relations = matrix(view)
    before = view.result.before
    after = view.result.after
    codes = [code for code, _ in relations["realms"]]
    assert codes == [code for code in after.realms if not after.realms[code].defeated]

    def letter(world: World, a: str, b: str) -> str:
        if a == b or world.at_war(a, b):
            return "" if a == b else "W"
        return ("", "A", "P", "B")[world.allied(a, b) + 2 * (b in world.realms[a].passage)]

    for a, row in zip(codes, relations["rows"], strict=True):
        assert row == [(letter(after, a, b), letter(before, a, b) != letter(after, a, b)) for b in codes]


def check_race(result: MedievalResult) -> None:
    standing = race(result.before, result.after, result.rules, result.atlas)
    before = result.before
    after = result.after
    towns = [name for name, place in result.atlas.locations.items() if place.city]
    assert standing["total"] == len(towns)
    assert 2 * (standing["goal"] - 1) < len(towns) <= 2 * standing["goal"]
    for row in standing["rows"]:
        then, now = (
            sum(world.provinces[name].owner in row.realms for name in towns) for world in (before, after)
        )
        assert (row.cities, row.change, row.need) == (now, now - then, max(0, standing["goal"] - now))
        assert all(after.allied(a, b) for a, b in combinations(row.realms, 2))
    alone = sorted(row.realms[0] for row in standing["rows"] if len(row.realms) == 1)
    assert alone == [code for code, realm in after.realms.items() if not realm.defeated]


def check_group(group: Any, armies: list[Unit], before: World) -> None:
    """What is told of the armies of one realm in one place is what stands there, and whether any came this
    turn.
    """
    assert (group.armies, group.combat) == (len(armies), sum(total_combat(army, rules()) for army in armies))
    stayed = [army.key in before.units and before.units[army.key].place == army.place for army in armies]
    assert group.came == (not all(stayed))


def check_near(view: TurnView) -> None:
    """Check each realm's armies nearby, their marches, and the provinces that changed hands beside it."""
    before = view.result.before
    after = view.result.after
    graph = view.result.atlas.graph
    around = Surroundings(view, [UnitRow(unit, after, rules()) for unit in after.units.values()])
    ways = graph.open.subgraph(view.result.atlas.provinces)
    changed = changed_hands(view)
    for code in after.realms:
        lands = [land.name for land in after.owned_by(code)]
        neighbours = around.of(code)
        reached = {place: nx.single_source_shortest_path_length(ways, place, MARCHES) for place in lands}
        groups: dict[tuple[str, str], list[Unit]] = {}
        for force in after.units.values():
            near = any(force.place in reached[land] or graph.is_open(force.place, land) for land in lands)
            if near and force.is_army and not force.empty and force.realm not in (code, INDEPENDENTS):
                groups.setdefault((force.place, force.realm), []).append(force)
        assert len(neighbours["armies"]) + neighbours["more"] == len(groups)
        for group in neighbours["armies"]:
            check_group(group, groups[group.place, group.realm], before)
            assert group.relation == after.relation(code, group.realm).value
            if group.place in ways:
                assert group.marches == min(
                    distances[group.place] for distances in reached.values() if group.place in distances
                )
        others = {name: both for name, both in changed.items() if code not in both}
        beside = [name for name in others if any(graph.borders(name, land) for land in lands)]
        assert neighbours["changed"] == [(name, *others[name]) for name in beside]


@pytest.mark.clause("W1", "F3", "V1", "W8")
@examples(100, 4, derandomize=True)
@given(st.data())
def test_news_matrix_race_and_surroundings_equal_the_data(data: st.DataObject) -> None:
    world = data.draw(worlds()).evolve(turn=1)
    outcome = run(world, data.draw(all_orders(world)))
    record = replace(busy_record(), before=world, after=outcome.state, events=outcome.events)
    check_news(view_of(record))
    check_matrix(view_of(record))
    check_race(record)
    check_near(view_of(record))


def test_the_busy_turn_in_the_paper() -> None:
    view = view_of(busy_record())
    check_news(view)
    paper = herald(view)
    assert [(article.kind, article.headline) for article in paper.of(FRONT)] == [
        ("capital", "England takes Paris, the capital of France"),
        ("fleet", "Lost at sea: ships of Nor"),
        ("WarDeclared", "Den declares war on Teu"),
        ("battle", "The battle of Flanders"),
        ("WarDeclared", "War! England marches against Den"),
        ("Proclaimed", "Hear what Aqu says"),
        ("battle", "Swords drawn at Paris"),
        ("plunder", "Pillage in Flanders"),
    ]
    letters = [("Aqu", "We stand with England."), ("England", "Peace and good wine to all Christendom.")]
    assert [(letter.author, letter.text) for letter in paper.letters] == letters
    # a city is told with its province, which is linked
    paris = view.result.atlas.locations["Paris"]
    paris = paris.evolve(city=City(name="Lutetia", resource=6, recruits=()))
    other = view.result.atlas.evolve(locations={**view.result.atlas.locations, "Paris": paris})
    first = herald(view_of(replace(view.result, atlas=other))).articles[0]
    linked = {(piece.text, piece.anchor) for piece in (*first.head, *first.text[0]) if piece.anchor}
    assert linked == {("Lutetia (Paris)", "place-paris")}
    # a letter begins with its headlines, before what is the realm's own
    assert turn_digests(busy_record())["NOR"][:3] == [f"The Herald: {line}" for line in paper.lines[:3]]


@pytest.mark.clause("W8")
def test_a_letter_is_told_in_the_language_of_its_reader() -> None:
    record = busy_record()
    english = turn_digests(record)
    both = turn_digests(record.evolve(languages={"NOR": "de", "FRA": "xx"}))
    assert both.keys() == english.keys()
    assert {code for code, lines in both.items() if lines != english[code]} == {"NOR"}
    assert all(line.startswith("Der Herold: ") for line in both["NOR"][:3])
    assert not {"Treasury", "Provinces lost"} & {line.partition(":")[0] for line in both["NOR"]}


@pytest.mark.clause("W8")
def test_only_public_events_make_headlines() -> None:
    record = busy_record()
    both = {"realm": "LIT", "other": "TEU"}
    kinds = ((Proclaimed, {"realm": "LIT", "text": "x"}), (WarDeclared, both), (PassageGranted, both))
    hidden = [kind(audience=audience, **fields) for audience in (GM, "ENG") for kind, fields in kinds]
    more = replace(record, events=(*record.events, *hidden))
    assert herald(view_of(more)) == herald(view_of(record))
    assert matrix(view_of(more)) == matrix(view_of(record))


def test_one_sort_of_news_does_not_fill_the_paper_and_long_words_are_cut() -> None:
    world = make_world(unit("ENG/A1", "Kent", {"Longbowmen": 4}), allied=[("AQU", "FRA")])
    wars = {"ENG": "FRA", "DEN": "NOR", "TEU": "LIT"}
    orders = {code: f"headquarters: {{declare_war: [{other}]}}" for code, other in wars.items()}
    orders["AQU"] = "headquarters: {cancel_alliance: [FRA]}"
    orders["NOR"] = f"headquarters: {{proclamation: {'x' * 400}}}"
    paper = herald(view_of(record_of(world, orders)))
    kinds = ["AllianceCancelled", "WarDeclared", "WarDeclared", "Proclaimed", "WarDeclared"]
    assert [article.kind for article in paper.of(FRONT)] == kinds
    assert f"“{'x' * (grammar('medieval').length - 1)}…”" in plain(paper.of(FRONT)[3].text[0])
    assert [(letter.author, letter.text) for letter in paper.letters] == [("Nor", "x" * 400)]
    owners = {name: "ENG" for name, place in atlas().locations.items() if place.city}
    near = herald(view_of(record_of(make_world(owners=owners), {}))).articles[0]
    assert "7 of 7" in plain(near.text[0])
    start = replace(record_of(world, {}), before=world, after=world, events=())
    assert herald(view_of(start)).articles == ()


@pytest.mark.slow
def test_the_pages_and_the_summary_have_them_with_links_and_escaped() -> None:
    files = texts(hostile_record())
    for name in (*(f"results/{code}.html" for code in CODES), "summary.html", "results/herald.html"):
        page = Page(files[name])
        assert " ".join(HOSTILE.split()) in page.text, name
        assert page.wrong == []
        if name.startswith("results/") and name != "results/herald.html":
            assert {"race", "relations", "herald"} <= set(page.ids)
            assert {"#battle-02", "#place-paris", "#relations", "#proclamations"} <= set(page.links)
    assert "results/battles/02-flanders.html" in Page(files["summary.html"]).links
    assert "battles/02-flanders.html" in Page(files["results/herald.html"]).links
