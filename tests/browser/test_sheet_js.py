"""The page's order sheet against the program's: the same orders and findings, and files that the program reads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gm.games.medieval.orders.model import Order, OrderSheet
from gm.games.medieval.orders.read import read_sheet
from gm.games.medieval.report.page_data import public_data
from gm.games.medieval.spec import SPEC
from gm.games.medieval.state import World
from gm.kernel.diagnostics import Diagnostic
from gm.kernel.store import GameFolder
from tests.browser.scripting import BYTES, encoded, ordered, with_scripts, world_text
from tests.medieval.order_reading import HEADER, KEY, gallery_world
from tests.medieval.testland import atlas, rules

ROOT = Path(__file__).parents[2]
GALLERY = sorted((ROOT / "tests" / "errors" / "medieval").glob("*.yaml"))
EXAMPLES = ROOT / "examples" / "medieval" / "minsk"

STUDY = f"""([text, own, file]) => {{
  {BYTES}
  const data = JSON.parse(text);
  const {{ sheet, problems, aside }} = GmSheet.read(bytes(file), data, own || undefined);
  const realm = own ? own.realm : sheet && sheet.head.realm;
  const told = (found) => found.map((each) =>
    [each.line, each.column, each.severity, each.code, each.message, each.suggestion, each.clause]);
  const say = (each) => [each.line, each.column, GmSheet.describe(each, data, {{ realm }})];
  const found = {{ problems: told(problems), aside: told(aside), orders: null }};
  if (!sheet) return found;
  found.orders = sheet.orders.map(say);
  const head = {{ game: data.game, realm, turn: data.turn, key: own ? own.key : "" }};
  const copy = {{ head, orders: sheet.orders }};
  found.text = GmSheet.write(copy, data);
  found.written = copy.orders.map(say);
  const again = GmSheet.read(found.text, data, own || undefined);
  found.stable = GmSheet.write({{ head, orders: again.sheet.orders }}, data) === found.text;
  return found;
}}"""
"""Reads a file and writes its orders again."""


@pytest.fixture
def scripted(page: Any) -> Any:
    return with_scripts(page, "sheet")


def study(page: Any, data: str, own: dict[str, str] | None, file: bytes) -> dict[str, Any]:
    """What the page makes of a file; ``data`` is its data as JSON."""
    found: dict[str, Any] = page.evaluate(STUDY, [data, own, encoded(file)])
    return found


def read(world: World, realm: str, key: str, file: bytes) -> tuple[OrderSheet | None, list[Diagnostic]]:
    """A file as the program reads it on the test map."""
    return read_sheet(
        file, "file", world=world, rules=rules(), atlas=atlas(), game="test", realm=realm, turn=world.turn + 1, key=key
    )


def told(diagnostics: list[Diagnostic]) -> list[list[Any]]:
    return sorted(
        [each.line, each.column, each.severity, each.code, each.message, each.suggestion, each.clause]
        for each in diagnostics
    )


def said(sheet: OrderSheet) -> list[list[Any]]:
    return sorted([each.written.line, each.written.column, each.written.text] for each in sheet.all_orders())


def meant(sheet: OrderSheet, world: World) -> tuple[Any, ...]:
    """What a sheet orders, wherever it is written; what is of one kind in its order.

    The page writes every garrison by its province, which the program binds when the order is carried out (O8).
    """

    def named(reference: Any) -> Any:
        """A garrison by its province, also another realm's."""
        realm, _, name = str(reference).rpartition("/")
        unit = world.unit(realm or sheet.realm, name)
        if unit is None or not unit.is_garrison:
            return reference
        return unit.place if unit.realm == sheet.realm else f"{unit.realm}/{unit.place}"

    def plain(order: Order) -> str:
        fields = {name: getattr(order, name) for name in order.__dataclass_fields__ if name != "written"}
        for name in fields.keys() & {"unit", "receiver", "leader"}:
            fields[name] = named(fields[name])
        return repr([type(order).__name__, *fields.values()])

    def by_kind(orders: tuple[Order, ...]) -> list[str]:
        return [plain(each) for each in sorted(orders, key=lambda order: type(order).__name__)]

    plans = {named(name): [plain(each) for each in entries] for name, entries in sheet.plans.items() if entries}
    return by_kind(sheet.headquarters), by_kind(sheet.units), plans


def same_findings(found: dict[str, Any], sheet: OrderSheet | None, diagnostics: list[Diagnostic]) -> bool:
    """Page and program find the same wrong; gives whether the file stands."""
    mine, theirs = sorted(found["problems"] + found["aside"]), told(diagnostics)
    if sheet is None:
        # the page reads on in what the program sets aside for its head
        assert found["aside"] or found["orders"] is None
        assert [each for each in theirs if each not in mine] == []
        return False
    assert mine == theirs
    assert found["aside"] == []
    assert sorted(found["orders"]) == said(sheet)
    return True


