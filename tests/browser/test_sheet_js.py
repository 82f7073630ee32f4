"""15.5: the page writes order files that the program reads as the same orders, and opens again what it
wrote itself.
"""

import re
from typing import Any

import pytest

from gm.core.diagnostics import Diagnostic
from gm.games.medieval.orders.model import Order, Orders
from gm.games.medieval.orders.worded import sentence
from gm.games.medieval.report.formatter import MedievalFormatter
from gm.games.medieval.state import World
from tests.browser.parity import Case, as_sheet
from tests.browser.scripting import ordered, page_data, with_scripts
from tests.medieval.order_reading import KEY, gallery_world, read_sheet
from tests.medieval.testland import atlas, data_of, rules

WRITE = """([blocks, given]) => {
  const book = new GmBook(...blocks.map((each) => JSON.parse(each)));
  const head = { game: book.game, realm: book.realm, turn: book.turn, key: book.own.key };
  const sheet = { head, orders: given.orders };
  const text = GmSheet.write(sheet, book);
  const file = GmSheetStamp.stamped(text, sheet);
  const found = GmSheetStamp.read(file, book);
  const again = { head, orders: found.orders };
  GmSheet.remember(again, book);
  const { changed, dropped } = found;
  return { text, file, changed, dropped, same: GmSheet.write(again, book) === text };
}"""
"""Writes orders as a file, and opens the file."""

OPEN = """([blocks, file]) => {
  const book = new GmBook(...blocks.map((each) => JSON.parse(each)));
  const found = GmSheetStamp.read(file, book);
  if (!found) return null;
  const { head, orders, dropped, changed, body } = found;
  return { head, orders, dropped, changed, body };
}"""


@pytest.fixture
def scripted(page: Any) -> Any:
    return with_scripts(page, "sheet_stamp")


def read(world: World, realm: str, key: str, file: bytes) -> tuple[Orders | None, list[Diagnostic]]:
    """A file as the program reads it on the test map."""
    return read_sheet(
        file,
        "file",
        world=world,
        rules=rules(),
        atlas=atlas(),
        game="test",
        realm=realm,
        turn=world.turn + 1,
        key=key,
    )


def said(sheet: Orders, world: World) -> list[list[Any]]:
    """The orders as the program words them, by their places in the file (issue 38, item 8)."""
    tell = MedievalFormatter(world)
    return sorted(
        [order.written.line, order.written.column, sentence(order, tell)] for order in sheet.all_orders()
    )


def meant(sheet: Orders, world: World) -> tuple[Any, ...]:
    """What a sheet orders, wherever it is written; what is of one kind in its order.

    The page writes every garrison by its province, which the program binds when the order is carried out
    (O8).
    """

    def named(reference: Any) -> Any:
        """A garrison by its province, also another realm's."""
        realm, _, name = str(reference).rpartition("/")
        unit = world.unit(realm or sheet.realm, name)
        if unit is None or not unit.is_garrison:
            return reference
        return unit.place if unit.realm == sheet.realm else f"{unit.realm}/{unit.place}"

    def plain(order: Order) -> str:
        fields = {name: getattr(order, name) for name in order.__struct_fields__ if name != "written"}
        for name in fields.keys() & {"unit", "receiver", "leader"}:
            fields[name] = named(fields[name])
        # in which order a file names ranks says nothing
        values = (
            sorted(field_value.items()) if name == "counts" else field_value
            for name, field_value in fields.items()
        )
        return repr([type(order).__name__, *values])

    def by_kind(orders: tuple[Order, ...]) -> list[str]:
        return [plain(order) for order in sorted(orders, key=lambda order: type(order).__name__)]

    plans = {
        named(name): [plain(entry) for entry in entries] for name, entries in sheet.plans.items() if entries
    }
    return by_kind(sheet.headquarters), by_kind(sheet.units), plans


