"""Results files in the common layout of all games: block YAML outside, one JSON value for each line inside.

A line is ``key:`` (a block two spaces deeper follows), ``key: <json>``, ``- <json>``, or a comment. It is
read far faster than general YAML; a file that a person has rearranged is still YAML, and read as such.
"""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from gm.core.codec import line_encoder
from gm.core.diagnostics import Diagnostic, SourceError, message_of, says
from gm.core.values import Event
from gm.core.yaml.source import plain_data, read_yaml

T = TypeVar("T")

FORMAT = 1  # the version of small games' results; a reader refuses any other
_HEAD = ("game", "realm", "turn", "key", "map")
_SIZE_LIMIT = 64 * 1024 * 1024

_ODD = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")  # what YAML cannot print
# JSON can escape these so that YAML reads them; a replacement sign stands for the others, which are no text
_ESCAPES = {char: f"\\u{ord(char):04x}" for char in "\x85\u2028\u2029\ufeff"}
_PLAIN = re.compile(r"[^\W\d_](?:[\w .()/+]|[-'](?=\w))*\Z")  # a text that YAML reads without quotes
_NOT_TEXT = frozenset(("null", "true", "false", "yes", "no", "on", "off", "y", "n", "none"))
_LINE = re.compile(
    r' *(?:"(?P<quoted_key>(?:[^"\\]|\\.)*)"|(?P<plain_key>[A-Za-z_][A-Za-z0-9_]*)):(?: (?P<value>.+))?'
)
_encode = line_encoder(allow_nan=True)
_decode = json.JSONDecoder().decode


def flow(value: Any) -> str:
    """Return ``value`` (JSON data) on one line that is JSON and YAML alike."""
    return flow_line(_encode(value))


def flow_line(line: str) -> str:
    """Return a line of JSON as one that is YAML as well: characters that YAML cannot print are replaced."""
    # most lines are ASCII, and the only ASCII character that JSON can print and YAML cannot is U+007F
    if line.isascii() and "\x7f" not in line:
        return line
    return _ODD.sub(lambda odd: _ESCAPES.get(odd[0], "\ufffd"), line)


def yaml_text(text: str) -> str:
    """Return ``text`` as one YAML value on one line, quoted where YAML would read something else."""
    if _PLAIN.match(text) and text.casefold() not in _NOT_TEXT and not text.endswith(" "):
        return text
    return json.dumps(text, ensure_ascii=False)


def entry(key: str, value: Any) -> str:
    """Return the line ``key: <json>``."""
    return f"{key}: {flow(value)}"


def block(items: Mapping[str, Any], indent: int) -> list[str]:
    """Return a line ``"key": <json>`` for each item, indented by ``indent`` spaces."""
    return [f"{' ' * indent}{flow(key)}: {flow(item)}" for key, item in items.items()]


def items(values: Iterable[Any], indent: int) -> list[str]:
    """Return a line ``- <json>`` for each value, indented by ``indent`` spaces."""
    return [f"{' ' * indent}- {flow(value)}" for value in values]


def section(key: str, lines: list[str], indent: int, empty: str) -> list[str]:
    """Return ``key:`` and its lines; if there are none, ``key:`` and ``empty`` (``{}`` or ``[]``).

    ``indent``: the spaces before the key; the lines have theirs.
    """
    return [f"{' ' * indent}{key}:{'' if lines else f' {empty}'}", *lines]


def read_layout(text: str) -> dict[str, Any] | None:
    """Return the data of a text in this layout.

    None when a line does not fit the layout, so that a YAML reader is needed.
    """
    layout = _Layout()
    try:
        for line in text.split("\n"):
            layout.read(line)
    except (ValueError, AttributeError, TypeError, RecursionError):
        return None
    return None if layout.opened else layout.root


