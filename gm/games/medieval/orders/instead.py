"""Hints for a value of an order file that does not fit its word, such as ``march`` (O8).

A hint shows the right line where it can be guessed.
"""

from gm.core.diagnostics import Message, says
from gm.core.yaml.source import Mapping, Node, Scalar, Sequence
from gm.games.medieval.orders.phrases import words_in
from gm.games.medieval.orders.reader import RealmReader
from gm.games.medieval.orders.troop_words import counted_troops
from gm.games.medieval.state import Unit

NO_HINT = ""


def ordered_unit(reader: RealmReader) -> Unit | None:
    """Return the unit whose orders are being read; None for headquarters or a unit that this file forms."""
    unit_id = reader.unit.now if reader.unit else ""
    return next((unit for unit in reader.world.of_realm(reader.realm) if unit.id == unit_id), None)


def troops_of_unit(reader: RealmReader) -> str:
    """Return a hint with the troops of the unit whose orders are being read; empty if it has none."""
    unit = ordered_unit(reader)
    counts = ", ".join(f"{name}: {count}" for name, count in unit.counts().items()) if unit else ""
    return says("it has {0}", f"{{{counts}}}") if counts else NO_HINT


def mapping_of_text(node: Node, *, receiver_first: bool) -> str:
    """Return the hint ``write '{AQU: 5}'`` for ``5 to AQU``; empty for any other value.

    Without ``receiver_first`` it is ``write '{London: AQU}'`` for ``London to AQU``.
    """
    words = words_in(node.text) if isinstance(node, Scalar) else []
    positions = [index for index, word in enumerate(words) if word.casefold() == "to"]
    if len(positions) != 1 or not 0 < positions[0] < len(words) - 1:
        return NO_HINT
    gift = " ".join(words[: positions[0]])
    receiver = " ".join(words[positions[0] + 1 :])
    if receiver_first:
        return _write(f"{{{receiver}: {gift.removesuffix(' gold')}}}")
    return _write(f"{{{gift}: {receiver}}}")


def recruiting(reader: RealmReader, node: Node) -> str:
    """Return the hint ``recruit: {Archers: 3}`` for ``3 Archers`` where a structure is expected.

    Empty for any other value.
    """
    counts = counted_troops(node)
    if not isinstance(counts, Mapping) or any(reader.troops.find(key.text) is None for key, _ in counts):
        return NO_HINT
    troops = ", ".join(f"{key.text}: {count.text}" for key, count in counts if isinstance(count, Scalar))
    return says("soldiers are recruited: write '{0}'", f"recruit: {{{troops}}}")


def with_receiver(node: Node) -> str:
    """Return the hint ``transfer: 3 Archers to A12`` for a text like ``3 Archers`` or ``all Archers``.

    Empty for any other value.
    """
    words = words_in(node.text) if isinstance(node, Scalar) else []
    if not words or not (words[0][0].isdigit() or words[0].casefold() == "all"):
        return NO_HINT
    return says("name the unit that receives them, such as '{0}'", f"transfer: {' '.join(words)} to A12")


def one_entry_each(node: Sequence, word: str) -> str:
    """Return the hint to write an entry for each place of a list: ``- march: Kent``, ``- march: Wales``.

    It shows the first four; it is empty if the list has anything but plain values. ``word``: the entry's.
    """
    if not all(isinstance(item, Scalar) for item in node.items):
        return NO_HINT
    entries = ", ".join(f"'- {word}: {item.text}'" for item in node.items[:4] if isinstance(item, Scalar))
    return says("each place is an entry of its own: {0}", entries)


def alone(node: Node, word: str) -> str:
    """Return the hint to write the word without this value; empty for a list or a mapping."""
    return (
        says("write '- {0}' alone: it is done where the unit is", word)
        if isinstance(node, Scalar)
        else NO_HINT
    )


def _write(text: str) -> Message:
    """Return the hint to write a text."""
    return says("write '{0}'", text)
