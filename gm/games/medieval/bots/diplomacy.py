"""A bot's decisions about proposals, in letters or by offers, their reasons, and the orders that follow.

A judgement depends on the public position and on the realm's memory. The realm sells no land below its worth
and keeps its word: it goes on offering what it agreed to. Only a limited number of proposals of each realm is
considered in a turn.
"""

from collections.abc import Mapping
from decimal import ROUND_UP, Decimal
from functools import cached_property
from typing import Any

from gm.core.values import Record
from gm.games.medieval.analysis.dealings import CONQUEST, GOLD, WAR
from gm.games.medieval.analysis.dealings import LAND as GIVEN
from gm.games.medieval.bots.command import Command
from gm.games.medieval.bots.proposals import ALLIANCE, PASSAGE, PEACE, Proposal
from gm.games.medieval.bots.relations import can_attack, rivals_of, too_great_together
from gm.games.medieval.data.clauses_data import talk_file


class ProposalDecision(Record):
    """A bot's decision about a proposal.

    ``says``: the reason, by its name in ``bots/talk.yaml``; ``war``: the realm on which it declares war
    because of it.
    """

    accepted: bool
    says: str
    fields: Mapping[str, Any] = {}
    war: str = ""


def no(says: str, **fields: Any) -> ProposalDecision:
    """Return a refusal with its reason."""
    return ProposalDecision(accepted=False, says=says, fields=fields)


