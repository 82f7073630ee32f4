"""Find the units that an order file names by id, by province, or with their realm (O8).

They are looked up in the position before the turn, and among the units that the file forms.
"""

import re

from gm.core.diagnostics import did_you_mean, joined, says, shown, shown_unquoted
from gm.core.orders.reading import Elsewhere
from gm.core.yaml.source import Node, Scalar
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.orders.names import KIND_WORDS, UNIT_WORDS, NameReader, Reference
from gm.games.medieval.orders.phrases import words_in
from gm.games.medieval.state import UnitKind, World, unit_key
from gm.text.names import subject, the

_KIND_WORDS = "|".join(UNIT_WORDS.values())
_KINDS = "|".join(f"{kind}(?:{word[1:]})?" for kind, word in UNIT_WORDS.items())
UNIT_ID = re.compile(
    rf"(?:(?:{_KIND_WORDS}) +(?=[AFG]))?(?P<kind>{_KINDS})[ .#-]{{0,3}}0*(?P<number>[0-9]{{1,9}})\Z",
    re.IGNORECASE | re.ASCII,
)
"""The id of a unit as players write it, such as ``A7``, ``Army 7`` and ``a-07``: its kind and its number."""
_UNIT = rf"(?:{_KINDS})[ .#-]{{0,3}}[0-9]{{1,9}}"
_FOREIGN = re.compile(
    r"(?P<realm>.+?)(?: ?/ ?(?P<what>.+)|(?:'s)? (?P<id>" + _UNIT + r"))\Z",
    re.IGNORECASE | re.ASCII,
)


