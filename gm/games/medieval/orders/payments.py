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
    """Yield each payment: the realm that receives it, and the sum. One to the realm itself gets a warning."""
    expected = says("realms with sums of gold, such as {AQU: 12}")
    node = _whole_sums(node) if isinstance(node, Mapping) else node
    instead = partial(mapping_of_text, receiver_first=True)
    # the text of the order is the receiver and the sum
    read = pairs(RealmReader.realm_named, RealmReader.payment, expected, "{} {}".format, instead)
    for key, text, fields in read(reader, word, node):
        if fields[0] == reader.realm:
            message = says("gold sent to a garrison of your own stays in your treasury: only the fee is lost")
            reader.warn(key, "order/gold-to-yourself", message, clause=word.clause)
        yield key, text, fields


def _whole_sums(node: Mapping) -> Mapping:
    """Return a mapping with ``10,50`` of ``{AQU: 10,50}`` as one sum, to be refused as a whole.

    YAML reads it as two entries, ``AQU: 10`` and ``50``.
    """
    entries: dict[str, tuple[Scalar, Node]] = {}
    last_key: Scalar | None = None
    for key, value in node:
        last_value = entries[last_key.text][1] if last_key else None
        if last_key and isinstance(last_value, Scalar) and last_value.text.isdigit() and key.text.isdigit():
            whole_sum = structs.replace(last_value, text=f"{last_value.text},{key.text}")
            entries[last_key.text] = (last_key, whole_sum)
        else:
            entries[key.text] = (key, value)
            last_key = key
    return structs.replace(node, entries=entries)