class Judgement:
    """One realm's judgement of another's proposals."""

    def __init__(self, command: Command) -> None:
        """Prepare for a command's position and memory."""
        self.command = command
        self.memory = command.memory
        self.profile = command.profile
        self.world = command.world
        self.realm = command.realm
        self.figures = talk_file().figures
        self.turn = command.view.turn

    def verdict(self, code: str, proposal: Proposal) -> ProposalDecision:
        """Return the decision about a proposal of this realm."""
        if not self.profile.peace_percent:
            return no("stand-in")
        if self.memory.resents(code):
            broken = self.memory.broken[code]
            return no("grudge", turn=broken, until=broken + self.profile.grudge)
        if code in self._rivals and proposal.what in (PEACE, ALLIANCE):
            return no("rival")
        if proposal.what == PEACE:
            return self._peace(code)
        if self.world.at_war(self.realm, code) or code in self.command.foes:
            return no("at-war")
        if proposal.what == ALLIANCE:
            return self._alliance(code, proposal.other)
        return self._passage(code) if proposal.what == PASSAGE else self._land(code, proposal)

    @property
    def _enemies(self) -> list[str]:
        return [code for code in sorted(self.command.foes) if not self.world.realms[code].defeated]

    @cached_property
    def _rivals(self) -> frozenset[str]:
        return rivals_of(self.command)

    def _peace(self, code: str) -> ProposalDecision:
        """Decide about peace: yes if the war gains nothing, or another realm is the better enemy."""
        if not self.world.at_war(self.realm, code):
            return no("war-pays" if code in self.command.foes else "no-war")
        power = self.command.survey.power
        near = self.command.reach
        other_enemies = [enemy for enemy in self._enemies if enemy != code and enemy in near]
        weaker = [enemy for enemy in other_enemies if power[enemy] <= power[code]]
        common = [enemy for enemy in other_enemies if self.world.at_war(code, enemy)]
        strong = power[code] * 100 >= power[self.realm] * self.profile.peace_percent
        if (
            strong
            or code not in near
            or weaker
            or common
            or self._is_idle(code)
            or self._rivals.intersection(near)
        ):
            return ProposalDecision(
                accepted=True, says="offered", fields={"turn": self.turn + self.figures.stands}
            )
        return no("war-pays")

    def _is_idle(self, code: str) -> bool:
        """Return whether the war with a realm has brought no land for long."""
        began = self.memory.between(self.realm, code, WAR)
        gains = max(began, self.memory.latest(self.realm, code, CONQUEST))
        return self.turn - max(gains, 1) > self.figures.idle

    def _alliance(self, code: str, other: str) -> ProposalDecision:
        """Decide about an alliance: yes against a common enemy, or a realm near to victory.

        Without one, yes if the realm seeks friends.
        """
        offered = ProposalDecision(
            accepted=True, says="offered", fields={"turn": self.turn + self.figures.stands}
        )
        friends = [
            other_realm for other_realm in self.world.realms if self.world.allied(self.realm, other_realm)
        ]
        if code in friends:
            return no("already")
        if (
            len({*friends, *self.command.sheet.lists.get("offer_alliance", ())} - {code})
            >= self.figures.friends
        ):
            return no("friends")
        if too_great_together(self.command, {self.realm, *friends, code}):
            return no("too-great")
        if not other:
            common = any(self.world.at_war(code, enemy) for enemy in self._enemies)
            return offered if common or self.profile.allies else no("no-enemy")
        if other in (self.realm, code) or self.world.realms[other].defeated:
            return no("itself")
        if other in friends:
            return no("friend", other=other)
        if other in self._enemies:
            return offered if self.world.at_war(code, other) else no("fight-first", other=other)
        return self._joint_war(code, other, offered)

    def _joint_war(self, code: str, other: str, offered: ProposalDecision) -> ProposalDecision:
        """Decide about a joint war on a realm that it does not fight, if both are strong enough for it."""
        if self.memory.is_bound(other):
            return no("bound", other=other)
        power = self.command.survey.power
        leads = other in self._rivals
        both = power[self.realm] + power[code]
        worth = (
            power[other] * 100 <= both * self.profile.war_percent and len(self._enemies) < self.profile.wars
        )
        willing = (
            other in self.command.reach and self.world.at_war(code, other) and can_attack(self.command, other)
        )
        if leads or (worth and willing):
            return offered.evolve(war=other if willing else "")
        return no("not-our-enemy", other=other)

    def _passage(self, code: str) -> ProposalDecision:
        """Decide about passage: yes for an ally with a common enemy."""
        if code in self.world.realms[self.realm].passage:
            return no("already")
        helps = any(self.world.at_war(code, enemy) for enemy in self._enemies)
        return (
            ProposalDecision(accepted=True, says="passes")
            if helps and self.world.allied(self.realm, code)
            else no("allies-only")
        )

    def _land(self, code: str, proposal: Proposal) -> ProposalDecision:
        """Decide about a sale of land: yes at its price, once it is paid.

        The last lands, a capital, and land in dispute are never sold.
        """
        land = self.world.provinces[proposal.place]
        if land.owner != self.realm:
            return no("not-ours", place=proposal.place)
        sold = self.command.sheet.gifts.get("give_province", {})
        gifts = [deal for deal in self.command.view.talk.dealings if deal.what == GIVEN]
        own_gifts = sum((deal.realm, deal.other) == (self.realm, code) for deal in gifts)
        is_refused = (
            len(self.command.lands) - len(sold) <= self.figures.keeps
            or own_gifts + len(sold) >= self.figures.sells
        )
        capital = self.command.atlas.locations[proposal.place].capital_of is not None
        if (
            not self.profile.greed_percent
            or is_refused
            or capital
            or sold
            or self.command.is_contested(proposal.place)
        ):
            return no("not-for-sale", place=proposal.place)
        if not self.world.accepts_gifts(code, self.realm):
            return no("no-gifts")
        price = self.price(proposal.place)
        if proposal.gold < price or self.paid(code) < proposal.gold:
            return no("price", place=proposal.place, price=price)
        return ProposalDecision(accepted=True, says="sold", fields={"place": proposal.place})

    def price(self, place: str) -> Decimal:
        """Return the realm's price for a province, in whole gold."""
        worth = Decimal(self.command.survey.value[place]) * self.profile.greed_percent / 100
        return max(Decimal(1), worth.quantize(Decimal(1), ROUND_UP))

    def paid(self, code: str) -> Decimal:
        """Return the gold that a realm sent with the last turn."""
        deals = self.command.view.talk.dealings
        own_deals = (deal for deal in deals if deal.what == GOLD and deal.turn == self.turn - 1)
        return sum(
            (deal.amount for deal in own_deals if (deal.realm, deal.other) == (code, self.realm)), Decimal(0)
        )
