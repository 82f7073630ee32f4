"""A bot's decisions about proposals, in letters or by offers, and their reasons.

A decision depends on the public position and on the realm's memory. The realm sells no land below its worth
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

    ``says``: the key of the reason in ``bots/talk.yaml``; ``fields``: the values of that text, by name;
    ``war``: the code of the realm on which the bot declares war because of the proposal, or empty.
    """

    accepted: bool
    says: str
    fields: Mapping[str, Any] = {}
    war: str = ""


def no(says: str, **fields: Any) -> ProposalDecision:
    """Return a refusal; ``says``: the key of the reason in ``bots/talk.yaml``, ``fields``: its values."""
    return ProposalDecision(accepted=False, says=says, fields=fields)


class Judgement:
    """One realm's decisions about the proposals of others."""

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
        """Return the decision about a proposal of the realm ``code``."""
        if not self.profile.peace_percent:  # the profile makes no peace, nor any other deal
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
        """The codes of the foes that are not defeated."""
        return [code for code in sorted(self.command.foes) if not self.world.realms[code].defeated]

    @cached_property
    def _rivals(self) -> frozenset[str]:
        """The codes of the realms that are near to victory."""
        return rivals_of(self.command)

    def _peace(self, code: str) -> ProposalDecision:
        """Decide about peace with the realm ``code``; no if there is no war, or it was declared this turn.

        Yes if the realm is strong or out of reach, or the war has gained nothing for long. Yes also if
        another enemy in reach is no stronger, or is at war with that realm, too, or if a realm near to
        victory is in reach.
        """
        if not self.world.at_war(self.realm, code):
            # a war that is declared this turn is in ``foes`` only
            return no("war-pays" if code in self.command.foes else "no-war")
        power = self.command.survey.power
        near = self.command.reach
        other_enemies = [enemy for enemy in self._enemies if enemy != code and enemy in near]
        has_weaker_enemy = any(power[enemy] <= power[code] for enemy in other_enemies)
        has_common_enemy = any(self.world.at_war(code, enemy) for enemy in other_enemies)
        is_strong = power[code] * 100 >= power[self.realm] * self.profile.peace_percent
        if (
            is_strong
            or code not in near
            or has_weaker_enemy
            or has_common_enemy
            or self._is_idle(code)
            or self._rivals.intersection(near)
        ):
            return ProposalDecision(
                accepted=True, says="offered", fields={"turn": self.turn + self.figures.stands}
            )
        return no("war-pays")

    def _is_idle(self, code: str) -> bool:
        """Return whether the war with a realm has brought no land for more than ``figures.idle`` turns."""
        began = self.memory.between(self.realm, code, WAR)
        last_gain = max(began, self.memory.latest(self.realm, code, CONQUEST))
        # 0: before the turns that are recalled, or at war from the start
        return self.turn - max(last_gain, 1) > self.figures.idle

    def _alliance(self, code: str, other: str) -> ProposalDecision:
        """Decide about an alliance with the realm ``code``.

        ``other``: the realm against which it is proposed, or empty. Yes if that is a common enemy, or becomes
        one (:meth:`_joint_war`); if it is empty, yes if there is a common enemy or the realm seeks allies.
        No in any case to an ally, if the realm has friends enough, or if they would be too great together.
        """
        offered = ProposalDecision(
            accepted=True, says="offered", fields={"turn": self.turn + self.figures.stands}
        )
        allies = [ally for ally in self.world.realms if self.world.allied(self.realm, ally)]
        if code in allies:
            return no("already")
        perhaps_allies = {*allies, *self.command.sheet.lists.get("offer_alliance", ())}
        if len(perhaps_allies - {code}) >= self.figures.friends:
            return no("friends")
        if too_great_together(self.command, {self.realm, *allies, code}):
            return no("too-great")
        if not other:
            has_common_enemy = any(self.world.at_war(code, enemy) for enemy in self._enemies)
            return offered if has_common_enemy or self.profile.allies else no("no-enemy")
        if other in (self.realm, code) or self.world.realms[other].defeated:
            return no("itself")
        if other in allies:
            return no("friend", other=other)
        if other in self._enemies:
            return offered if self.world.at_war(code, other) else no("fight-first", other=other)
        return self._joint_war(code, other, offered)

    def _joint_war(self, code: str, other: str, offered: ProposalDecision) -> ProposalDecision:
        """Decide about an alliance with ``code`` against ``other``, with which this realm is not at war yet.

        Yes against a realm near to victory, or a weak one that ``code`` fights already. Return ``offered``
        then, with the war to be declared if this realm may and can fight.
        """
        if self.memory.is_bound(other):
            return no("bound", other=other)
        power = self.command.survey.power
        is_near_victory = other in self._rivals
        joint_power = power[self.realm] + power[code]
        is_weak = power[other] * 100 <= joint_power * self.profile.war_percent
        wants_war = is_weak and len(self._enemies) < self.profile.wars
        can_join = (
            other in self.command.reach and self.world.at_war(code, other) and can_attack(self.command, other)
        )
        if is_near_victory or (wants_war and can_join):
            return offered.evolve(war=other if can_join else "")
        return no("not-our-enemy", other=other)

    def _passage(self, code: str) -> ProposalDecision:
        """Decide about passage: yes for an ally with a common enemy, unless the realm grants it already."""
        if code in self.world.realms[self.realm].passage:
            return no("already")
        has_common_enemy = any(self.world.at_war(code, enemy) for enemy in self._enemies)
        if has_common_enemy and self.world.allied(self.realm, code):
            return ProposalDecision(accepted=True, says="passes")
        return no("allies-only")

    def _land(self, code: str, proposal: Proposal) -> ProposalDecision:
        """Decide about a sale of land to the realm ``code``: yes at its price, once it is paid.

        The last lands, a capital, and contested land are never sold, and nothing by a profile without greed.
        Only one province is sold in a turn, and few to one realm in the turns that the bot recalls.
        """
        land = self.world.provinces[proposal.place]
        if land.owner != self.realm:
            return no("not-ours", place=proposal.place)
        sold_now = self.command.sheet.gifts.get("give_province", {})
        gifts = [deal for deal in self.command.view.talk.dealings if deal.what == GIVEN]
        sold_before = sum((deal.realm, deal.other) == (self.realm, code) for deal in gifts)
        is_too_much = (
            len(self.command.lands) - len(sold_now) <= self.figures.keeps
            or sold_before + len(sold_now) >= self.figures.sells
        )
        is_capital = self.command.atlas.locations[proposal.place].capital_of is not None
        if (
            not self.profile.greed_percent
            or is_too_much
            or is_capital
            or sold_now
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
        """Return the price at which the realm sells a province, in whole gold."""
        worth = Decimal(self.command.survey.value[place]) * self.profile.greed_percent / 100
        return max(Decimal(1), worth.quantize(Decimal(1), ROUND_UP))

    def paid(self, code: str) -> Decimal:
        """Return the gold that the realm ``code`` sent to this one in the last turn."""
        deals = self.command.view.talk.dealings
        gold_sent = (deal for deal in deals if deal.what == GOLD and deal.turn == self.turn - 1)
        return sum(
            (deal.amount for deal in gold_sent if (deal.realm, deal.other) == (code, self.realm)), Decimal(0)
        )
