"""The spellings of troops: singular and plural of a type, and counts with types as a text (O8)."""

import re
from collections.abc import Iterable

from msgspec import structs

from gm.core.yaml.source import Mapping, Node, Scalar, Sequence

_COUNT_FIRST = re.compile(r"(?P<count>[0-9]{1,9})\s*(?:x\s+)?(?P<name>[^0-9\s][^0-9]*)\Z", re.ASCII)
_LONGEST = 400  # a longer text is not read as troops


def other_numbers(names: Iterable[str]) -> dict[str, str]:
    """Return each name by its other number, singular or plural: ``Archers`` by ``Archer``.

    What is one of the names itself is left out.
    """
    names = list(names)
    name_of = {_other_number(name): name for name in names}
    return {other: name for other, name in name_of.items() if other not in names}


def _other_number(name: str) -> str:
    """Return the singular of a plural name, or the plural of a singular."""
    if name.startswith("Men-"):
        return f"Man-{name[4:]}"
    if name.endswith("men"):
        return f"{name[:-3]}man"
    if name.endswith("man"):
        return f"{name[:-3]}men"
    if name.endswith("ies"):
        return f"{name[:-3]}y"
    if name.endswith("s"):
        return name[:-1]
    return f"{name}s"


def counted_troops(node: Node) -> Node:
    """Return ``3 Archers, 2 Militia``, or a list of such texts, as the mapping that it means.

    Anything else is returned unchanged, also if a type appears twice.
    """
    parts = node.items if isinstance(node, Sequence) else [node]
    entries: dict[str, tuple[Scalar, Node]] = {}
    for part in parts:
        # an empty text has no count, so that the node is returned unchanged
        texts = part.text.split(",") if isinstance(part, Scalar) and len(part.text) <= _LONGEST else [""]
        for text in texts:
            match = _COUNT_FIRST.match(text.strip())
            if match is None or match["name"].strip() in entries or not isinstance(part, Scalar):
                return node
            name = match["name"].strip()
            # a name is text whatever it looks like, and a count a number, also if the whole text was quoted
            key = structs.replace(part, text=name, quoted=True)
            count = structs.replace(part, text=match["count"], quoted=False)
            entries[name] = (key, count)
    if not entries:
        return node
    return Mapping(node.source, node.start, node.end, entries)
