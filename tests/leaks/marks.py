"""Words that occur nowhere else, one for each thing that a realm keeps to itself, and order files full of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gm.core.orders.header import HEADER_WORDS
from gm.games.medieval.orders import forms
from gm.games.medieval.orders.grammar import HEADQUARTERS, PLAN, UNIT
from gm.games.medieval.orders.values import Form, Word


@dataclass(frozen=True, slots=True)
class Secret:
    """What a word stands for: something of a realm's, or of the GM's. ``turn``: the turn that it was planted for."""

    owner: str
    what: str
    turn: int


class Marks:
    """Gives out words and remembers whose secrets they are. ``turn`` is the one that is being planted for."""

    def __init__(self) -> None:
        self.turn = 1
        self.secrets: dict[str, Secret] = {}
        self._public: dict[str, int] = {}

    def mark(self, owner: str, what: str) -> str:
        """A new word for something of a realm's; of letters and digits alone, so that nothing needs to quote it."""
        word = f"qz{owner.lower()}{len(self.secrets):03}k"
        self.secrets[word] = Secret(owner, what, self.turn)
        return word

    def watch(self, owner: str, what: str, word: str) -> None:
        """Have a word looked for that comes from elsewhere: a key, an amount of gold."""
        assert len(word) >= 7, f"{word!r} may stand somewhere by chance"
        self.secrets[word] = Secret(owner, what, self.turn)

    def publish(self, owner: str, what: str) -> None:
        """The owner's mark of this kind for this turn is told to everybody with the turn's results."""
        wanted = Secret(owner, what, self.turn)
        self._public |= {word: self.turn for word, secret in self.secrets.items() if secret == wanted}

    def of_others(self, realm: str, newest: int) -> dict[str, Secret]:
        """Everybody's secrets but the realm's own, as long as the newest turn is this one."""
        return {
            word: secret
            for word, secret in self.secrets.items()
            if secret.owner != realm and not self._public.get(word, newest + 1) <= newest
        }

    def of(self, owner: str) -> dict[str, Secret]:
        """One realm's secrets, or the GM's."""
        return {word: secret for word, secret in self.secrets.items() if secret.owner == owner}


_IN_FORM = {
    forms.PAYMENTS: "{MARK: 12.34}",
    forms.TROOPS: "{MARK: 3}",
    forms.RANKS: "{MARK: {1: 2}}",
    forms.TRANSFER: "{to: MARK, troops: {MARK: 2}, commanders: [MARK]}",
    forms.PERMISSIONS: "{MARK: [MARK]}",
    **dict.fromkeys((forms.GIFTS, forms.RENAMES, forms.FORMED, forms.LANDINGS), "{MARK: MARK}"),
    **dict.fromkeys((forms.REALMS, forms.PROVINCES, forms.STRUCTURES, forms.NAME), "[MARK]"),
    **dict.fromkeys((forms.COMMANDERS, forms.ARMIES), "[MARK]"),
    **dict.fromkeys((forms.PROCLAMATION, forms.COUNT, forms.WISH, forms.RETREAT_LEVEL, forms.OWN_UNIT), "MARK"),
    **dict.fromkeys((forms.COMMANDER, forms.ANSWER, forms.PLAN, forms.NOTHING, forms.REALM), "MARK"),
    **dict.fromkeys((forms.PLACE, forms.PROVINCE), "MARK"),
}


def written(form: Form, mark: str) -> str:
    """A value of the form that a word wants, as flow YAML, with the mark in the place of each name. A form that is not
    here yet is one whose privacy nobody has looked at."""
    return _IN_FORM[form].replace("MARK", mark)


def order_file(marks: Marks, realm: str, head: dict[str, str], units: dict[str, str]) -> str:
    """An order file with a mark in every word of the grammar. ``units`` are the realm's own by the letter of their
    kind; ``head`` the header. Most of it is refused. What is understood fails: it names nobody's troops and sums that
    nobody has."""
    assert set(HEADER_WORDS) <= {*head, "standing"}, "a new word in the header: is it public?"
    lines = [f"{name}: {value}" for name, value in head.items()]
    lines += [f"# {marks.mark(realm, 'a note at the top of the file')}", "headquarters:"]
    lines += list(_words(marks, realm, HEADQUARTERS, 2))
    lines.append("units:")
    for letter, unit in units.items():
        lines.append(f"  {unit}:   # {marks.mark(realm, f'a note beside {letter}')}")
        fitting = {name: word for name, word in UNIT.items() if letter in word.kinds and word.form is not forms.PLAN}
        lines += _words(marks, realm, fitting, 4)
        lines.append("    plan:")
        lines += [
            f"      - {name}: {written(word.form, marks.mark(realm, f'the order {name}'))}"
            for name, word in PLAN.items()
            if letter in word.kinds
        ]
        # understood, and certain to fail: the text of an order that was settled is private too
        lines.append(
            f"      - transfer: {{to: {realm}/A97, commanders: [{marks.mark(realm, 'an order that failed')}]}}"
        )
    lines += [f"  {marks.mark(realm, 'a unit that is not there')}:", "    plan: [hold]"]
    lines += [f"{marks.mark(realm, 'an unknown section')}: 1"]
    return "\n".join(lines) + "\n"


def _words(marks: Marks, realm: str, words: dict[str, Word], indent: int) -> Iterator[str]:
    for name, word in words.items():
        yield f"{' ' * indent}{name}: {written(word.form, marks.mark(realm, f'the order {name}'))}"


def unreadable_file(marks: Marks, realm: str, head: dict[str, str]) -> str:
    """A file that is set aside whole, though its sender is proven."""
    lines = [f"{name}: {value}" for name, value in head.items()]
    return "\n".join((*lines, f"headquarters: [{marks.mark(realm, 'a file that cannot be read')}", "units: {")) + "\n"
