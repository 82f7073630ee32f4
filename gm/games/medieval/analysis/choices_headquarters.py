"""The choices of a realm's headquarters: each order's answer, by realm, province or commander (O3)."""

from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from functools import partial
from itertools import chain

from gm.games.medieval.analysis.choices_realm import NOWHERE, Answer, Answers, ChoiceContext, Choices, cents
from gm.games.medieval.orders import forms, model
from gm.games.medieval.orders.grammar import HEADQUARTERS
from gm.games.medieval.steps import provinces
from gm.games.medieval.steps.diplomacy import why_not_permission, why_not_say
from gm.games.medieval.steps.economy import why_not_send_gold, within_gold_reach
from gm.games.medieval.steps.outcomes import Refusal, refuse

OFFERS = ("offer_peace", "offer_alliance")  # What the other side has to offer too (L15, L17)
_NOTHING_GIVEN: frozenset[str] = frozenset()


def headquarters_choices(turn: ChoiceContext, realm: str, says: Answers) -> Choices:
    """Return the choices of headquarters: by the word of an order, a mapping with some of these entries.

    ``of``: the answers by realm, province or commander; ``pair``: those by province and realm
    (``Kent/FRA``); ``pool``: the supply of which the order uses one; ``waits``: whether it takes effect
    only if the other side offers the same. ``says`` makes the answers.
    """
    headquarters = _Headquarters(turn, realm, says)
    # refusals are numbered in the order of these questions
    choices = headquarters.relations()
    choices |= headquarters.gifts_of_rights_and_gold()
    return choices | headquarters.lands_and_people()


class _Headquarters:
    """Asks the rules about one realm's orders to headquarters."""

    def __init__(self, turn: ChoiceContext, realm: str, says: Answers) -> None:
        """Prepare for the questions about a realm's orders; ``says`` makes answers of refusals."""
        self._turn = turn
        self._world = turn.world
        self._realm = realm
        self._says = says
        self._others = [code for code in turn.world.realms if code != realm]
        self._lands = [land.name for land in turn.world.owned_by(realm)]

    def relations(self) -> Choices:
        """Return by word the choices of orders that only name another realm (F1-F3, L15-L17)."""
        words = [word for word in HEADQUARTERS.values() if word.form is forms.REALMS]
        choices = {}
        for word in words:
            why_not = partial(why_not_say, word.order, self._world, self._realm)
            choices[word.name] = self._each(why_not, self._others)
        for name in OFFERS:
            choices[name]["waits"] = True
        return choices

    def gifts_of_rights_and_gold(self) -> Choices:
        """Return by word the choices of special permissions and of gold (F4, L2)."""
        grants = self._each(self._why_not_grant, self._others)
        revocations = {}
        for name, code in self._permissions():
            order = model.RevokePermission(NOWHERE, name, code)
            revocations[f"{name}/{code}"] = self._says(why_not_permission(self._world, self._realm, order))
        reached = within_gold_reach(self._world, self._realm, self._turn.rules, self._turn.atlas)

        def why_not_pay(code: str) -> Refusal | None:
            order = model.SendGold(NOWHERE, code, Decimal(1))  # whatever the sum is
            return why_not_send_gold(self._world, self._realm, order, reached)

        return {
            "grant_permission": grants,
            "revoke_permission": {"pair": revocations},
            "send_gold": self._each(why_not_pay, self._others),
        }

    def lands_and_people(self) -> Choices:
        """Return by word the choices of provinces, a proclamation, commanders' names (L6, L12, L13, F7)."""
        world = self._world
        rules = self._turn.rules
        limit = rules.statuses[world.realms[self._realm].status].annexed_provinces
        annexed = self._turn.annexed.get(self._realm, 0)
        # what is told when the pool is used up: by then there are as many as the limit, or more
        full = refuse("annexation-limit", limit=limit, has=max(limit, annexed))
        self._says.pools["annex"] = [max(0, limit - annexed), self._says(full)]
        # a province's own answer leaves the limit to the pool: it is given as if one more were allowed
        annexations = {name: self._annexation(name, min(annexed, limit - 1)) for name in self._lands}
        commanders = chain.from_iterable(unit.commander_names for unit in world.of_realm(self._realm))
        return {
            "annex": {"of": annexations, "pool": "annex"},
            "cede_province": self._each(self._why_not_cede, self._lands),
            "give_province": self._each(self._why_not_give, self._others),
            "proclamation": {"of": {"": -cents(rules.economy.proclamation)}},
            "rename_commander": {"of": dict.fromkeys(commanders, 0)},
        }

    def _each(self, why_not: Callable[[str], Refusal | None], names: Iterable[str]) -> Choices:
        """Return the choices of an order that names one of these: each name with its answer.

        ``why_not``: returns the refusal for a name; None if the order may name it.
        """
        return {"of": {name: self._says(why_not(name)) for name in names}}

    def _permissions(self) -> Iterator[tuple[str, str]]:
        """Yield (province, realm) of the special permissions in the realm's provinces (F4)."""
        for name in self._lands:
            for code in sorted(self._world.provinces[name].permissions):
                yield name, code

    def _annexation(self, name: str, annexed: int) -> Answer:
        """Return the answer about annexing a province: its price, or the refusal (L6).

        ``annexed``: how many provinces count as annexed to the realm already.
        """
        refusal = provinces.why_not_annex(self._world, self._realm, name, annexed, self._turn.rules)
        return self._says(refusal, cents(provinces.annexation_price(name, self._turn.atlas)))

    def _why_not_grant(self, code: str) -> Refusal | None:
        """Return why a realm cannot get special permission, whatever own province it is for (F4).

        None also if there is no own province.
        """
        if not self._lands:
            return None
        order = model.GrantPermission(NOWHERE, self._lands[0], code)
        return why_not_permission(self._world, self._realm, order)

    def _why_not_cede(self, name: str) -> Refusal | None:
        """Return why a province cannot be given up (L12); None if it can."""
        return provinces.why_not_let_go(self._world, self._realm, name, _NOTHING_GIVEN)

    def _why_not_give(self, code: str) -> Refusal | None:
        """Return why no province can be given to a realm (L12); None also if there is none to give."""
        if not self._lands:
            return None
        order = model.GiveProvince(NOWHERE, self._lands[0], code)
        return provinces.why_not_give(self._world, self._realm, order, _NOTHING_GIVEN)
