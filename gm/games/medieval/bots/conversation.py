"""A bot's part in the talk of a turn.

It answers the proposals of the last turn, gives the orders that it agreed to, and tells people of its own
offers. Bots answer each other by orders alone.
"""

from collections.abc import Iterator
from decimal import ROUND_DOWN

from gm.core.orders.reading import NameIndex
from gm.core.values import CENT
from gm.games.medieval.analysis.dealings import ALLIANCE_OFFERED, PEACE_OFFERED
from gm.games.medieval.bots.command import Command
from gm.games.medieval.bots.diplomacy import Judgement, ProposalDecision
from gm.games.medieval.bots.proposals import (
    ACCEPT,
    ALLIANCE,
    LAND,
    PASSAGE,
    PEACE,
    Proposal,
    phrase,
    put_in_words,
    understood,
)
from gm.games.medieval.data.clauses_data import talk_file

_OFFERS = {PEACE: ("offer_peace", PEACE_OFFERED), ALLIANCE: ("offer_alliance", ALLIANCE_OFFERED)}
"""What both realms have to offer: the word of the order, and the dealing of an offer in vain."""
_OFFERED = {dealing: what for what, (_, dealing) in _OFFERS.items()}
"""What was offered, by the dealing of an offer in vain."""


class Conversation:
    """One bot's part in the talk of a turn: letters that it answers and writes.

    What it agrees to is ordered in the order file of its ``command``.
    """

    def __init__(self, command: Command) -> None:
        """Prepare for a turn's letters."""
        self._command = command
        self._talk = command.view.talk
        self._memory = command.memory
        self._realm = command.realm
        self._turn = command.view.turn
        self._figures = talk_file().figures
        self._judgement = Judgement(command)
        self._lines: dict[str, list[str]] = {}  # of the letter to each realm, by its code

    def answer(self) -> None:
        """Answer all proposals of the last turn, and order what the realm agrees to."""
        # the realms that wrote letters or made this one offers
        heard = {letter.author for letter in self._talk.letters}
        for (code, other), deals in self._talk.between.items():
            if other == self._realm and any(deal.what in _OFFERED for deal in deals):
                heard.add(code)
        for code in sorted(heard - {self._realm}):
            if code in self._command.world.realms and not self._command.world.realms[code].defeated:
                self._answer(code)

    def tell(self) -> None:
        """Write the letters to those who read any: the answers, and news of the realm's own offers.

        An offer is told only if the letter says nothing else, and the same offer was not made in vain lately.
        """
        for code in sorted(self._talk.readers):
            for what, (word, offered) in _OFFERS.items():
                offered_lately = (
                    self._memory.latest(self._realm, code, offered) >= self._turn - self._figures.tells
                )
                offers_now = code in self._command.sheet.lists.get(word, {})
                if offers_now and not offered_lately and code not in self._lines:
                    self._write(code, "propose", Proposal(what), phrase(self._language(code), "offered-now"))
            if code in self._lines:
                self._command.sheet.letters[code] = "\n".join(self._lines[code])

    def _answer(self, code: str) -> None:
        """Accept or refuse a realm's proposals, in letters and offers of the last turn."""
        in_letters = [*dict.fromkeys(self._proposals(code, self._turn - 1))][: self._figures.most]
        kinds = {proposal.what for proposal in in_letters}
        by_orders = [
            proposal for proposal in self._offers(code, self._turn - 1) if proposal.what not in kinds
        ]
        is_land_sold = False
        for proposal in (*in_letters, *by_orders):
            verdict = self._judgement.verdict(code, proposal)
            has_offered_before = self._has_offered(code, proposal.what)
            if verdict.accepted:
                self._order(code, proposal, verdict)
                is_land_sold = is_land_sold or proposal.what == LAND
            # a mere offer is answered once: later our own offer is answer enough
            if proposal in in_letters or (verdict.accepted and not has_offered_before):
                self._reply(code, proposal, verdict)
        if not is_land_sold and any(proposal.what == LAND for proposal in in_letters):
            self._pay_back(code)
        self._stand_by_offers(code)

    def _has_offered(self, code: str, what: str) -> bool:
        """Return whether this realm has lately offered another one peace or an alliance in vain.

        ``what``: the kind of the proposal, as ``PEACE``; False for all other kinds.
        """
        if what not in _OFFERS:
            return False
        _, dealing = _OFFERS[what]
        # 0 stands for never, as far as the talk goes back
        return self._memory.latest(self._realm, code, dealing) > 0

    def _reply(self, code: str, proposal: Proposal, verdict: ProposalDecision) -> None:
        """Write to a realm whether its proposal is accepted, and why."""
        language = self._language(code)
        reason = phrase(language, verdict.says, **verdict.fields)
        war = f" {phrase(language, 'war-declared', other=verdict.war)}" if verdict.war else ""
        self._write(code, "accept" if verdict.accepted else "refuse", proposal, reason + war)

    def _proposals(self, code: str, turn: int) -> Iterator[Proposal]:
        """Yield a realm's proposals in its letters of a turn.

        A letter that accepts proposes what we offered in that turn or the one before. A letter of the last
        turn that is not understood, and is to us alone, is answered with advice.
        """
        letters = [letter for letter in self._talk.letters if letter.author == code and letter.turn == turn]
        if not letters:
            return
        command = self._command
        language = self._language(code)
        code_of_name = {realm.name: key for key, realm in command.world.realms.items()}
        realms = NameIndex("realm", command.world.realms, code_of_name)
        provinces = NameIndex("province", command.atlas.provinces)
        for letter in letters:
            meaning = understood(letter.text, realms, provinces)
            for proposal in meaning.proposals:
                if proposal.what != ACCEPT:
                    yield proposal
                    continue
                yield from self._offers(self._realm, turn - 1, code)
                yield from self._offers(self._realm, turn, code)
            if not meaning.proposals and letter.alone and turn == self._turn - 1:
                near = [phrase(language, "near", word=meaning.near)] if meaning.near else []
                self._lines.setdefault(code, []).append(" ".join([*near, phrase(language, "help")]))

    def _offers(self, code: str, turn: int, to: str = "") -> list[Proposal]:
        """Return the offers that a realm made in a turn to us, or to ``to``, and that were not returned."""
        deals = self._talk.between.get((code, to or self._realm), ())
        return [
            Proposal(_OFFERED[deal.what]) for deal in deals if deal.turn == turn and deal.what in _OFFERED
        ]

    def _order(self, code: str, proposal: Proposal, verdict: ProposalDecision) -> None:
        """Order what follows from accepting a proposal of the realm ``code``, also the war of the verdict."""
        sheet = self._command.sheet
        if proposal.what in _OFFERS:
            word, _ = _OFFERS[proposal.what]
            sheet.headquarters(word, code, "agreed")
        elif proposal.what == PASSAGE:
            sheet.headquarters("grant_passage", code, "agreed")
        elif proposal.what == LAND:
            sheet.gifts.setdefault("give_province", {})[proposal.place] = code
        if verdict.war and verdict.war not in self._command.foes:
            self._command.declare_war(verdict.war, "agreed")

    def _stand_by_offers(self, code: str) -> None:
        """Repeat the offers of the last turn that the other realm asked for in one of the turns before.

        Left out are those that are no longer possible or wanted.
        """
        turns = range(self._turn - self._figures.stands, self._turn - 1)
        asked_for: set[str] = set()
        for turn in turns:
            asked_for.update(
                proposal.what for proposal in (*self._proposals(code, turn), *self._offers(code, turn))
            )
        own_offers = {proposal.what for proposal in self._offers(self._realm, self._turn - 1, code)}
        for what in sorted(asked_for & own_offers):
            # peace is possible in war only, an alliance in peace only
            is_possible = self._command.world.at_war(self._realm, code) is (what == PEACE)
            if (
                is_possible
                and not self._memory.resents(code)
                and (what == PEACE or code not in self._command.foes)
            ):
                word, _ = _OFFERS[what]
                self._command.sheet.headquarters(word, code, "agreed")

    def _pay_back(self, code: str) -> None:
        """Send back the payment for a province that is not sold, less the fee (L2), and say so in a letter.

        Nothing is sent if the realm takes no gifts, or if the gold is not at hand any more.
        """
        gold_sent = self._judgement.paid(code)
        fee = self._command.rules.economy.gold_fee_percent
        back = (gold_sent * 100 / (100 + fee)).quantize(CENT, ROUND_DOWN)
        is_accepted = self._command.world.accepts_gifts(code, self._realm)
        # ``gold_sent`` pays for ``back`` and for the fee of sending it
        if back > 0 and is_accepted and self._command.spend(gold_sent):
            self._command.sheet.gifts.setdefault("send_gold", {})[code] = back
            self._lines.setdefault(code, []).append(phrase(self._language(code), "back", gold=f"{back:f}"))

    def _language(self, code: str) -> str:
        """Return the language in which a realm's letters are read; empty if nobody reads them."""
        return self._talk.readers.get(code, "")

    def _write(self, code: str, word: str, proposal: Proposal, why: str) -> None:
        """Add a line about a proposal to the letter to a realm, in its language.

        ``word``: the key of the line's beginning (``propose``, ``accept`` or ``refuse``) in
        ``bots/talk.yaml``.
        """
        language = self._language(code)
        head = phrase(language, word, proposal=put_in_words(proposal, language))
        self._lines.setdefault(code, []).append(f"{head} {why}")