@pytest.mark.clause("O3", "O4", "O5", "O8")
def test_generated_orders_are_written_as_the_same_orders_and_opened_again(scripted: Any) -> None:
    stood = 0
    for index, case_drawn in enumerate(ordered()):
        sheet, _ = read(case_drawn.world, case_drawn.realm, "test-key", case_drawn.file)
        if sheet is None:
            continue
        stood += 1
        case = Case(str(index), str(index), case_drawn.world, atlas(), sheet)
        written = scripted.evaluate(
            WRITE, [page_data(case_drawn.world, case_drawn.realm, "test-key"), as_sheet(case)]
        )
        assert not re.search(r"## .*\b1 (?:Archers|Trading Cogs|Longbowmen|Men-at-Arms)", written["text"])
        assert (written["same"], written["changed"], written["dropped"]) == (True, False, 0), written["file"]
        for text in (written["text"], written["file"], written["file"].replace("\n", "\r\n")):
            again, findings = read(case_drawn.world, case_drawn.realm, "test-key", text.encode())
            assert again is not None
            assert [finding.render() for finding in findings if finding.is_error] == []
            assert meant(again, case_drawn.world) == meant(sheet, case_drawn.world), written["text"]
    assert stood > 50


def stamped(scripted: Any, **more: Any) -> str:
    """A file with one order of the page's."""
    order = {"id": "o1", "section": "unit", "unit": "A1", "word": "name", "value": "Old Guard", **more}
    written = scripted.evaluate(WRITE, [page_data(gallery_world(), "ENG", KEY), {"orders": [order]}])
    return str(written["file"])


def opened(scripted: Any, file: str) -> Any:
    return scripted.evaluate(OPEN, [page_data(gallery_world(), "ENG", KEY), file])


def test_a_change_by_hand_is_noticed_wherever_it_is(scripted: Any) -> None:
    """15.5: but for line ends and what stands behind the last line, which mail may change."""
    file = stamped(scripted)
    lines = file.splitlines()
    assert lines[-1].startswith("#= ")
    for again in (file, file.replace("\n", "\r\n"), file.rstrip(), f"{file}\n\n"):
        assert opened(scripted, again)["changed"] is False
    for again in (
        file.replace("Old Guard", "New Guard", 1),
        f"{file}headquarters: {{annex: [Kent]}}\n",
        f"# mine\n{file}",
    ):
        assert opened(scripted, again)["changed"] is True
        assert opened(scripted, again)["orders"][0]["value"] == "Old Guard"


@pytest.mark.parametrize(
    "line",
    [
        "",
        "#= ",
        "#= 00000000",
        "#= 00000000 {",
        "#= 00000000 []",
        '#= 00000000 {"orders": 1}',
        "#= 00000000 null",
        "#= 00000000 " + "[" * 100_000,
        '#= 00000000 {"orders": [], "x": "' + "y" * 300_000 + '"}',
    ],
)
def test_a_file_without_a_line_of_the_pages_own_is_not_opened(scripted: Any, line: str) -> None:
    assert opened(scripted, f"orders: 1\n{line}\n") is None


@pytest.mark.parametrize("order", data_of("no-orders")["orders"])
def test_what_is_no_order_is_left_out_and_counted(scripted: Any, order: str) -> None:
    """15.5: the line may have been written by anybody."""
    file = f'#= 00000000 {{"orders": [{order}, ["plan", "A1", "march", "Kent"]]}}'
    reading = opened(scripted, file)
    assert reading["dropped"] == 1
    assert [order["value"] for order in reading["orders"]] == ["Kent"]


def test_a_long_line_of_the_pages_own_is_read_over_by_the_program() -> None:
    """15.5: whatever stands in the comment."""
    world = gallery_world()
    head = f"orders: 1\ngame: test\nrealm: ENG\nturn: {world.turn + 1}\nkey: {KEY}\n"
    for comment in ("#= 00000000 " + "x" * 199_000, '#= {"a": [*b, &c, "'):
        sheet, findings = read(
            world, "ENG", KEY, f"{head}headquarters: {{annex: [Kent]}}\n{comment}\n".encode()
        )
        assert sheet is not None
        assert [finding for finding in findings if finding.is_error] == []
        assert len(sheet.headquarters) == 1


