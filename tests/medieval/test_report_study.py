"""The study shows every figure of the rules data, and no figure of its own."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest

from gm.games.medieval.data.rules import Rules
from gm.games.medieval.report.realm_page import study
from gm.resources import resource
from gm.text.pages import figure, fragment, gold, percent
from tests.medieval.reportland import Page
from tests.medieval.testland import atlas, rules


def page(data: Rules) -> Page:
    return Page(str(fragment(resource("templates"), "medieval/study.html", study(data, atlas()))))


@pytest.mark.clause("T1")
def test_every_troop_and_ship_has_a_row_with_all_its_figures() -> None:
    text = page(rules()).text
    for troop in rules().troops.values():
        figures = [
            f"{troop.attacks}×{troop.combat}",
            figure(troop.hit_points),
            str(troop.move_points),
            gold(troop.cost),
            gold(troop.upkeep),
        ]
        if troop.ship:
            figures += [str(troop.marine_space), str(troop.storage), f"{troop.capture_chance}%"]
        else:
            figures += [str(troop.weight), percent(troop.amphibious) if troop.amphibious else ""]
            figures += ["never" if troop.marine is None else percent(troop.marine) if troop.marine else ""]
            figures += [f"{troop.siege_power}%"] if troop.siege_power else []
            figures += [f"{troop.capture_chance}%"] if troop.capture_chance else []
        row = " ".join(each for each in (troop.name, troop.kind.value, *figures) if each)
        assert row in text, row


@pytest.mark.clause("T2", "T4")
def test_every_fortification_level_has_its_bonus_and_its_price() -> None:
    text = page(rules()).text
    for row in rules().fortifications:
        assert (
            f"{row.level} {row.name} {row.barracks} {percent(row.foot_combat)} +{figure(row.foot_hit_points)}" in text
        )
    # level 3: 14 gold and 3 workers, half the gold for a repair, a third when razed, rounded down (T4, L8.1, L10)
    assert re.search(r"3 Stone Tower 9 .* 14 3 7 4\.66 4 Stone Keep", text)


@pytest.mark.clause("T3", "T5", "L9")
def test_other_figures_follow_the_rules_data() -> None:
    data = rules().evolve(
        economy=rules().economy.evolve(
            decay_percent=13, proclamation=Decimal("8.50"), revenue_percent=(100, 77, 55, 33)
        ),
        commanders=rules().commanders.evolve(price=Decimal(41)),
    )
    before, after = page(rules()).text, page(data).text
    for words in ("13%", "8.50 gold", "1 77%", "41 gold"):
        assert words in after
        assert words not in before


def test_figures_name_their_clauses_and_cities_their_places() -> None:
    links = set(page(rules()).links)
    assert {"#rule-T1", "#rule-T2", "#rule-T3", "#rule-T4", "#rule-T5", "#rule-L9", "#rule-V1"} <= links
    assert all(link.startswith(("#rule-", "#place-")) for link in links)
    cities = [name for name, place in atlas().locations.items() if place.city]
    assert len(cities) > 6, "too many to be listed one by one"
    assert f"{len(cities)} cities" in page(rules()).text
