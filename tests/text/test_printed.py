"""What a command prints becomes blocks of a page: tables where lines stand in columns, text elsewhere."""

from hypothesis import given
from hypothesis import strategies as st

from gm.text.printed import Block, Printed, blocks_of, joined, table_of
from tests.examples import examples

SUMMARY = """\
The Lands around Minsk, turn 1: spring 1320

Realm                   Orders      done reduced       gold
LIT Lithuania           in time       21       1      96.57
TEU Teutonic Order      in time       22       0     -61.84

2 battles:
  - Battle of Gotland (phase 2): nobody won.
"""
TABLE = Block(
    head=("Realm", "Orders", "done", "reduced", "gold"),
    rows=(
        ("LIT Lithuania", "in time", "21", "1", "96.57"),
        ("TEU Teutonic Order", "in time", "22", "0", "-61.84"),
    ),
)


def test_a_table_in_a_text_has_its_heads_and_its_cells() -> None:
    before, table, behind = blocks_of(SUMMARY)
    assert before.text == "The Lands around Minsk, turn 1: spring 1320\n\n"
    assert table == TABLE
    assert behind.text.startswith("\n2 battles:\n  - Battle of Gotland")


def test_lines_in_columns_without_figures_have_no_heads() -> None:
    (table,) = blocks_of("accepted    POL  a b.txt\nrejected    LIT  Orders from Anna.yaml\n")
    assert table.head == ()
    assert table.rows == (("accepted", "POL", "a b.txt"), ("rejected", "LIT", "Orders from Anna.yaml"))


def test_a_row_with_a_figure_is_no_head_whatever_stands_below_it() -> None:
    (table,) = blocks_of("35  A2 leader: Jan of X    free\n36  A2 recruit: 2 men      2.50\n")
    assert table.head == ()
    assert table.rows == (("35", "A2 leader: Jan of X", "free"), ("36", "A2 recruit: 2 men", "2.50"))


def test_a_column_that_only_some_lines_have_is_one() -> None:
    (table,) = blocks_of("  turn 1    Sunday 20:00   in 14 days\n  turn 2    Monday 20:00\n")
    assert table.rows == (("turn 1", "Sunday 20:00", "in 14 days"), ("turn 2", "Monday 20:00", ""))


def test_what_is_no_table_stays_as_it_is() -> None:
    for text in (
        "one  two  three\n",
        "a  b\nc  d\n",
        "  12 | units:  A1  A2\n     | ^^^  ^^  ^^\n",
        "plain\n\nlines\n",
    ):
        assert blocks_of(text) == [Block(text)]
    assert table_of(["one  two  three"]) is None


@examples(100)
@given(st.lists(st.integers(1, len(SUMMARY)), max_size=6).map(sorted))
def test_pieces_give_the_same_blocks_as_the_whole(cuts: list[int]) -> None:
    printed = Printed()
    bounds = zip([0, *cuts], [*cuts, len(SUMMARY)], strict=True)
    blocks = [block for start, end in bounds for block in printed.blocks(SUMMARY[start:end])]
    assert joined([*blocks, *printed.rest()]) == blocks_of(SUMMARY)


@examples(200)
@given(st.lists(st.text("ab 1\n|", max_size=30), max_size=8).map("\n".join))
def test_no_word_of_any_text_is_lost(text: str) -> None:
    shown: list[str] = []
    for block in blocks_of(text):
        shown += block.text.split()
        for row in (block.head, *block.rows):
            shown += " ".join(row).split()
    assert shown == text.split()
