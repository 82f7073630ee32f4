"""Results files as every game writes them: named entries in our own layout, or in any YAML."""

from collections.abc import Iterable
from typing import Any, TypeVar

from gm.core.diagnostics import Diagnostic, SourceError
from gm.core.events import Event
from gm.core.yaml.source import plain_data, read_yaml
from gm.text.layout import flow, read_layout

T = TypeVar("T")

FORMAT = 1  # The version of small games' results. A reader refuses a higher one.
_HEAD = ("game", "realm", "turn", "key", "map")
_SIZE_LIMIT = 64 * 1024 * 1024


class BrokenResultsError(SourceError, ValueError):
    """A results file that is no YAML: it says where, and counts for whoever only asks whether it is one."""


def finding_record(found: Diagnostic) -> dict[str, Any]:
    """A finding in an order file as results files tell it."""
    names = ("severity", "code", "line", "column", "message", "suggestion", "clause")
    return {"says" if name == "message" else name: getattr(found, name) for name in names}


def by_step(lines: Iterable[tuple[Event, T]]) -> dict[str, list[T]]:
    """What is told of events, in the order of the turn, under the line that stands above each step in results files."""
    found: dict[tuple[int, str], list[T]] = {}
    for event, each in lines:
        found.setdefault((event.phase, event.step), []).append(each)
    return {step_heading(*at): of_step for at, of_step in found.items()}


def step_heading(phase: int, step: str) -> str:
    """The line above what happened in a step in results files: the phase, if it has one, and the step's name."""
    name = step or "before the turn"  # what the game master decided
    return f"  {flow(f'phase {phase}, {name}' if phase else name)}:"


def read_data(data: bytes, file: str) -> dict[str, Any]:
    """The data of a file in the results layout or any YAML. Raises ``ValueError`` (``BrokenResultsError``: where)."""
    try:
        found: Any = read_layout(data.decode()) if len(data) <= _SIZE_LIMIT else None
    except UnicodeDecodeError:
        found = None
    if found is None:
        try:
            found = plain_data(read_yaml(data, file, size_limit=_SIZE_LIMIT))
        except SourceError as error:
            raise BrokenResultsError(*error.diagnostics) from None
    if not isinstance(found, dict):
        raise ValueError(f"{file} is no results file")
    return found


def read_results(data: bytes, file: str, game: str) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any] | None]:
    """(head, position, board if the map has no files) of a small game's results file. Raises ``ValueError``."""
    try:
        found = read_data(data, file)
    except SourceError as error:
        raise ValueError(str(error)) from None
    if found.get("rules") != game or not isinstance(found.get("position"), dict):
        raise ValueError(f"{file} is no results file of this game")
    if found.get("results") != FORMAT:
        raise ValueError(f"{file} has results format {found.get('results')}; this program reads format {FORMAT}")
    board = found.get("board")
    return {name: found.get(name) for name in _HEAD}, found["position"], board if isinstance(board, dict) else None
