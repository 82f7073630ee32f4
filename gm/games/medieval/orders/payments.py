"""The form of sums of gold that a realm sends (L2)."""

from collections.abc import Iterator
from functools import partial

from msgspec import structs

from gm.core.diagnostics import says
from gm.core.yaml.source import Mapping, Node, Scalar
from gm.games.medieval.orders.instead import mapping_of_text
from gm.games.medieval.orders.reader import RealmReader
from gm.games.medieval.orders.values import Found, Word, pairs


def payments(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
    """Yield each sum with the realm that receives it; a payment to the own realm gets a warning."""
    expected = says("realms with sums of gold, such as {AQU: 12}")
    node = _whole_sums(node) if isinstance(node, Mapping) else node
    instead = partial(mapping_of_text, receiver_first=True)
    read = pairs(RealmReader.realm_named, RealmReader.payment, expected, "{} {}".format, instead)
    for key, text, fields in read(reader, word, node):
        if fields[0] == reader.realm:
            message = says("gold sent to a garrison of your own stays in your treasury: only the fee is lost")
            reader.warn(key, "order/gold-to-yourself", message, clause=word.clause)
        yield key, text, fields


def _whole_sums(node: Mapping) -> Mapping:
    """Return ``{AQU: 10,50}`` as one sum, to be refused as a whole; YAML reads it as two entries."""
    sums: dict[str, tuple[Scalar, Node]] = {}
    before: Scalar | None = None
    for key, value in node:
        last = sums[before.text][1] if before else None
        if before and isinstance(last, Scalar) and last.text.isdigit() and key.text.isdigit():
            sums[before.text] = (before, structs.replace(last, text=f"{last.text},{key.text}"))
        else:
            sums[key.text] = (key, value)
            before = key
    return structs.replace(node, entries=sums)
