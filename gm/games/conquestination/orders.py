"""Orders of Conquestination: the entries of a file, how they are read and resolved (CN-9 to CN-11)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, TypeAlias, TypeVar

from pydantic import BeforeValidator, Field, WithJsonSchema

from gm.core import pipeline
from gm.core.diagnostics import fold, says, shown
from gm.core.yaml.pydantic_models import YamlModel
from gm.core.yaml.source import Mapping as Table
from gm.core.yaml.source import Node, Scalar, plain_data
from gm.game.base.events import Written
from gm.game.base.reading import WAYS, Body, Line, field_of, way_said
from gm.game.base.schema_parts import TEXT, whole_number
from gm.games.conquestination.amounts import UNITS_LIMIT, Amount, Ending, Strength
from gm.games.conquestination.battle import Retreat
from gm.games.conquestination.rules import Board, Rules
from gm.games.conquestination.state import Campaign

Count = Annotated[int, *whole_number(UNITS_LIMIT)]
CountOrRest = Annotated[int | str, *whole_number(UNITS_LIMIT, "rest")]
Countries = Annotated[
    tuple[str, ...],
    BeforeValidator(lambda countries: [countries] if isinstance(countries, str) else countries),
    WithJsonSchema({"anyOf": [TEXT, {"type": "array", "items": TEXT}]}),
]


class If(YamlModel):
    """CN-9.6: a condition; all its parts must be true."""

    won: str | None = None  # the id of an attack that must be won before
    lost: str | None = None  # the id of an attack that must not be won before
    owner: str | None = None  # the code of the player who must own the target
    min_units: Count | None = None  # in the source
    max_defenders: Count | None = None  # in the target
    hold: Countries = ()  # the countries that the player must own


class HoldOnly(YamlModel):
    """CN-9.9: the only condition of a reinforcement."""

    hold: Countries


# A placing in one line: ``3 A2``, ``A2: 3``, ``A2 +3``, ``rest A2``
_PLACED = re.compile(
    r"(?:(?P<amount_first>\d+|all|rest)(?:\s+units?)?\s*"
    r"(?:@|\b(?:to|in|on|at)\b|[:>]|->)?\s*(?P<country_last>[A-Za-z]\d+)"
    r"|(?P<country_first>[A-Za-z]\d+)\s*(?:[:+@]|\s)\s*(?P<amount_last>\d+|all|rest)(?:\s+units?)?)\Z",
    re.IGNORECASE,
)


class DeployModel(Line):
    """An entry of ``deploy`` (CN-10.1): units for a country; ``rest``: all that are left."""

    said = (_PLACED,)

    country: str
    units: CountOrRest

    @classmethod
    def spoken(cls, text: str) -> dict[str, Any] | None:
        """Return the fields ``country`` and ``units`` of ``3 A2``, ``A2: 3``, ``A2 +3`` or ``rest A2``.

        ``all`` is read as ``rest``. None for any other text.
        """
        match = _PLACED.match(text.strip())
        if match is None:
            return None
        amount = (match["amount_first"] or match["amount_last"]).casefold()
        units = int(amount) if amount.isdigit() else "rest"
        return {"country": match["country_first"] or match["country_last"], "units": units}

    @property
    def hold(self) -> tuple[str, ...]:
        """The countries that the player must hold for this entry to count."""
        return ()


class ReinforceModel(DeployModel):
    """An entry of ``reinforce``: the country to which new units go, and how many."""

    condition: HoldOnly | None = Field(None, alias="if")

    @property
    def hold(self) -> tuple[str, ...]:
        return self.condition.hold if self.condition else ()


def _way_entries(text: str, amount: str) -> dict[str, Any] | None:
    """Return the entries of a move written as ``3 A1 -> B2`` or ``A1 > B2 with 3``; None for other text.

    ``amount``: the name of the entry for the number of units.
    """
    way = way_said(text)
    if not way:
        return None
    source, target, units = way
    return {"from": source, "to": target, **({amount: units} if units else {})}


class AttackModel(Line):
    """A line of ``attacks``: an attack from a country on another, and when it is broken off."""

    said = WAYS

    @classmethod
    def spoken(cls, text: str) -> dict[str, Any] | None:
        return _way_entries(text, "with")

    id: str | None = None
    source: str = Field(alias="from")
    target: str = Field(alias="to")
    strength: Amount = Field(default_factory=Strength, alias="with")
    until: Ending = Retreat()
    condition: If | None = Field(None, alias="if")


class RedeployModel(Line):
    """A choice of ``redeploy``: units that go from one country to another; the first possible one counts."""

    said = WAYS

    @classmethod
    def spoken(cls, text: str) -> dict[str, Any] | None:
        return _way_entries(text, "units")

    source: str = Field(alias="from")
    target: str = Field(alias="to")
    strength: Amount = Field(default_factory=Strength, alias="units")
    condition: If | None = Field(None, alias="if")


class ThenModel(YamlModel):
    """A player's orders for their next turn in a case: these countries have these owners then."""

    owners: Mapping[str, str] = Field({}, alias="if", description="Countries, and whose each must be.")
    reinforce: tuple[ReinforceModel, ...] = ()
    attacks: tuple[AttackModel, ...] = ()
    redeploy: tuple[RedeployModel, ...] = ()
    then: tuple["ThenModel", ...] = ()


