"""The gallery of broken order files: each says what is wrong, where, and what was meant (O7)."""

import json
import re
from collections.abc import Callable
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.core.diagnostics import render_all
from gm.core.orders.cases import AFTER_UNCLEAR
from gm.core.orders.reading import FINDING_LIMIT, ORDER_LIMIT
from gm.core.yaml.source import DEPTH_LIMIT, SIZE_LIMIT, TWICE_LIMIT
from gm.games.medieval.data.clauses_data import clauses
from tests.examples import examples
from tests.medieval.order_reading import HEADER, read

ROOT = Path(__file__).parents[2]
GALLERY = ROOT / "tests" / "errors" / "medieval"
FILES = sorted(GALLERY.glob("*.yaml"))

# files too large to keep: only what is said of them is kept
LARGE: dict[str, Callable[[], bytes]] = {
    "90-ten-thousand-orders": lambda: (
        HEADER + "units:\n  A1:\n    plan:\n" + "      - hold\n" * 10_000
    ).encode(),
    "91-ten-thousand-errors": lambda: (
        HEADER + "units:\n  A1:\n    plan:\n" + "      - march: Nowhere at all\n" * 10_000
    ).encode(),
    "92-oversize": lambda: HEADER.encode() + b"# nothing\n" * (SIZE_LIMIT // 10),
    "93-alias-bomb-of-nine-levels": lambda: "".join(
        f"{name}: &{name} [{', '.join([f'*{before}'] * 9) if before else 'lol'}]\n"
        for before, name in zip(["", *"abcdefgh"], "abcdefghi", strict=True)
    ).encode(),
    "94-nested-ten-thousand-deep": lambda: HEADER.encode() + b"units: " + b"{a: " * 10_000,
    "96-a-thousand-and-one-repetitions": lambda: (HEADER + "turn: 5\n" * (TWICE_LIMIT + 1)).encode(),
    "95-many-findings": lambda: (
        HEADER + "headquarters:\n  declare_war: [FRA]\n  annex: [" + "Lodnon, " * 60 + "]\n"
    ).encode(),
}


def _told(data: bytes, name: str) -> str:
    sheet, findings = read(data, f"{name}.yaml")
    verdict = "taken" if sheet is not None else "set aside"
    count = len(list(sheet.all_orders())) if sheet is not None else 0
    return f"{render_all(findings)}\n-- {verdict}, {count} orders\n"


@pytest.mark.clause("O7", "O8", "O9")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_broken_file_gets_its_message(path: Path, golden: Callable[[Path, str], None]) -> None:
    golden(path.with_suffix(".txt"), _told(path.read_bytes(), path.stem))


@pytest.mark.clause("O7")
@pytest.mark.parametrize("name", LARGE)
def test_a_huge_file_gets_its_message(name: str, golden: Callable[[Path, str], None]) -> None:
    golden(GALLERY / f"{name}.txt", _told(LARGE[name](), name))


def test_the_gallery_is_large_and_has_no_orphans() -> None:
    assert len(FILES) + len(LARGE) >= 36
    assert {path.stem for path in GALLERY.glob("*.txt")} == {path.stem for path in FILES} | set(LARGE)


def test_every_error_code_of_order_files_is_in_the_gallery() -> None:
    sources = [*(ROOT / "gm/core").rglob("*.py"), *(ROOT / "gm/games/medieval/orders").glob("*.py")]
    code = re.compile(r'"((?:source|sheet|order)/[a-z0-9-]+)"')
    codes = set(chain.from_iterable(code.findall(path.read_text(encoding="utf-8")) for path in sources))
    codes.remove(AFTER_UNCLEAR)  # Medieval has no cases: the gallery of Conquest on fields shows it
    words = json.loads((ROOT / "gm/core/yaml/complaints.json").read_bytes())
    codes |= {
        f"source/{slip}"
        for slip in (*(row[3] for row in words["complaints"]), *(row[0] for row in words["slips"]))
    }
    gallery_codes = set(
        chain.from_iterable(
            re.findall(r"\[((?:source|sheet|order)/[a-z0-9-]+)\]", path.read_text(encoding="utf-8"))
            for path in GALLERY.glob("*.txt")
        )
    )
    assert codes - gallery_codes == set()


def test_every_rule_that_a_message_names_is_a_clause() -> None:
    named = {
        rule
        for path in GALLERY.glob("*.txt")
        for line in re.findall(r"rule (\S+(?:, \S+)*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
        for rule in line.split(", ")
    }
    assert named
    assert named <= set(clauses())


def test_limits_are_what_the_gallery_shows() -> None:
    assert (ORDER_LIMIT, FINDING_LIMIT, DEPTH_LIMIT, SIZE_LIMIT) == (2_000, 1_000, 32, 1_048_576)


def _check(data: bytes) -> None:
    sheet, findings = read(data)
    text = render_all(findings, colour=True)
    assert sheet is not None or any(finding.is_error for finding in findings), text
    for finding in findings:
        assert finding.message
        assert "\x07" not in finding.render()


_WORDS = st.sampled_from(
    """
    headquarters: units: plan: - [ ] { } , : ' " # & * ! | > @ ` % A1 London form: recruit: Longbowmen 3 -3
    yes no null march: Kent transfer: to: troops: commanders: hold pillage load: unload: ranks:
    declare_war: FRA AQU/A3 ~ 1e9 ---
    """.split()  # noqa: SIM905 - as readable as a list of words can be
)
_SPACES = st.sampled_from(["\n", "\n  ", "\n    ", "\n      ", " ", "\n\t"])
_MIXTURES = st.lists(st.tuples(_SPACES, _WORDS), max_size=40).map(lambda parts: "".join(map("".join, parts)))


@pytest.mark.clause("O7")
@given(
    st.binary(max_size=400)
    | (st.text(max_size=300) | _MIXTURES).map(lambda text: (HEADER + text).encode("utf-8", "surrogatepass"))
)
@examples(1100)
def test_no_bytes_text_or_mixture_of_words_stops_the_reader(data: bytes) -> None:
    _check(data)


FULL = (
    HEADER
    + """\
headquarters:
  declare_war: [FRA]
  grant_permission: {Kent: [AQU]}
  send_gold: {AQU: 12, NOR: 3.50}
  give_province: {Kent: AQU}
  proclamation: >
    Peace and good wine.
units:
  London:
    form: {A12: The Royal Lions, F3: null}
    recruit: {Longbowmen: 3}
    plan:
      - transfer: {to: A12, troops: {Longbowmen: 4}, commanders: [Sir John Chandos]}
  A1:
    ranks: {Longbowmen: {4: 4}}
    plan: [hold, march: Flanders, pillage]
  F1:
    plan:
      - load: [A12]
      - unload: {A12: Kent}
"""
).encode()


@pytest.mark.clause("O7")
@given(st.data())
@examples(500)
def test_no_mutilation_of_a_good_file_stops_the_reader(data: st.DataObject) -> None:
    mutilated = bytearray(FULL)
    for _ in range(data.draw(st.integers(1, 6))):
        start = data.draw(st.integers(0, len(mutilated)))
        end = min(len(mutilated), start + data.draw(st.integers(0, 12)))
        mutilated[start:end] = data.draw(
            st.binary(max_size=6) | st.sampled_from([b"\n", b": ", b"- ", b"'", b"[", b"}"])
        )
    _check(bytes(mutilated))


def test_the_file_that_is_mutilated_is_good() -> None:
    sheet, findings = read(FULL)
    assert sheet is not None
    assert findings == []
    assert len(list(sheet.all_orders())) == 16
