"""Reasons for advised orders: who holds a place, and how strong they are."""

from collections.abc import Iterator, Sequence
from typing import Any

from gm.game.answers import Advice, TriedOrder
from gm.game.base.hooks import formatter_of
from gm.game.base.writer import drawn, order_phrases
from gm.game.values import GameData
from gm.games.conquest_structures.choices import BUILD, HOLD, MOVE
from gm.games.conquest_structures.orders import Build, Hold, Line, Move, Selector
from gm.games.conquest_structures.state import Conquest, Unit, strength
from gm.text.languages import Translate
from gm.text.words import EventFormatter


def advice(
    spec: Any,
    table: GameData,
    state: Conquest,
    party: str,
    sheet: Any,
    orders: Sequence[TriedOrder],
    translate: Translate,
) -> Iterator[Advice]:
    """Yield each line of a party's file ``sheet`` in words, with its reason.

    ``state``: the position before the turn; ``orders`` of the trial are not used.
    """
    adviser = Adviser(table, state, party, formatter_of(spec, table, (state,), translate), sheet.orders.lines)
    for line in (*sheet.orders.lines, *sheet.orders.priority):
        words, why = adviser.told(line)
        place = (line.written.line, line.written.column)
        about = line.target if isinstance(line, Move) else ""
        yield Advice(*place, f"{words}.", why, adviser.weight(line), about, adviser.drawn_lines(line))


class Adviser:
    """Finds the reasons for a party's orders in a position.

    ``formatter`` puts values into words; ``lines``: all lines of the party's orders, of which only the moves
    are needed.
    """

    def __init__(
        self,
        table: GameData,
        state: Conquest,
        party: str,
        formatter: EventFormatter,
        lines: Sequence[Line] = (),
    ) -> None:
        self.moves = [line for line in lines if isinstance(line, Move)]
        self.rules = table.rules
        self.state = state
        self.party = party
        self.formatter = formatter

    def weight(self, line: Line) -> int:
        """Return how important a line is: a conquest comes before units that are built."""
        if isinstance(line, Move):
            return 2 if self.state.owners[line.target] != self.party else 0
        return 1 if isinstance(line, Build) else 0

    def told(self, line: Line) -> tuple[str, str]:
        """Return (line, reason) in words; the reason may be empty."""
        phrase = self.formatter.phrase
        match line:
            case Build():
                return self._words("build", line), phrase("Whoever has more units holds more structures.")
            case Hold():
                return self._words("hold", line), phrase("Units that hold defend.")
            case Move():
                return self._words("move", line), self._against(line)
            case Selector():
                return phrase(order_phrases("conquest-structures")["supply"], who=self._selected(line)), ""
            case _:
                return phrase(order_phrases("conquest-structures")["concede"]), ""

    def _words(self, kind: str, line: Build | Hold | Move) -> str:
        """Return an order to units in words; ``kind``: the key of its phrase.

        The phrase of a build names one type and its number.
        """
        units = self._units(line)
        count, _, unit = units.partition(" ")
        figures = {"start": line.place, "end": getattr(line, "target", ""), "units": units}
        return str(
            self.formatter.phrase(
                order_phrases("conquest-structures")[kind], **figures, count=count, type=unit
            )
        )

    def _against(self, line: Move) -> str:
        """Return in words why to go to the target of a move: its defence and benefits, or that it is own."""
        phrase = self.formatter.phrase
        if self.state.owners[line.target] == self.party:
            return str(phrase("It is yours, and they are needed there."))
        defenders = (unit for unit in self.state.at(line.target) if unit.owner != self.party)
        attackers: list[Unit] = []
        for move in self._together(line):
            attackers += self._chosen(move)
        kind = self.rules.kind_of(line.target)
        figures = {"theirs": strength(defenders, self.rules), "own": strength(attackers, self.rules)}
        return str(
            phrase(
                "Its defence has strength {theirs}, you come with {own}, and it gives {popcap} PopCap "
                "and {supply} supply.",
                popcap=kind.popcap,
                supply=kind.supply,
                **figures,
            )
        )

    def _together(self, line: Move) -> list[Move]:
        """Return all moves of the file to the same place, whose strengths are added (CS-9).

        If none is in the file, it is ``line`` alone.
        """
        return [move for move in self.moves if move.target == line.target] or [line]

    def _chosen(self, line: Build | Hold | Move) -> list[Unit]:
        """Return the party's units that a line names at its place; all of them there if it names none."""
        own_units = [unit for unit in self.state.at(line.place) if unit.owner == self.party]
        chosen: list[Unit] = []
        for item in line.items:
            of_type = [unit for unit in own_units if unit not in chosen and item.type in ("", unit.type)]
            named_units = [unit for unit in of_type if not item.number or unit.id == f"u{item.number}"]
            chosen += named_units[: item.count or len(named_units)]  # all of them without a count
        return chosen if line.items else own_units

    def drawn_lines(self, line: Line) -> tuple[Any, ...]:
        """Return a line as the page's order writer stores it, a move with all others to the same place.

        Empty for lines that cannot be drawn.
        """
        match line:
            case Build():
                items = line.items
                return tuple(
                    drawn(BUILD, line.place, type=item.type.capitalize(), count=item.count) for item in items
                )
            case Hold():
                return (drawn(HOLD, line.place, units=self._unit_ids(line)),)
            case Move():
                moves = self._together(line)
                return tuple(drawn(MOVE, move.place, move.target, self._unit_ids(move)) for move in moves)
            case _:
                return ()

    def _unit_ids(self, line: Hold | Move) -> list[str]:
        return [unit.id for unit in self._chosen(line)]

    def _selected(self, line: Selector) -> str:
        """Return in words the units that an entry of the supply priority names (CS-10.9)."""
        if line.number:
            return f"u{line.number}"
        if line.type:
            kind = self.formatter.called(line.type)
            return str(self.formatter.phrase("{kind} in {place}", kind=kind, place=line.place))
        return str(self.formatter.phrase("all in {place}", place=line.place))

    def _units(self, line: Build | Hold | Move) -> str:
        """Return the units of a line in words."""
        say = self.formatter.translate
        words: list[str] = []
        for item in line.items:
            name = say(item.type) if item.type else f"u{item.number}"
            words.append(f"{item.count or ''} {name}".strip())
        return ", ".join(words) or str(say("all that are there"))