def same_orders(
    world: World, found: dict[str, Any], sheet: OrderSheet, again: OrderSheet | None, findings: list[Diagnostic]
) -> None:
    """What the page wrote is read as the same orders, where the page says that they are."""
    assert again is not None
    assert [each.render() for each in findings if each.is_error] == []
    assert meant(again, world) == meant(sheet, world), found["text"]
    assert sorted(found["written"]) == said(again), found["text"]
    assert found["stable"]


@pytest.mark.clause("O7", "O8", "O9")
def test_the_gallery_of_broken_files_gets_the_same_messages(scripted: Any) -> None:
    world = gallery_world()
    data, own = world_text(world), {"realm": "ENG", "key": KEY}
    stood = 0
    for path in GALLERY:
        found = study(scripted, data, own, path.read_bytes())
        sheet, diagnostics = read(world, "ENG", KEY, path.read_bytes())
        if same_findings(found, sheet, diagnostics) and sheet is not None:
            stood += 1
            same_orders(world, found, sheet, *read(world, "ENG", KEY, found["text"].encode()))
    assert stood > 20


@pytest.mark.clause("O3", "O4", "O5", "O8")
def test_generated_files_mean_the_same_and_are_written_again_as_the_same_orders(scripted: Any) -> None:
    stood = 0
    for each in ordered():
        data, own = world_text(each.world), {"realm": each.realm, "key": "test-key"}
        for file in (each.whole, each.broken):
            found = study(scripted, data, own, file)
            sheet, diagnostics = read(each.world, each.realm, "test-key", file)
            if same_findings(found, sheet, diagnostics) and sheet is not None:
                stood += 1
                same_orders(each.world, found, sheet, *read(each.world, each.realm, "test-key", found["text"].encode()))
    assert stood > len(ordered())


@pytest.mark.clause("O7", "O8")
def test_the_files_of_the_example_campaign_mean_the_same(scripted: Any, minsk_reports: Path) -> None:
    folder = GameFolder(minsk_reports)
    table = SPEC.load_table(folder.path)
    stood = 0
    for turn in range(folder.newest_turn()):
        world = SPEC.state(folder.state(turn, SPEC.snapshot))
        data = json.dumps(public_data(world, table.rules, table.board, game="minsk", title="Minsk"))
        for path in sorted((EXAMPLES / f"turn-{turn + 1:02}").iterdir()):

            def taken(file: bytes, world: World = world) -> tuple[OrderSheet | None, list[Diagnostic]]:
                return read_sheet(
                    file, "file", world=world, rules=table.rules, atlas=table.board, game="minsk", turn=world.turn + 1
                )

            found = study(scripted, data, None, path.read_bytes())
            sheet, diagnostics = taken(path.read_bytes())
            if same_findings(found, sheet, diagnostics) and sheet is not None:
                stood += 1
                same_orders(world, found, sheet, *taken(found["text"].encode()))
    assert stood >= 14


@pytest.mark.clause("O8", "O9")
def test_a_lenient_hand_is_read_alike(scripted: Any) -> None:
    body = """\
Headquarters:
  Declare-War: France
  grant permission: {LONDON: aqu, kent: [Denmark, "den"]}
  annex: london
  send_gold: {AQU: 007.50}
  rename_commander: {sir john chandos: "  Jean   le Bon "}
  proclamation: >
    Peace
    to all.

    And wine.
UNITS:
  g1:
    Recruit: {longbowmen: 3, Trading  Cog: 1}
    build: [Production_Area, Harbor]
    repair: TRUE
    form: {a050: none, F07: ''}
  a01:
    LEADER: Jean le bon
    follow: ENG/A2
    marines: No
    ranks: {longbowmen: {4: 2, 1: 3}}
    plan:
      - Hold
      - march: KENT
      - transfer: {To: London, Commanders: Sir John Chandos}
      - pillage: yes
      - pillage: no
  F1:
    plan: [{load: a1}, {unload: {A1: kent}}]
  Paris:
    plan: [{transfer: {to: AQU A5, troops: {Longbowmen: 1}}}, {transfer: {to: den/Slavinia, troops: {Longbowmen: 1}}}]
"""
    world, file = gallery_world(), (HEADER + body).encode()
    found = study(scripted, world_text(world), {"realm": "ENG", "key": KEY}, file)
    sheet, diagnostics = read(world, "ENG", KEY, file)
    assert sheet is not None
    assert same_findings(found, sheet, diagnostics)
    same_orders(world, found, sheet, *read(world, "ENG", KEY, found["text"].encode()))
    assert "[1-3] " not in found["text"]


NAMES = (
    *("null", "yes", "NO", "on", "12", "0x1F", "~", "- a", "a: b", "#1", "a #b", "[x]", "{x}", "'", '"', "\\", "a\\nb"),
    *("&a", "*a", "!!x", "%", "@", "`", "| x", "> x", "? x", "---", "...", "<script>alert(1)</script>", "</script>"),
    *("Étienne", "😀 Lions", "日本", "a  b ", "tab\there", "two\nlines", "hid\u200bden", "right\u202eleft"),
    *("line\u2028end", "nul\x00", "\ufeffmark", "\x85next"),
)
"""Names that mean something to YAML, to browsers or to nobody's eye."""

