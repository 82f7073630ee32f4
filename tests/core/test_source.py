"""YAML with places: what is read, what is refused, and that both parsers agree.

Data files as typed values.
"""

import re
from collections.abc import Mapping as Table
from contextlib import suppress
from decimal import Decimal
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.core.values import Value
from gm.core.yaml import source, yaml_errors
from gm.core.yaml.models import load_data, load_value
from gm.core.yaml.source import Mapping, Node, Scalar, Sequence, SourceError, plain_data, read_yaml
from tests.core.cases import cases
from tests.cost import cost
from tests.examples import examples


@pytest.fixture(params=["C parser", "pure parser"])
def _parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the test with each of the two parsers."""
    pure = request.param == "pure parser"
    if not pure and yaml_errors.CParser is None:
        pytest.fail("the C parser is not installed: the development environment has it")
    monkeypatch.setattr(source, "parser_events", partial(yaml_errors.parser_events, pure=pure))


both_parsers = pytest.mark.usefixtures("_parser")


def read(text: str | bytes) -> Node:
    return read_yaml(text if isinstance(text, bytes) else text.encode(), "x.yaml")


def refused(text: str | bytes) -> str:
    """``code line:column`` of what is wrong."""
    with pytest.raises(SourceError) as caught:
        read(text)
    diagnostic = caught.value.diagnostics[0]
    return f"{diagnostic.code.removeprefix('source/')} {diagnostic.line}:{diagnostic.column}"


@both_parsers
def test_nodes_know_their_place() -> None:
    root = read("# first\na: one\nb:\n  - 'two'\n  - {c: three}\n")
    assert isinstance(root, Mapping)
    assert [(key.text, key.line, key.column) for key, _ in root] == [("a", 2, 1), ("b", 3, 1)]
    listed = root.get("b")
    assert isinstance(listed, Sequence)
    assert [(item.line, item.column, item.width) for item in listed] == [(4, 5, 5), (5, 5, 10)]
    two = listed.items[0]
    assert isinstance(two, Scalar)
    assert (two.text, two.quoted) == ("two", True)


@both_parsers
@pytest.mark.clause("O9")
@cases("plain data")
def test_plain_data_follows_yaml_1_2(text: str, expected: dict[str, object]) -> None:
    assert plain_data(read(text)) == expected
    assert plain_data(read("{f: 3.50, i: 1e3, n: 1." + "9" * 40 + "}")) == {
        "f": Decimal("3.50"),
        "i": Decimal(1000),
        "n": "1." + "9" * 40,
    }


@both_parsers
@pytest.mark.clause("O7")
@cases("refused files")
def test_what_is_refused_is_located(text: str, expected: str) -> None:
    assert refused(text) == expected


@both_parsers
@pytest.mark.clause("O7")
@cases("refused bytes")
def test_bytes_that_are_no_text_are_refused(latin: str, expected: str) -> None:
    assert refused(latin.encode("latin-1")) == expected


def test_the_size_limit_counts_bytes() -> None:
    assert plain_data(read_yaml(b"a: 12", "x", size_limit=5)) == {"a": 12}
    with pytest.raises(SourceError, match="6 bytes; at most 5"):
        read_yaml(b"a: 123", "x", size_limit=5)


def test_an_alias_bomb_is_refused_at_its_first_anchor() -> None:
    bomb = "".join(f"k{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9) if n else 'x'}]\n" for n in range(12))
    assert refused(bomb) == "alias 1:5"


def test_deep_nesting_is_refused_at_once() -> None:
    lists = "[" * 900_000
    mappings = "{a: " * 200_000
    assert refused(lists) == "too-deep 1:33"
    assert refused(mappings).startswith("too-deep")
    assert cost(lambda: refused(lists), 1) < 1
    assert cost(lambda: refused(mappings), 1) < 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "\n" * 1_000_000,
        "# c\n" * 250_000,
        "a\n" * 500_000,
        "a" * 1_000_000,
        "- a\n" * 250_000,
        "[a,b]: " * 140_000,
        "'" * 1_000_000,
        '"' + "\\n" * 500_000,
        "a: |\n" + " \n" * 500_000,
        "? " * 500_000,
        "a:\n" * 300_000,
        ":" * 900_000,
    ],
    ids=lambda text: repr(text[:6]),
)
def test_no_monotonous_megabyte_takes_long(text: str) -> None:

    def tried() -> None:
        with suppress(SourceError):
            read(text)

    assert cost(tried, 8) < 8


@given(st.text(max_size=200) | st.binary(max_size=200))
@examples(300)
def test_whatever_is_read_is_a_node_or_a_located_refusal(data: str | bytes) -> None:
    try:
        node = read_yaml(data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass"), "x")
    except SourceError as error:
        diagnostic = error.diagnostics[0]
        assert diagnostic.message
        assert diagnostic.line >= 0
    else:
        plain_data(node)


@given(st.text(alphabet="ab:- \n[]{},'\"#&*!|>@%\t\\é", max_size=60))
@examples(300)
def test_what_both_parsers_take_they_take_for_the_same(text: str) -> None:
    def events(pure: bool) -> list[tuple[str, str]] | None:
        try:
            parsed = list(
                yaml_errors.parser_events(text, lambda error, closed: ValueError("refused"), pure=pure)
            )
        except ValueError:
            return None
        if any(getattr(event, "anchor", None) is not None for _, event in parsed):
            return [
                ("named", "")
            ]  # anchors and aliases are refused (O7), wherever a name may end: after "&a:" or before
        return [(kind, getattr(event, "value", "")) for kind, event in parsed]

    fast = events(False)
    slow = events(True)
    # each refuses a few odd texts that the other takes; what both take they take for the same, except that a
    # comment where a block of text may begin is read as its text by the pure one
    assert fast == slow or fast is None or slow is None or re.search(r"[|>].*\n#", text)


def test_a_player_s_file_is_read_in_a_millisecond() -> None:
    text = b"units:\n" + b"".join(b"  A%d:\n    plan: [hold, march: Kent]\n" % n for n in range(1, 60))
    limit = 0.02  # twenty times what it takes
    assert cost(lambda: read(text), limit) < limit


class Troop(Value):
    attacks: int
    hit_points: Decimal
    regions: tuple[str, ...] = ()


class Troops(Value):
    version: str
    troops: Table[str, Troop]
    chances: Table[int, int] = {}


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "table.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def wrong(tmp_path: Path, text: str) -> list[str]:
    """``line:column code message`` of each finding."""
    with pytest.raises(SourceError) as caught:
        load_value(write(tmp_path, text), Troops)
    return [
        f"{d.line}:{d.column} {d.code} {d.message} {d.suggestion}".rstrip() for d in caught.value.diagnostics
    ]


def test_a_table_becomes_a_value_with_exact_decimals(tmp_path: Path) -> None:
    path = write(
        tmp_path, "version: '1'\ntroops:\n  Archers: {attacks: 1, hit_points: 1.10}\nchances: {1: 50}\n"
    )
    table = load_value(path, Troops)
    assert table.troops["Archers"].hit_points == Decimal("1.10")
    assert table.chances[1] == 50


@cases("wrong tables")
def test_each_fault_is_shown_where_it_stands(tmp_path: Path, text: str, expected: list[str]) -> None:
    assert wrong(tmp_path, text) == expected


def test_the_file_is_named(tmp_path: Path) -> None:
    path = write(tmp_path, "version: 1\nversion: 2\n")
    with pytest.raises(SourceError, match=r"table\.yaml:2:1: error\[source/duplicate-key\]"):
        load_data(path)


def test_plain_data_comes_with_its_nodes(tmp_path: Path) -> None:
    data, node = load_data(write(tmp_path, "a: [1, 2]\n"))
    assert data == {"a": [1, 2]}
    assert (node.line, node.column) == (1, 1)