class Orders(YamlModel):
    """The entries below the head: a player's orders for a run."""

    deploy: tuple[DeployModel, ...] = Field((), description="In run 0: where your units go, in this order.")
    reinforce: tuple[ReinforceModel, ...] = Field((), description="Where your new units go, top to bottom.")
    attacks: tuple[AttackModel, ...] = Field(
        (), description="Your attacks, top to bottom, each if its conditions hold."
    )
    redeploy: tuple[RedeployModel, ...] = Field(
        (), description="Choices; the first that can be done is done."
    )
    go_on: bool = Field(
        default=False,
        description="In mode single: your turn goes on after this run, which ends with the first roll.",
    )
    then: tuple[ThenModel, ...] = Field((), description="Your next turn, for one case or another.")

    @property
    def written(self) -> Iterator[Written]:
        """The text of each of its lines, and its place in the file."""
        return (line.written for line in (*self.deploy, *self.reinforce, *self.attacks, *self.redeploy))


DeployT = TypeVar("DeployT", bound=DeployModel)
WayT = TypeVar("WayT", AttackModel, RedeployModel)
NO_ORDERS = Orders()

Turn: TypeAlias = pipeline.Turn[Campaign, Rules, Board, Orders]
Outcome: TypeAlias = pipeline.Outcome[Campaign]


