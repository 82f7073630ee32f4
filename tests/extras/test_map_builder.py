"""The builders of maps: the shipped maps come out of their sources byte for byte, and wrong sources are
told of.
"""

import json
import re
import shutil
from importlib.util import find_spec
from itertools import combinations
from pathlib import Path

import pytest

from gm.core.yaml.source import plain_data, read_yaml
from gm.games.medieval.data.map_check import check_map
from gm.games.medieval.spec import SPEC
from gm.resources import resource

pytest.importorskip("shapely")

from shapely.geometry import MultiPolygon, Polygon, box

from maps.builder import colours
from maps.builder.borders import correct, measure, meet_in_corners
from maps.builder.build import build_map
from maps.builder.coast import Projection, dig, project_land, read_land, smooth
from maps.builder.cut_coast import cut
from maps.builder.hexes import hex_map
from maps.builder.labels import label
from maps.builder.shapes import shaped
from maps.builder.sources import start_text
from maps.builder.tiling import as_one_sheet, tile

EUROPE = resource("maps", "medieval", "europe-1320")
HEXLAND = resource("maps", "medieval", "hexland")
POWERS = resource("maps", "conqueror", "europe859")

Rings = list[list[tuple[int, int]]]


def test_the_shapes_of_conqueror_come_out_of_their_sources_and_agree_with_its_borders(tmp_path: Path) -> None:
    assert shaped(POWERS) == (POWERS / "map.yaml").read_text("utf-8")
    folder = tmp_path / "maps" / "conqueror" / "europe859"
    shutil.copytree(POWERS, folder)
    shutil.copytree(EUROPE / "source", tmp_path / "maps" / "medieval" / "europe-1320" / "source")
    text = (folder / "map.yaml").read_text("utf-8")
    (folder / "map.yaml").write_text(text.replace("SWAB-BAVA ", ""), "utf-8")
    with pytest.raises(ValueError, match="BAVA-SWAB"):
        shaped(folder)


def square(x: int, y: int, size: int = 10) -> list[tuple[int, int]]:
    return [(x, y), (x + size, y), (x + size, y + size), (x, y + size)]


# -- the shipped maps ----------------------------------------------------------------------------------------


def test_europe_is_built_from_its_sources_byte_for_byte() -> None:
    assert build_map(EUROPE) == (EUROPE / "map.yaml").read_text("utf-8")


@pytest.mark.parametrize("folder", [EUROPE, HEXLAND], ids=lambda folder: folder.name)
def test_the_start_is_built_from_its_sources_byte_for_byte(folder: Path) -> None:
    assert start_text(folder) == (folder / "start.yaml").read_text("utf-8")


def test_independents_have_as_many_more_troops_as_the_nearest_realms_are_to_face_up_to_most(
    tmp_path: Path,
) -> None:
    """Garrisons grow with the factor of the nearest realms, up to the limit, and never fall below 1."""
    folder = shutil.copytree(HEXLAND, tmp_path / "hexland")

    def soldiers(*lines: str) -> dict[str, int]:
        text = (HEXLAND / "source" / "garrisons.yaml").read_text("utf-8")
        own = text.replace(
            "  fortification: 1\n", "".join(f"  {line}\n" for line in (*lines, "fortification: 1"))
        )
        (folder / "source" / "garrisons.yaml").write_text(own, "utf-8")
        start = plain_data(read_yaml(start_text(folder).encode(), "start.yaml"))
        garrisons = (
            (name, land["garrison"]) for name, land in start["provinces"].items() if "owner" not in land
        )
        counts = (
            (name, (sum(n.values()) if isinstance(n, dict) else n for n in troops.values()))
            for name, troops in garrisons
        )
        return {name: sum(count) for name, count in counts}

    plain = soldiers()
    doubled = soldiers("beside: {YLF: 4, BLW: 1}")
    # Kingsmead is next to Yellowfen alone, Grey Town to Bluewater and, as far, to Yellowfen; Turtle Isle is
    # far away
    assert doubled["Kingsmead"] > 2 * plain["Kingsmead"]
    assert plain["Greywall"] < doubled["Greywall"] < 3 * plain["Greywall"]
    assert doubled["Turtle Isle"] == plain["Turtle Isle"]
    assert plain["Kingsmead"] < soldiers("beside: {YLF: 4}", "most: 2")["Kingsmead"] < doubled["Kingsmead"]
    assert min(soldiers("beside: {YLF: 0.01, BLW: 0.01, RDM: 0.01, GRW: 0.01}").values()) == 1


def test_the_grid_of_hexes_is_built_from_its_sources_byte_for_byte() -> None:
    assert hex_map(HEXLAND) == (HEXLAND / "map.yaml").read_text("utf-8")


def test_the_grid_has_forty_places_and_nothing_to_complain_about() -> None:
    assert check_map(HEXLAND) == []
    assert (HEXLAND / "map.yaml").read_text("utf-8").count(": {label:") == 40


# -- wrong sources -------------------------------------------------------------------------------------------