class RealmReader(NameReader):
    """Reads one realm's order file: its names, and the units that it names or forms."""

    def __init__(self, world: World, rules: Rules, atlas: Atlas, elsewhere: Elsewhere) -> None:
        """Begin without formed units; for the parameters see :class:`NameReader`."""
        super().__init__(world, rules, atlas, elsewhere)
        self.formed: set[str] = set()  # the ids of units that this file forms
        self.line_of_formed: dict[str, int] = {}  # the line of each unit formed so far, by its id

    def unit_name(self, node: Node, clause: str) -> str | None:
        """Return a unit's name, empty for none; None, with a finding, for an impossible one."""
        if isinstance(node, Scalar) and (node.is_null or not node.text.strip()):
            return ""
        return self.text(node, says("a unit's name"), self.rules.units.name_length, clause)

    def own_unit(self, node: Node, clause: str) -> Reference | None:
        """Return a unit of this realm, one formed in this file, or the garrison of a province (W5, O8).

        None, with a finding, for any other.
        """
        text = self.scalar(node, says("a unit (such as A7, F2, or a province for its garrison)"), clause)
        if text is None:
            return None
        own_id = UNIT_ID.match(text.strip())
        if own_id:
            return self._own_id(node, own_id["kind"][0].upper(), int(own_id["number"]), clause)
        province = self.provinces.find(text)
        if province is not None:
            return self._own_garrison(node, province)
        realm, what = self._foreign(text)
        if realm and realm == self.realm:
            return self._of_realm(node, realm, what, clause)
        sea = self.seas.find(text)
        if realm:
            pattern = "{0} is {1}'s: you can name only your own units here"
            message = says(pattern, shown_unquoted(text), the(self.world.realms[realm].name))
            self.error(node, "order/foreign-unit", message, clause=clause)
        elif sea is not None:
            self.error(node, "order/not-a-province", says("{0} is a sea: it has no garrison", sea))
        else:
            hint = did_you_mean(self.provinces.nearest(text)) or self._hint(text)
            message = says("no unit or province is called {0}", shown(text))
            self.error(node, "order/unknown-unit", message, suggestion=hint, clause=clause)
        return None

    def any_unit(self, node: Node, clause: str) -> Reference | None:
        """Return a unit of any realm; another realm's is written ``AQU/A3`` or ``AQU A3``.

        None, with a finding, for any other text.
        """
        if (
            isinstance(node, Scalar)
            and not UNIT_ID.match(node.text)
            and self.provinces.find(node.text) is None
        ):
            realm, what = self._foreign(node.text)
            if realm:
                return self._of_realm(node, realm, what, clause)
            owner, slash, what = node.text.strip().partition("/")
            if slash and owner.strip() and what.strip():
                near = did_you_mean(self.realms.nearest(owner.strip()))
                message = says("no realm is called {0}", shown(owner.strip()))
                self.error(node, "order/unknown-realm", message, suggestion=near, clause=clause)
                return None
        return self.own_unit(node, clause)

    def _foreign(self, text: str) -> tuple[str, str]:
        """Return (code of the realm, what is named of it) for ``AQU/A3``, ``AQU A3`` and ``AQU/Bordeaux``.

        Both are empty if the text names no realm.
        """
        match = _FOREIGN.match(" ".join(words_in(text)))
        realm = self.realms.find(match["realm"]) if match else None
        return (realm, match["what"] or match["id"]) if match and realm else ("", "")

    def army(self, node: Node, clause: str) -> Reference | None:
        """Return an army of any realm; None, with a finding, for any other text or unit."""
        unit = self.any_unit(node, clause)
        if unit is not None and unit.kind != "A":
            message = says(
                "{0} is {1}; only armies can be loaded and unloaded", unit.label, KIND_WORDS[unit.kind][0]
            )
            self.error(node, "order/not-an-army", message, clause=clause)
            return None
        return unit

    def new_id(self, node: Node, clause: str) -> str | None:
        """Return the id of an army or fleet that is to be formed.

        None, with a finding, if it cannot be used.
        """
        text = self.scalar(node, says("a new unit's id (such as A12 or F3)"), clause)
        if text is None:
            return None
        match = UNIT_ID.match(text.strip())
        if match and match["kind"][0] not in "gG":
            return self._numbered(node, match["kind"][0].upper(), int(match["number"]))
        message = says("{0} is not an id of an army or fleet, such as A12 or F3", shown(text))
        self.error(node, "order/bad-unit-id", message, clause=clause)
        return None

    def _own_id(self, node: Node, kind: str, number: int, clause: str) -> Reference | None:
        """Return a reference to the realm's unit of a kind (its letter) and a number.

        The file may form the unit. None, with a finding, if there is no such unit.
        """
        unit_id = f"{kind}{number}"
        if unit_key(self.realm, unit_id) in self.world.units or unit_id in self.formed:
            return Reference(unit_id, unit_id, kind, unit_id)
        if self._numbered(node, kind, number) is None:
            return None  # there can be no such number, and that is reported
        owners = [code for code in self.world.realms if unit_key(code, unit_id) in self.world.units]
        hint = self._own_of_kind(kind)
        if not owners:
            self.error(
                node, "order/unknown-unit", says("there is no {0}", unit_id), suggestion=hint, clause=clause
            )
            return None
        names = joined([the(self.world.realms[code].name) for code in owners], ", ")
        pattern = "you have no {0}; {1} have one each" if len(owners) > 1 else "{0} is {1}'s, not yours"
        self.error(node, "order/foreign-unit", says(pattern, unit_id, names), suggestion=hint, clause=clause)
        return None

    def _own_of_kind(self, kind: str) -> str:
        """Return a hint that lists the ids of the realm's units of a kind, at most twelve."""
        own_ids = ", ".join(
            [unit.id for unit in self.world.of_realm(self.realm) if unit.kind.value == kind][:12]
        )
        return says("your {0}: {1}" if own_ids else "you have no {0}", KIND_WORDS[kind][1], own_ids)

    def _hint(self, text: str) -> str:
        """Return a hint for a text that names no unit: the realm's armies for ``Army B`` and ``all armies``.

        For ``FRENCH A3`` it is the way to write another realm's unit; empty for other texts.
        """
        words = words_in(text)
        foreign = re.search(_UNIT + r"\Z", text.strip(), re.IGNORECASE | re.ASCII)
        if foreign and len(words) > 1:
            return says("another realm's unit is written with the realm's code, such as 'AQU/A3'")
        ends_with_letter = words and len(words[-1]) == 1 and words[-1].isalpha()
        begins_with_all = words and words[0].casefold() == "all"
        return self._own_of_kind("A") if ends_with_letter or begins_with_all else ""

    def _numbered(self, node: Node, kind: str, number: int) -> str | None:
        """Return the id of a unit; None, with a finding, if its number is out of range (W5)."""
        limit = self.rules.units.number_limit
        if number < 1 or (kind != UnitKind.GARRISON.value and number > limit):
            message = says("{0} are numbered {1}1 to {1}{2}", KIND_WORDS[kind][1], kind, limit)
            self.error(node, "order/bad-unit-id", message, clause="W5")
            return None
        return f"{kind}{number}"

    def _own_garrison(self, node: Node, province: str) -> Reference:
        """Return the realm's garrison of a province, with a warning if it has none there now.

        There is a reference in any case: the province may be the realm's when the order is carried out (W5).
        """
        garrison = self.world.garrison(province)
        if garrison is not None and garrison.realm == self.realm:
            return Reference(province, province, "G", garrison.id)
        hint = ""
        if garrison is not None and garrison.realm in self.world.realms:
            holder = self.world.realms[garrison.realm].name
            hint = says("{0}'s there is {1}", holder, garrison.key)
        message = says("you have no garrison at {0} now", province)
        self.warn(node, "order/no-garrison-yet", message, suggestion=hint, clause="W5")
        return Reference(province, province, "G", province)

    def _of_realm(self, node: Node, realm: str, what: str, clause: str) -> Reference | None:
        """Return a realm's unit; None, with a finding, if there is none.

        ``what``: its id, or a garrison's province, as it is written.
        """
        is_own = realm == self.realm
        name = self.world.realms[realm].name
        match = UNIT_ID.match(what.strip())
        province = None if match else self.provinces.find(what)
        if province is not None:
            garrison = self.world.garrison(province)
            if garrison is not None and garrison.realm == realm:
                label = f"{realm}/{garrison.id}"
                if is_own:
                    return Reference(province, label, "G", garrison.id)
                return Reference(f"{realm}/{province}", label, "G", garrison.key)
            if is_own:
                return self._own_garrison(node, province)
            message = says("{0} has no garrison at {1} now", subject(name), province)
            self.warn(node, "order/no-garrison-yet", message, clause=clause)
            ref = f"{realm}/{province}"
            return Reference(ref, ref, "G", ref)
        if not match:
            self.error(
                node,
                "order/unknown-unit",
                says("{0} is not a unit, such as A7 or F2", shown(what)),
                clause=clause,
            )
            return None
        if is_own:
            return self._own_id(node, match["kind"][0].upper(), int(match["number"]), clause)
        return self._foreign_id(node, realm, match["kind"][0].upper(), int(match["number"]), clause)

    def _foreign_id(self, node: Node, realm: str, kind: str, number: int, clause: str) -> Reference | None:
        """Return another realm's unit of a kind and a number; one that does not exist yet gets a warning.

        None, with a finding, for a number out of range.
        """
        unit_id = self._numbered(node, kind, number)
        if unit_id is None:
            return None
        key = unit_key(realm, unit_id)
        if key not in self.world.units:
            message = says("{0} has no {1} now", subject(self.world.realms[realm].name), unit_id)
            self.warn(node, "order/no-such-unit-yet", message, clause=clause)
        return Reference(key, key, kind, key)
