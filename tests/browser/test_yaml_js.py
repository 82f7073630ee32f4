"""The page's YAML reader against the program's: the same trees at the same places, and the same refusals (O7, O9)."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from gm.kernel.source import DEPTH_LIMIT, SIZE_LIMIT, Mapping, Node, Scalar, Sequence, SourceError, read_yaml
from tests.browser.scripting import BYTES, drawn, encoded, ordered, with_scripts
from tests.medieval.order_files import garbage

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples" / "medieval" / "minsk").glob("turn-*/*"))
GALLERY = sorted((ROOT / "tests" / "errors" / "medieval").glob("*.yaml"))

READ = f"""(files) => {{
  {BYTES}
  const tree = (node) => {{
    if (node.kind === "scalar") return ["scalar", node.line, node.column, node.text, node.quoted];
    if (node.kind === "list") return ["list", node.line, node.column, node.items.map(tree)];
    const entries = [...node.entries].map(([name, each]) => [name, tree(each.key), tree(each.value)]);
    return ["mapping", node.line, node.column, entries];
  }};
  return files.map((file) => {{
    try {{
      return ["read", tree(GmYaml.parse(bytes(file)))];
    }} catch (problem) {{
      if (!(problem instanceof GmYaml.Problem)) throw problem;
      return ["refused", problem.code, problem.message, problem.line, problem.column];
    }}
  }});
}}"""

PIECES = (
    *("a", "b", "ab", "é", "😀", "null", "yes", "12", " ", "  ", "\n", "\n ", "\n  ", "\r\n", "\r", "\n- ", "\n  - "),
    *(
        ": ",
        ":",
        "- ",
        "-",
        "? ",
        "[",
        "]",
        "{",
        "}",
        ", ",
        ",",
        "#",
        " # ",
        "'",
        '"',
        "''",
        '""',
        "\\",
        "\\n",
        "\\x41",
    ),
    *("|", "|-\n  ", "|+\n ", "|2\n", ">\n  ", ">-\n  ", "\t", "---", "...", "%", "@", "&a ", "*a", "!b ", "~", "="),
    *("\ufeff", "\u2028", "\x85", "\x00", "\\u00e9", "\\\n"),
)
"""Bits of YAML, good and bad, that are put together at random."""


def tree(node: Node) -> list[Any]:
    """A node as READ gives it."""
    if isinstance(node, Mapping):
        entries = [[name, tree(key), tree(value)] for name, (key, value) in node.entries.items()]
        return ["mapping", node.line, node.column, entries]
    if isinstance(node, Sequence):
        return ["list", node.line, node.column, [tree(item) for item in node]]
    assert isinstance(node, Scalar)
    return ["scalar", node.line, node.column, node.text, node.quoted]


def told(data: bytes) -> list[Any]:
    """What the program makes of a file, as READ gives it."""
    try:
        return ["read", tree(read_yaml(data, "file"))]
    except SourceError as error:
        found = error.diagnostic
        return ["refused", found.code, found.message, found.line, found.column]


def compare(page: Any, files: list[bytes], *, messages: bool) -> list[list[Any]]:
    """Both read all files alike; ``messages``: also what is wrong, and where, is told alike. Gives what both told."""
    both = zip(files, with_scripts(page, "yaml").evaluate(READ, [encoded(data) for data in files]), strict=True)
    answers = []
    for data, found in both:
        expected = told(data)
        if messages or "read" in (found[0], expected[0]):
            assert found == expected, f"{data!r}"
        answers.append(expected)
    return answers


def spoilt(chance: Random, text: str) -> bytes:
    """A file in which bits were put or put in place of others."""
    for _ in range(chance.randint(1, 3)):
        start = chance.randrange(len(text) + 1)
        end = min(len(text), start + chance.choice((0, 0, 1, 1, 2, 5, 20)))
        text = text[:start] + chance.choice(PIECES) + text[end:]
    return text.encode("utf-8", "surrogatepass")


@pytest.mark.clause("O7", "O9")
@pytest.mark.parametrize("files", [EXAMPLES, GALLERY], ids=["the example campaign", "the gallery of broken files"])
def test_files_on_disk_are_read_and_refused_alike(page: Any, files: list[Path]) -> None:
    answers = compare(page, [path.read_bytes() for path in files], messages=True)
    assert any(answer[0] == "read" for answer in answers)


@pytest.mark.clause("O7", "O9")
def test_generated_order_files_whole_and_broken_are_read_alike(page: Any) -> None:
    files = [data for each in ordered() for data in (each.whole, each.broken)]
    answers = compare(page, files, messages=False)
    assert sum(answer[0] == "read" for answer in answers) > len(ordered())
    assert any(answer[0] == "refused" for answer in answers)


@pytest.mark.clause("O7")
def test_anything_put_together_at_random_is_read_alike(page: Any) -> None:
    chance = Random(1)  # noqa: S311 - a test's choice, and the same each time
    bits = ["".join(chance.choice(PIECES) for _ in range(chance.randint(1, 14))).encode() for _ in range(4000)]
    texts = [path.read_bytes()[:3000].decode("utf-8", "replace") for path in (*EXAMPLES, *GALLERY)]
    altered = [spoilt(chance, chance.choice(texts)) for _ in range(1500)]
    answers = compare(page, [*bits, *altered, *drawn(garbage, 200)], messages=False)
    assert sum(answer[0] == "read" for answer in answers) > 500


@pytest.mark.clause("O9")
@pytest.mark.parametrize(
    "text",
    [
        "a: >\n  folded\n  text\n\n  more\nb: |+\n  kept\n\nc: |2-\n    two\n",
        "a: >-\n  one\n   deeper\n  back\n",
        "a: 'it''s'\nb: \"\\x41\\u00e9\\U0001F600\\n \\\n   joined\"\n",
        "a: [x,\n  y, {b: c,\n d}, [e]]\nf: {g: , h}\n",
        "---\r\na: 1\r\nb:\r\n- c\r\n- d\r\n...\r\n",
        "\ufeffa: yes\nNO: On\n? b\n: 012\n",
        "a: x#y # comment\nb: c:d\ne: -f\n",
        "a:\n- b\n-\n- - c\n  - d: e\n    f:\n",
    ],
)
def test_the_forms_that_yaml_has_are_read_alike(page: Any, text: str) -> None:
    (answer,) = compare(page, [text.encode()], messages=True)
    assert answer[0] == "read"


@pytest.mark.clause("O7")
@pytest.mark.parametrize(
    "data",
    [
        b"a: \xff",
        "a: é".encode() + b"\xc3",
        b"a: \xe2\x28\xa1",
        "# é\n".encode() * 1000 + b"a: \xed\xa0\x80",
        b"\xff\xfea\x00",
        b"%PDF-1.7",
        b"a: 1\n" + b"# nothing\n" * (SIZE_LIMIT // 10 + 1),
        b"a: " + b"[" * (DEPTH_LIMIT + 1),
        b"a: " + b"{b: " * 10_000,
        b"a: &x 1",
        b"a: *x",
        b"a: !!python/name:os.system 1",
        b"a: 1\na: 2",
        b"a: 1\n---\nb: 2",
        b"%YAML 1.2\n---\na: 1",
        b'a: "\\0"',
        b"\ta: 1",
        b"a: 1\n\tb: 2",
        b"a:1\nb: 2",
        b"? [a]\n: 1",
        b"<html>",
        b"> a: 1",
        b"",
    ],
)
def test_what_no_order_file_needs_is_refused_at_the_same_place(page: Any, data: bytes) -> None:
    (answer,) = compare(page, [data], messages=True)
    assert answer[0] == "refused"