def copied(folder: Path, file: str, old: str, new: str) -> Path:
    """A copy of the hex grid's sources with one text replaced."""
    shutil.copytree(HEXLAND / "source", folder / "source")
    path = folder / "source" / file
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    return folder


@pytest.mark.parametrize(
    ("file", "old", "new", "complaint"),
    [
        ("seas.csv", "Gull Bay\n", "", "not in both: ['Gull Bay']"),
        ("corrections.yaml", "[Thornby, Mist Sea]", "[Thornby, Coral Sea]", "do not border each other"),
        ("corrections.yaml", "[Thornby, Mist Sea]", "[Thornbye, Mist Sea]", "no place is called 'Thornbye'"),
        ("corrections.yaml", "[Turtle Isle, Ashford]", "[Westmarch, Ashford]", "border each other by land"),
    ],
)
def test_sources_that_do_not_fit_are_told(
    file: str, old: str, new: str, complaint: str, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=complaint.replace("[", r"\[")):
        hex_map(copied(tmp_path, file, old, new))


def test_a_centre_in_the_sea_and_a_name_given_twice_are_told(tmp_path: Path) -> None:
    shutil.copytree(EUROPE / "source", tmp_path / "source")
    path = tmp_path / "source" / "provinces.csv"
    lines = path.read_text("utf-8").splitlines()
    lines[1] = lines[1].replace(",-0.1,51.5,", ",-8.0,49.0,")
    path.write_text("\n".join([*lines, lines[2]]) + "\n", "utf-8")
    with pytest.raises(ValueError, match="centre of London is at sea\nKent stands twice"):
        build_map(tmp_path)


# -- the steps -----------------------------------------------------------------------------------------------


def test_the_middle_of_the_projection_is_true_to_scale_and_its_rim_is_not() -> None:
    projection = Projection((10, 50), 1500)
    assert projection(10, 50) == (0, 0)
    near = projection(10, 51)
    far = projection(10, 71)
    assert near[1] == pytest.approx(111.2, rel=0.01)
    assert far[1] - projection(10, 70)[1] < 0.7 * near[1]


def test_the_lens_keeps_directions() -> None:
    strong = Projection((10, 50), 800)
    weak = Projection((10, 50), 1e9)
    (x1, y1), (x2, y2) = strong(30, 40), weak(30, 40)
    assert x1 / y1 == pytest.approx(x2 / y2)


def test_a_coastline_that_was_cut_out_reads_back(tmp_path: Path) -> None:
    world = MultiPolygon(
        [box(0, 0, 4, 4).difference(box(1, 1, 2, 2)), box(9, 9, 9.01, 9.01), box(50, 50, 60, 60)]
    )
    path = tmp_path / "coast.json"
    path.write_text(json.dumps(cut(world, (-5, -5, 20, 20))), "utf-8")
    ((outer, inner),) = read_land(path)
    assert Polygon(outer).symmetric_difference(box(0, 0, 4, 4)).area == pytest.approx(0, abs=1e-9)
    assert Polygon(inner).area == pytest.approx(1)
    shape = project_land(read_land(path), Projection((2, 2), 1500), box(-5, -5, 20, 20))
    assert shape.area == pytest.approx(15 * 111.2**2, rel=0.03)


def test_channels_are_dug_and_inlets_and_lakes_filled() -> None:
    land = box(0, 0, 100, 100)
    here = Projection((0, 0), 1e9)
    split = dig(land, [{"through": [[0.45, -0.5], [0.45, 1.5]], "width": 10}], here)
    assert len(split.geoms) == 2
    ragged = (
        land.difference(box(40, 50, 42, 100)).difference(box(10, 10, 20, 20)).difference(box(60, 10, 90, 40))
    )
    whole = smooth(ragged, 4, 500)
    assert whole.area == pytest.approx(100 * 100 - 900, rel=0.01)


def test_tiles_share_the_land_out_without_gap_or_overlap_and_hold_their_centres() -> None:
    centres = {"A": [(20.0, 20.0)], "B": [(80.0, 30.0)], "C": [(50.0, 80.0), (90.0, 90.0)]}
    land = box(0, 0, 100, 100)
    tiles = as_one_sheet(tile(centres, land, 0.3, 0, keep_all=True), 1)
    assert sum(tile.area for tile in tiles.values()) == pytest.approx(land.area)
    for name, points in centres.items():
        assert all(tiles[name].contains(Polygon(square(int(x) - 1, int(y) - 1, 2))) for x, y in points)
    for a in tiles:
        assert all(tiles[a].intersection(tiles[b]).area == 0 for b in tiles if b != a)


def test_an_islet_goes_whole_to_one_place_and_a_lake_to_none() -> None:
    land = MultiPolygon([box(0, 0, 100, 40), box(45, 60, 60, 65)])
    tiles = tile({"A": [(20.0, 20.0)], "B": [(80.0, 20.0)]}, land, 0, 200, keep_all=True)
    assert sorted(len(getattr(tile, "geoms", [tile])) for tile in tiles.values()) == [1, 2]
    water = MultiPolygon([box(0, 0, 10, 10), box(30, 30, 40, 40)])
    assert tile({"S": [(5.0, 5.0)]}, water, 0, 0, keep_all=False)["S"].area == pytest.approx(100)