NAMES = (
    *(
        "null",
        "yes",
        "NO",
        "on",
        "12",
        "0x1F",
        "~",
        "- a",
        "a: b",
        "#1",
        "a #b",
        "[x]",
        "{x}",
        "'",
        '"',
        "\\",
        "a\\nb",
    ),
    *(
        "&a",
        "*a",
        "!!x",
        "%",
        "@",
        "`",
        "| x",
        "> x",
        "? x",
        "---",
        "...",
        "<script>alert(1)</script>",
        "</script>",
    ),
    *("Étienne", "😀 Lions", "日本", "a  b ", "tab\there", "two\nlines", "hid\u200bden", "right\u202eleft"),
    *("line\u2028end", "nul\x00", "\ufeffmark", "\x85next"),
)
"""Names that mean something to YAML, to browsers or to nobody's eye."""

NAMED = """([blocks, names]) => {
  const data = new GmBook(...blocks.map((each) => JSON.parse(each)));
  const { own } = data;
  const sheet = { head: { game: data.game, realm: own.realm, turn: data.turn, key: own.key }, orders: [] };
  names.forEach((name, index) => {
    GmSheet.add(sheet, { section: "unit", unit: "G1", word: "form", value: { id: `A${20 + index}`, name } });
  });
  GmSheet.add(sheet, { section: "headquarters", word: "proclamation", value: names.join("\\n \\n") });
  const file = GmSheet.write(sheet, data);
  const written = sheet.orders.map((each) => [each.line, each.column, GmSheetWords.describe(each, data)]);
  return { file, written };
}"""


@pytest.mark.clause("O7")
def test_no_name_breaks_a_file(scripted: Any) -> None:
    world = gallery_world()
    written = scripted.evaluate(NAMED, [page_data(world, "ENG", KEY), list(NAMES)])
    sheet, diagnostics = read(world, "ENG", KEY, written["file"].encode())
    assert sheet is not None
    assert diagnostics == []
    assert sorted(written["written"]) == said(sheet, world)
    assert [order.new_id for order in sheet.units] == [f"A{20 + index}" for index in range(len(NAMES))]  # type: ignore[attr-defined]
    names = [order.name or "" for order in sheet.units]  # type: ignore[attr-defined]
    assert names[NAMES.index("a: b")] == "a: b"
    assert names[NAMES.index("two\nlines")] == "two lines"
    assert names[NAMES.index("hid\u200bden")] == "hidden"
    assert "</script>" in names


PLANNED = """([blocks, proclamation]) => {
  const data = new GmBook(...blocks.map((each) => JSON.parse(each)));
  const { own } = data;
  const sheet = { head: { game: data.game, realm: own.realm, turn: data.turn, key: own.key }, orders: [] };
  const add = (section, unit, word, value) => GmSheet.add(sheet, { section, unit, word, value });
  const said = () => sheet.orders.map((each) => GmSheetWords.describe(each, data));
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
  const names = { name: "Sir John Chandos", new_name: "Jack" };
  const renaming = add("headquarters", null, "rename_commander", names);
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
    steps = scripted.evaluate(PLANNED, [page_data(world, "ENG", KEY), words])
    assert steps[0] == [
        "Declare war on Fra",
        "A1: be led by Sir John Chandos",
        "A1: march to London",
        "A1: march to Kent",
        "A1: hold position for a phase",
        "London: recruit 2 Longbowmen",
    ]
    assert steps[1][2:5] == ["A1: march to Kent", "A1: march to London", "A1: hold position for a phase"]
    for text, described in (steps[2:4], steps[4:6]):
        sheet, diagnostics = read(world, "ENG", KEY, text.encode())
        assert sheet is not None
        assert diagnostics == []
        assert [sentence_row[2] for sentence_row in said(sheet, world)] == described
    assert "A1: be led by Jack" in steps[3]
    assert "A1: be led by Sir John Chandos" in steps[5]
    assert " ".join(words.split()) in " ".join(steps[2].split())