NAMED = """([text, own, names]) => {
  const data = JSON.parse(text);
  const sheet = { head: { game: data.game, realm: own.realm, turn: data.turn, key: own.key }, orders: [] };
  names.forEach((name, index) => {
    GmSheet.add(sheet, { section: "unit", unit: "G1", word: "form", value: { id: `A${20 + index}`, name } });
  });
  GmSheet.add(sheet, { section: "headquarters", word: "proclamation", value: names.join("\\n \\n") });
  const file = GmSheet.write(sheet, data);
  return { file, written: sheet.orders.map((each) => [each.line, each.column, GmSheet.describe(each, data, own)]) };
}"""


@pytest.mark.clause("O7")
def test_no_name_breaks_a_file(scripted: Any) -> None:
    world = gallery_world()
    own = {"realm": "ENG", "key": KEY}
    found = scripted.evaluate(NAMED, [world_text(world), own, list(NAMES)])
    sheet, diagnostics = read(world, "ENG", KEY, found["file"].encode())
    assert sheet is not None
    assert diagnostics == []
    assert sorted(found["written"]) == said(sheet)
    assert [order.new_id for order in sheet.units] == [f"A{20 + index}" for index in range(len(NAMES))]  # type: ignore[attr-defined]
    names = [order.name or "" for order in sheet.units]  # type: ignore[attr-defined]
    assert names[NAMES.index("a: b")] == "a: b"
    assert names[NAMES.index("two\nlines")] == "two lines"
    assert names[NAMES.index("hid\u200bden")] == "hidden"
    assert "</script>" in names


PLANNED = """([text, own, proclamation]) => {
  const data = JSON.parse(text);
  const sheet = { head: { game: data.game, realm: own.realm, turn: data.turn, key: own.key }, orders: [] };
  const add = (section, unit, word, value) => GmSheet.add(sheet, { section, unit, word, value });
  const said = () => sheet.orders.map((each) => GmSheet.describe(each, data, own));
  const steps = [];
  add("plan", "A1", "march", "London");
  add("unit", "G1", "recruit", { troop: "Longbowmen", count: 2 });
  const second = add("plan", "A1", "march", "Kent");
  add("unit", "A1", "leader", "Sir John Chandos");
  add("headquarters", null, "declare_war", "FRA");
  const hold = add("plan", "A1", "hold", null);
  steps.push(said());
  GmSheet.move(sheet, hold.id, -1);
  GmSheet.move(sheet, second.id, -5);
  steps.push(said());
  GmSheet.remove(sheet, hold.id);
  const renaming = add("headquarters", null, "rename_commander", { name: "Sir John Chandos", new_name: "Jack" });
  add("headquarters", null, "proclamation", proclamation);
  steps.push(GmSheet.write(sheet, data), said());
  GmSheet.remove(sheet, renaming.id);
  steps.push(GmSheet.write(sheet, data), said());
  return steps;
}"""


@pytest.mark.clause("O5", "F7")
def test_orders_are_added_moved_and_removed_where_the_file_will_have_them(scripted: Any) -> None:
    world = gallery_world()
    words = "Hear ye!  " + "All men of good will " * 12 + "\n\nmay drink."
    steps = scripted.evaluate(PLANNED, [world_text(world), {"realm": "ENG", "key": KEY}, words])
    assert steps[0] == [
        "declare_war: FRA",
        "A1 leader: Sir John Chandos",
        "A1 march: London",
        "A1 march: Kent",
        "A1 hold",
        "London recruit: 2 Longbowmen",
    ]
    assert steps[1][2:5] == ["A1 march: Kent", "A1 march: London", "A1 hold"]
    for text, described in (steps[2:4], steps[4:6]):
        sheet, diagnostics = read(world, "ENG", KEY, text.encode())
        assert sheet is not None
        assert diagnostics == []
        assert [each[2] for each in said(sheet)] == described
    assert "A1 leader: Jack" in steps[3]
    assert "A1 leader: Sir John Chandos" in steps[5]
    assert " ".join(words.split()) in " ".join(steps[2].split())


@pytest.mark.clause("O7")
def test_a_file_for_another_turn_is_read_with_the_reason_why_it_would_be_set_aside(scripted: Any) -> None:
    file = (HEADER.replace("turn: 5", "turn: 4") + "units:\n  A1:\n    plan: [hold]\n").encode()
    found = study(scripted, world_text(gallery_world()), {"realm": "ENG", "key": KEY}, file)
    assert [each[3] for each in found["aside"]] == ["sheet/wrong-turn"]
    assert [each[2] for each in found["orders"]] == ["A1 hold"]