class OrdersReader:
    """Reads one file; it reports lines that it cannot understand, and the others count (CN-11.3)."""

    def __init__(
        self, body: Body, state: Campaign, board: Board, redeployable: Mapping[str, Sequence[str]]
    ) -> None:
        """Prepare for a file; ``redeployable``: the countries to which units of each may be redeployed."""
        self._body = body
        self._state = state
        self._board = board
        self._redeployable = redeployable
        self._ids: set[str] = set()  # of earlier attacks
        self._attacked: set[str] = set()  # targets of earlier attacks, which may be the player's by then

    def orders(self) -> Orders:
        """Return the orders below the head; report words that have no meaning in this run."""
        deploying = self._state.run == 0
        # orders for cases to come are only checked: they are read when their case comes
        self._body.cases(ThenModel, self._foreseen, "CN-10.1")
        other_words = ("reinforce", "attacks", "redeploy", "go_on") if deploying else ("deploy",)
        for word in other_words:
            node = self._body.node(word)
            if node is not None:
                why = says("run 0 only deploys") if deploying else says("deployment is over")
                self._body.warn(
                    node, "not-now", says("{0}; '{1}' is passed over", why, word), clause="CN-1.3"
                )
        if deploying:
            return Orders(deploy=tuple(self._placings("deploy", DeployModel)))
        return Orders(
            reinforce=tuple(self._placings("reinforce", ReinforceModel)),
            attacks=tuple(self._attacks()),
            redeploy=tuple(
                meant for _, _, meant in self._ways("redeploy", RedeployModel, self._redeployable) if meant
            ),
            go_on=self._goes_on(),
        )

    def _goes_on(self) -> bool:
        """Return whether the player's turn is to go on in the next run (CN-1.4); report a wrong ``go_on``."""
        node = self._body.node("go_on")
        if node is None:
            return False
        word = plain_data(node)
        if not isinstance(word, bool):
            self._body.error(node, "go-on", says("'go_on' is true or false"), clause="CN-1.4")
            return False
        if word and self._state.current is None:
            message = says("everybody plays in this run, so that no turn goes on; 'go_on' is passed over")
            self._body.warn(node, "not-now", message, clause="CN-1.4")
            return False
        return word

    def _foreseen(self, case: Table) -> None:
        """Report unknown countries or players in a case to come; its orders are read when it comes."""
        owners = case.get("if")
        players = self._state.codes_by_name
        if isinstance(owners, Table):
            for country, owner in owners:
                self._country(country, country.text)
                if isinstance(owner, Scalar):
                    self._body.named(owner, owner.text, players, "player", clause="CN-11.3")

    def _placings(self, word: str, model: type[DeployT]) -> Iterator[DeployT]:
        """Yield the placings of a list; refused ones are reported instead. Others' countries get warnings."""
        has_rest = False  # whether an entry before has taken all units that were left
        understood: list[Node] = []
        for node, written, entry in self._body.items(word, model):
            if has_rest:
                message = says("'rest' took all that were left; nothing can follow it")
                self._body.error(node, "after-rest", message, clause="CN-11.5")
                continue
            country = self._country(field_of(node, "country"), entry.country)
            hold = self._countries(node, entry.hold)
            if country is None or hold is None:
                continue
            has_rest = entry.units == "rest"
            refused = self._body.lost_before(word, node, understood)
            understood.append(node)
            if has_rest and refused:
                message = says(
                    "the entry in line {0} is refused, so that nobody knows how many are left",
                    refused[0].line,
                )
                self._body.error(node, "rest-unknown", message, clause="CN-11.5")
                continue
            if self._owner(country) != self._body.realm:
                self._warn_stranger(field_of(node, "country"), country)
            condition = {"condition": HoldOnly(hold=hold)} if hold else {}
            yield entry.meant(written, country=country, **condition)

    def _attacks(self) -> Iterator[AttackModel]:
        """Yield the attacks; those that cannot be read are reported, unlikely ones get a warning."""
        for node, attack, meant in self._ways("attacks", AttackModel, self._board.neighbours):
            if attack.id and attack.id in self._ids:
                message = says("the id {0} is used twice", shown(attack.id))
                self._body.error(field_of(node, "id"), "id-twice", message, clause="CN-11.3")
                continue
            if attack.id:
                self._ids.add(attack.id)
            if meant is None:
                continue
            # CN-11.4: accepted, though as things stand it could not be done
            if self._owner(meant.source) != self._body.realm and meant.source not in self._attacked:
                self._warn_stranger(field_of(node, "from"), meant.source)
            elif self._owner(meant.target) == self._body.realm:
                message = says("{0} is your own now; unless that changes, this is skipped", meant.target)
                self._body.warn(field_of(node, "to"), "own-target", message, clause="CN-11.4")
            self._attacked.add(meant.target)
            yield meant

    def _ways(
        self, word: str, model: type[WayT], beside: Mapping[str, Sequence[str]]
    ) -> Iterator[tuple[Node, WayT, WayT | None]]:
        """Yield (node, line as written, line with names resolved) for the list ``word``.

        The last is None if the line is refused. ``beside``: the countries that each country has a way to.
        """
        for node, written, entry in self._body.items(word, model):
            source = self._country(field_of(node, "from"), entry.source)
            target = self._country(field_of(node, "to"), entry.target)
            condition = self._condition(node, entry.condition)
            if source and target and target not in beside[source]:
                message = says("{0} is not next to {1}", target, source)
                hint = says("there are: {0}", ", ".join(beside[source])) if beside[source] else ""
                self._body.error(
                    field_of(node, "to"), "no-neighbour", message, suggestion=hint, clause="CN-11.3"
                )
                target = None
            meant = None
            if source and target and condition:
                meant = entry.meant(written, source=source, target=target, condition=condition)
            yield node, entry, meant

    def _owner(self, country: str) -> str:
        return self._state.countries[country].owner

    def _condition(self, node: Node, condition: If | None) -> If | None:
        """Return a condition with names resolved, one without parts if there is none; None if refused."""
        if condition is None:
            return If()
        condition_node = field_of(node, "if")
        for name, line_id in (("won", condition.won), ("lost", condition.lost)):
            if line_id is not None and line_id not in self._ids:
                message = says("no earlier line has the id {0}", shown(line_id))
                self._body.error(field_of(condition_node, name), "unknown-id", message, clause="CN-11.3")
                return None
        owner: str | None = ""  # any
        if condition.owner is not None:
            owner = self._player(field_of(condition_node, "owner"), condition.owner)
        hold = None if owner is None else self._countries(condition_node, condition.hold)
        return None if hold is None else condition.model_copy(update={"owner": owner, "hold": hold})

    def _player(self, node: Node, text: str) -> str | None:
        """Return the code of the player that a text names; None, with a finding, if it names none."""
        names = {fold(name): code for name, code in self._state.codes_by_name.items()}
        return names.get(self._body.named(node, text, sorted(names), "player", clause="CN-11.3") or "")

    def _countries(self, node: Node, names: Sequence[str]) -> tuple[str, ...] | None:
        """Return the codes of the countries under ``hold``; None, with a finding, if one is unknown."""
        countries = [self._country(field_of(node, "hold"), name) for name in names]
        return None if None in countries else tuple(country for country in countries if country)

    def _country(self, node: Node, text: str) -> str | None:
        also = {name: code for code, name in self._board.names.items()}
        return self._body.named(node, text, self._board.countries, "country", clause="CN-11.3", also=also)

    def _warn_stranger(self, node: Node, country: str) -> None:
        """Warn that a country is another player's now."""
        owner = self._state.parties[self._owner(country)].name
        message = says("{0} is {1}'s now; unless that changes, this is skipped", country, says(owner))
        self._body.warn(node, "not-own", message, clause="CN-11.4")
