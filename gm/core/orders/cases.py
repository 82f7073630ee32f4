"""Orders for cases that may come (``then:``): an ordered list; a later case means "none of those before"."""

from collections.abc import Callable, Iterable, Iterator

from gm.core.diagnostics import Diagnostic, says
from gm.core.orders.header import PLAIN_WORDS, THEN, later_cases
from gm.core.orders.reading import OrderFileReader
from gm.core.yaml.source import Mapping, Node, Sequence, has_repeated

IF = "if"
_PASSED_OVER = (THEN, *PLAIN_WORDS)  # nested cases, and the words of a file's head: no part of a case's own
AFTER_UNCLEAR = "order/after-unclear-case"
Place = tuple[int, int]  # a line and a column


def judge_cases(
    reader: OrderFileReader, cases: Iterable[Node], check: Callable[[Mapping], None], clause: str
) -> None:
    """Check cases and the cases nested in them, after their shapes have been read.

    ``check`` reports the wrong names in a case. The first case after one that is not understood is reported,
    too: neither it nor those after it are carried out.
    """
    unclear: Node | None = None
    is_reported = False
    for case in cases:
        if isinstance(case, Mapping) and not is_unclear(case, reader.diagnostics):
            check(case)
        if unclear is not None and not is_reported:
            pattern = (
                "this case and those after it are not carried out: the case in line {0} was not understood"
            )
            reader.error(case, AFTER_UNCLEAR, says(pattern, unclear.line), clause=clause)
            is_reported = True
        if unclear is None and is_unclear(case, reader.diagnostics):
            unclear = case
        judge_cases(reader, later_cases(case), check, clause)


def is_unclear(case: Node, diagnostics: Iterable[Diagnostic]) -> bool:
    """Return whether a case has an error of its own; errors in the cases nested in it do not count."""
    if not isinstance(case, Mapping) or case.repeated:
        return True
    if any(has_repeated(value) for key, value in case if key.text not in _PASSED_OVER):
        return True
    places = set(_places(case))
    return any(
        diagnostic.is_error and (diagnostic.line, diagnostic.column) in places for diagnostic in diagnostics
    )


def _places(node: Node) -> Iterator[Place]:
    """Yield the places of a node and of all in it, without nested cases and the words of a file's head."""
    yield node.line, node.column
    if isinstance(node, Mapping):
        for key, value in node:
            if key.text not in _PASSED_OVER:
                yield key.line, key.column
                yield from _places(value)
    if isinstance(node, Sequence):
        for part in node:
            yield from _places(part)