def test_a_place_without_room_is_told() -> None:
    with pytest.raises(ValueError, match="no room for B"):
        as_one_sheet({"A": box(0, 0, 10, 10), "B": box(2, 2, 2.2, 2.2)}, 1)


@pytest.mark.clause("W3")
def test_borders_are_read_off_the_outlines_corners_are_none() -> None:
    outlines = {"A": [square(0, 0)], "B": [square(10, 0)], "C": [square(10, 10)], "D": [square(50, 50)]}
    assert measure(outlines) == {("A", "B"): 10, ("B", "C"): 10}


def test_a_border_too_short_to_be_seen_becomes_a_corner() -> None:
    outlines: dict[str, Rings] = {
        "A": [[(0, 0), (10, 0), (10, 9), (10, 11), (0, 11)]],
        "B": [[(10, 0), (20, 0), (20, 9), (10, 9)]],
        "C": [[(10, 9), (20, 9), (20, 20), (10, 20), (10, 11)]],
        "D": [[(0, 11), (10, 11), (10, 20), (0, 20)]],
    }
    assert ("A", "C") in measure(outlines)
    corners = meet_in_corners(outlines, 5)
    assert set(measure(corners)) == {("A", "B"), ("A", "D"), ("B", "C"), ("C", "D")}


def test_a_place_that_vanishes_in_a_corner_is_told() -> None:
    with pytest.raises(ValueError, match="B is too small"):
        meet_in_corners(
            {"A": [[(0, 0), (50, 0), (50, 2), (50, 50), (0, 50)]], "B": [[(50, 0), (53, 0), (50, 2)]]}, 9
        )


@pytest.mark.clause("W3")
def test_corrections_give_borders_their_barriers_and_straits_in_the_order_of_the_places() -> None:
    order = {"A": 0, "B": 1, "C": 2}
    borders = correct(
        {("A", "B"): 10.0},
        {
            "mountains": [{"between": ["B", "A"], "why": "peaks"}],
            "strait": [{"between": ["C", "A"], "why": "a ford"}],
        },
        order,
    )
    assert [(both, special.kind) for both, special in borders.items() if special] == [
        (("A", "B"), "mountains"),
        (("A", "C"), "strait"),
    ]


def test_a_label_stands_in_the_widest_part() -> None:
    flag: Rings = [[(0, 0), (100, 0), (100, 40), (10, 40), (10, 200), (0, 200)]]
    x, y = label("Somewhere", flag, sea=False)
    assert 30 < x < 70
    assert 10 < y < 30


# -- the page for map makers ---------------------------------------------------------------------------------


def test_the_page_for_map_makers_names_only_findings_and_commands_that_there_are() -> None:
    page = resource("maps", "README.md").read_text("utf-8")
    code = "".join(
        path.read_text("utf-8") for path in Path(check_map.__code__.co_filename).parent.glob("*.py")
    )
    named = re.findall(r"`((?:map|start)/[a-z-]+[a-z])`", page)
    assert len(named) > 10
    assert [name for name in named if f'"{name}"' not in code] == []
    for module in re.findall(r"python -m (maps\.builder[.a-z_]*)", page):
        assert find_spec(module) is not None


def test_the_page_s_pieces_of_a_map_are_readable_yaml() -> None:
    page = resource("maps", "README.md").read_text("utf-8")
    pieces = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    assert [set(plain_data(read_yaml(piece.encode(), "page"))) for piece in pieces] == [
        {
            "schema",
            "name",
            "title",
            "size",
            "compass",
            "aliases",
            "realms",
            "provinces",
            "seas",
            "borders",
            "outlines",
        },
        {"schema", "map", "title", "realms", "provinces"},
    ]


# -- the colours of realms -----------------------------------------------------------------------------------


def test_the_annealing_moves_colours_apart_and_writes_what_it_found() -> None:
    folder = SPEC.maps()["minsk"]
    table = SPEC.shipped_table("minsk")
    atlas = table.board
    world = SPEC.start(table, folder, None)
    alike = {code: seat.evolve(colour="#5c5d68") for code, seat in atlas.realms.items()}
    colour_by_realm = colours.proposed(atlas.evolve(realms=alike), world, seeds=(1,))
    assert (
        min(
            colours.apart(colour_by_realm[a], colour_by_realm[b]) for a, b in combinations(colour_by_realm, 2)
        )
        >= colours.LEAST
    )
    text = (folder / "map.yaml").read_text("utf-8")
    written = colours.written(text, colour_by_realm)
    assert re.findall(r'colour: "(#\w{6})"', written) == list(colour_by_realm.values())
    assert re.sub('"#\\w+"', "", written) == re.sub('"#\\w+"', "", text)
