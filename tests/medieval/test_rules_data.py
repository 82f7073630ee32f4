"""The tables and numbers of the rules as they are loaded, against the printed ones; a GM's own files.

Broken files.
"""

from decimal import Decimal
from pathlib import Path

import pytest

from gm.core.yaml.source import SourceError
from gm.games.medieval.data.clauses_data import load_reasons
from gm.games.medieval.data.rules import TroopClass
from gm.games.medieval.data.rules_data import load_rules
from gm.resources import resource
from tests.medieval.order_reading import yaml_cases
from tests.medieval.testland import rules

PRINTED = yaml_cases("printed-troops")


@pytest.mark.clause("T1")
@pytest.mark.parametrize("name", PRINTED)
def test_every_troop_type_is_as_printed(name: str) -> None:
    troop = rules().troops[name]
    strength, hit_points, move_points, cost, upkeep, *more = PRINTED[name].split()
    assert f"{troop.attacks}x{troop.combat}" == strength
    assert (troop.hit_points, troop.move_points) == (Decimal(hit_points), int(move_points))
    assert (troop.cost, troop.upkeep) == (Decimal(cost), Decimal(upkeep))
    assert troop.kind == (more[0] if more else "foot")
    if troop.ship:
        assert [troop.marine_space, troop.storage] == [int(figure) for figure in more[1:]]


@pytest.mark.clause("T1")
def test_there_are_no_other_troop_types() -> None:
    assert set(rules().troops) == set(PRINTED)


@pytest.mark.clause("T1")
def test_weights_and_modifiers_follow_the_class_but_for_the_named_types() -> None:
    for name, troop in rules().troops.items():
        if troop.ship:
            assert troop.capture_chance == (20 if troop.kind is TroopClass.TRANSPORT else 10)
            assert (troop.siege_power, troop.marine) == (0, None)
            continue
        assert troop.weight == (2 if troop.kind in (TroopClass.MOUNTED, TroopClass.SIEGE) else 1)
        assert troop.amphibious == {"Elite Marines": 0, "Nordic Warriors": -10}.get(name, -30)
        by_class = {
            TroopClass.FOOT: -30,
            TroopClass.ARCHER: -10,
            TroopClass.MOUNTED: -50,
            TroopClass.SIEGE: None,
        }
        assert troop.marine == {"Elite Marines": 0, "Mounted Infantry": -30}.get(name, by_class[troop.kind])
        assert (troop.capture_chance, troop.siege_power) == ((20, 50) if name == "Siege Machine" else (0, 0))


@pytest.mark.clause("T2")
def test_fortifications_are_as_printed() -> None:
    rows = [
        (row.foot_combat, str(row.foot_hit_points), row.mounted_combat, str(row.mounted_hit_points))
        for row in rules().fortifications
    ]
    foot = ["0.7", "0.9", "1.0", "1.2", "1.3", "1.5", "1.6", "1.8", "1.9", "2.1", "2.2", "2.4"]
    mounted = ["0.3", "0.5", "0.6", "0.7", "0.9", "1.0", "1.1", "1.3", "1.4", "1.5", "1.7", "1.8"]
    assert rows == [(45 + 2 * n, foot[n], 15 + 2 * n, mounted[n]) for n in range(12)]
    assert [row.barracks for row in rules().fortifications] == [3 * level for level in range(1, 13)]
    assert [row.name for row in rules().fortifications][::11] == ["Palisade Fort", "Citadel"]
    assert rules().fortification(0) is None


@pytest.mark.clause("T3")
def test_damage_lowers_revenue() -> None:
    assert rules().economy.revenue_percent == (100, 80, 65, 50)


@pytest.mark.clause("T4")
def test_building_costs() -> None:
    building = rules().construction
    assert building.fortification_cost_base + 3 * building.fortification_cost_level == 14
    assert 3 * building.fortification_workers_level == 3
    assert (building.harbour_cost, building.harbour_workers) == (20, 4)
    assert (building.production_area_cost, building.production_area_workers) == (8, 2)
    assert building.production_area_limit == 3


@pytest.mark.clause("T5")
def test_commanders() -> None:
    commanders = rules().commanders
    assert (
        commanders.price,
        commanders.upkeep,
        commanders.attacks,
        commanders.combat,
        commanders.hit_points,
    ) == (
        15,
        1,
        1,
        20,
        1,
    )
    assert (commanders.rating_limit, commanders.rating_draws) == (60, 2)
    assert len(set(rules().commander_names)) == len(rules().commander_names) >= 100
    assert all(len(name) <= rules().units.name_length for name in rules().commander_names)


@pytest.mark.clause("T6", "W4")
def test_every_region_recruits_its_own_types_and_siege_machines() -> None:
    assert set(rules().recruits) == {"west", "east", "mongol", "muslim"}
    for region, names in rules().recruits.items():
        assert "Siege Machine" in names
        assert len(set(names)) == len(names)
        assert all(region in rules().troops[name].regions for name in names)


@pytest.mark.clause("V2")
def test_limits_of_commoners_and_royalty() -> None:
    limits = {name: (row.commanders, row.annexed_provinces) for name, row in rules().statuses.items()}
    assert limits == {"commoner": (0, 7), "royalty": (5, 70)}


def test_a_file_of_the_gms_replaces_ours_of_the_same_name(tmp_path: Path) -> None:
    ours = resource("rules", "medieval", "numbers.yaml").read_text(encoding="utf-8")
    (tmp_path / "numbers.yaml").write_text(
        ours.replace("decay_percent: 7", "decay_percent: 9"), encoding="utf-8"
    )
    changed = load_rules(tmp_path)
    assert changed.economy.decay_percent == 9
    assert changed.evolve(economy=rules().economy) == rules()


@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        ("numbers.yaml", "decay_percent: 7", "decay_percent: much", "economy.decay_percent"),
        ("numbers.yaml", "decay_percent: 7", "decay_percents: 7", "did you mean 'decay_percent'"),
        ("troops.yaml", "kind: siege", "kind: seige", "kind"),
        ("fortifications.yaml", "level: 3,", "level: 4,", "levels must count up from 1"),
    ],
)
def test_a_broken_file_of_the_gms_is_refused_with_its_place(
    tmp_path: Path, file: str, old: str, new: str, says: str
) -> None:
    ours = resource("rules", "medieval", file).read_text(encoding="utf-8")
    (tmp_path / file).write_text(ours.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(SourceError) as caught:
        load_rules(tmp_path)
    text = "\n".join(diagnostic.render() for diagnostic in caught.value.diagnostics)
    assert says in text
    assert f"{tmp_path / file}:" in text


@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        ("recruits.yaml", "Militia", "Milita", "Milita"),
        ("numbers.yaml", "[100, 80, 65, 50]", "[100, 80]", "revenue_percent"),
    ],
)
def test_files_must_agree_with_each_other(tmp_path: Path, file: str, old: str, new: str, says: str) -> None:
    ours = resource("rules", "medieval", file).read_text(encoding="utf-8")
    (tmp_path / file).write_text(ours.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ValueError, match=says):
        load_rules(tmp_path)


def test_reasons_are_read_from_all_files() -> None:
    assert len(load_reasons()) > 50
    assert load_reasons()["never-reached"].clause


def test_what_is_not_shipped_is_named() -> None:
    with pytest.raises(FileNotFoundError, match="rules/medieval/nothing"):
        resource("rules", "medieval", "nothing")