class _Layout:
    """A text while it is read. Its methods raise ``ValueError`` for a line that does not fit."""

    def __init__(self) -> None:
        self.root: dict[str, Any] = {}  # the data so far
        self.stack: list[tuple[int, Any]] = [(-1, self.root)]  # (indent, dict or list) of the open blocks
        # (indent of the heading, dict to which the block belongs, its key), if the last line was a heading
        self.opened: tuple[int, dict[str, Any], str] | None = None

    def read(self, line: str) -> None:
        """Add the data of one line. Raises ``ValueError`` for one that does not fit the layout."""
        content = line.lstrip(" ")
        if not content or content.startswith("#"):
            return
        depth = len(line) - len(content)
        is_item = content.startswith("- ")
        if self.opened is not None:
            self._open(depth, [] if is_item else {})
        while self.stack[-1][0] > depth:
            self.stack.pop()
        if depth and self.stack[-1][0] != depth:
            raise ValueError(line)
        if is_item:
            self.stack[-1][1].append(_decode(content[2:]))
        else:
            self._enter(line, depth)

    def _open(self, depth: int, block: Any) -> None:
        """Begin the block whose heading was the line before; its lines are indented by ``depth``.

        ``block``: an empty list or dict for its data. Raises ``ValueError`` if they are
        indented no deeper than it.
        """
        assert self.opened is not None  # noqa: S101 - the caller asked
        opener_depth, where, key = self.opened
        if depth <= opener_depth:
            raise ValueError(key)
        where[key] = block
        self.stack.append((depth, block))
        self.opened = None

    def _enter(self, line: str, depth: int) -> None:
        """Add a line ``name: value`` to the open block, or record that a line ``name:`` begins a block.

        ``depth``: the line's indent.
        """
        match = _LINE.fullmatch(line)
        if match is None:
            raise ValueError(line)
        quoted_key = match["quoted_key"]
        key = match["plain_key"] if quoted_key is None else _decode(f'"{quoted_key}"')
        where = self.root if depth == 0 else self.stack[-1][1]
        if key in where:
            raise ValueError(line)
        if match["value"] is None:
            self.opened = (depth, where, key)
        else:
            where[key] = _decode(match["value"])


class BrokenResultsError(SourceError, ValueError):
    """A results file that is no YAML, with the place of the error.

    A caller that only asks whether a file is one gets a ``ValueError``.
    """


def finding_record(finding: Diagnostic) -> dict[str, Any]:
    """Return a finding about an order file as data of results files."""
    names = ("severity", "code", "line", "column", "message", "suggestion", "clause")
    return {"says" if name == "message" else name: getattr(finding, name) for name in names}


def by_step(lines: Iterable[tuple[Event, T]]) -> dict[str, list[T]]:
    """Return the lines of events by the heading of their step in results files, all in the turn's order."""
    lines_of_step: dict[tuple[int, str], list[T]] = {}  # by phase and step
    for event, line in lines:
        lines_of_step.setdefault((event.phase, event.step), []).append(line)
    return {step_heading(*step): step_lines for step, step_lines in lines_of_step.items()}


def step_heading(phase: int, step: str) -> str:
    """Return the line of a step's heading in results files: the phase, if it has one, and the step's name."""
    name = step or "before the turn"  # what the game master decided
    return f"  {flow(f'phase {phase}, {name}' if phase else name)}:"


def read_data(data: bytes, file: str) -> dict[str, Any]:
    """Return the data of a file in the results layout or any other YAML; ``file``: its name in messages.

    Raises ``BrokenResultsError`` if it is no YAML, ``ValueError`` if it is no mapping.
    """
    try:
        results: Any = read_layout(data.decode()) if len(data) <= _SIZE_LIMIT else None
    except UnicodeDecodeError:
        results = None
    if results is None:  # it is in no results layout, or too large, which ``read_yaml`` reports
        try:
            results = plain_data(read_yaml(data, file, size_limit=_SIZE_LIMIT))
        except SourceError as error:
            raise BrokenResultsError(*error.diagnostics) from None
    if not isinstance(results, dict):
        raise ValueError(says("{0} is not a results file", file))
    return results


def read_results(
    data: bytes, file: str, game: str
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any] | None]:
    """Return (head, position, board) of a results file of the small game ``game``.

    The head has the entries ``_HEAD``. The board is None if the map comes with the program. Raises
    ``ValueError`` for any other file; ``file``: its name in messages.
    """
    try:
        results = read_data(data, file)
    except SourceError as error:
        raise ValueError(message_of(error)) from None
    if results.get("rules") != game or not isinstance(results.get("position"), dict):
        raise ValueError(says("{0} is not a results file of this game", file))
    if results.get("results") != FORMAT:
        pattern = "{0} has results format {1}; this program reads format {2}"
        raise ValueError(says(pattern, file, results.get("results"), FORMAT))
    board = results.get("board")
    return (
        {name: results.get(name) for name in _HEAD},
        results["position"],
        board if isinstance(board, dict) else None,
    )
