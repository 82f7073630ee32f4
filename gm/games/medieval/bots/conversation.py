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
"""Of what both must say: the word of the order, and what it is called when nobody returned it."""
_KINDS = {offered: what for what, (_, offered) in _OFFERS.items()}


class Conversation:
    """The talk of one realm in a turn; its orders are added to the command's order file."""

    def __init__(self, command: Command) -> None:
        """Prepare for a turn's letters."""
        self._command = command
        self._talk = command.view.talk
        self._memory = command.memory
        self._realm = command.realm
        self._turn = command.view.turn
        self._figures = talk_file().figures
        self._judgement = Judgement(command)
        self._lines: dict[str, list[str]] = {}  # what is written to each realm

    def answer(self) -> None:
        """Order what the realm agrees to, of all proposals."""
        heard = {letter.author for letter in self._talk.letters}
        for (code, other), deals in self._talk.between.items():
            if other == self._realm and any(deal.what in _KINDS for deal in deals):
                heard.add(code)
        for code in sorted(heard - {self._realm}):
            if code in self._command.world.realms and not self._command.world.realms[code].defeated:
                self._answer(code)

    def tell(self) -> None:
        """Write the letters: the answers, and the realm's own offers."""
        for code in sorted(self._talk.readers):
            for what, (word, offered) in _OFFERS.items():
                lately = self._memory.latest(self._realm, code, offered) >= self._turn - self._figures.tells
                if code in self._command.sheet.lists.get(word, {}) and not lately and code not in self._lines:
                    self._translate(
                        code, "propose", Proposal(what), phrase(self._language(code), "offered-now")
                    )
            if code in self._lines:
                self._command.sheet.letters[code] = "\n".join(self._lines[code])

    def _answer(self, code: str) -> None:
        """Accept or refuse a realm's proposals, in letters and offers of the last turn."""
        proposals = [*dict.fromkeys(self._asked(code, self._turn - 1))][: self._figures.most]
        kinds = {proposal.what for proposal in proposals}
        offered = [proposal for proposal in self._offered(code, self._turn - 1) if proposal.what not in kinds]
        sold = False
        for proposal in (*proposals, *offered):
            verdict = self._judgement.verdict(code, proposal)
            is_said = proposal.what in _OFFERS and self._memory.latest(
                self._realm, code, _OFFERS[proposal.what][1]
            )
            if verdict.accepted:
                self._order(code, proposal, verdict)
                sold = sold or proposal.what == LAND
            if proposal in proposals or (verdict.accepted and not is_said):
                self._reply(code, proposal, verdict)
        if not sold and any(proposal.what == LAND for proposal in proposals):
            self._pay_back(code)
        self._stand_by_offers(code)

    def _reply(self, code: str, proposal: Proposal, verdict: ProposalDecision) -> None:
        """Write to a realm whether its proposal is accepted, and why."""
        says = phrase(self._language(code), verdict.says, **verdict.fields)
        war = f" {phrase(self._language(code), 'war-declared', other=verdict.war)}" if verdict.war else ""
        self._translate(code, "accept" if verdict.accepted else "refuse", proposal, says + war)

    def _asked(self, code: str, turn: int) -> Iterator[Proposal]:
        """Yield a realm's proposals in the letters of a turn; a letter that is not understood gets advice."""
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
                own_proposals = (
                    *self._offered(self._realm, turn - 1, code),
                    *self._offered(self._realm, turn, code),
                )
                yield from own_proposals if proposal.what == ACCEPT else (proposal,)
            if not meaning.proposals and letter.alone and turn == self._turn - 1:
                near = [phrase(language, "near", word=meaning.near)] if meaning.near else []
                self._lines.setdefault(code, []).append(" ".join([*near, phrase(language, "help")]))

    def _offered(self, code: str, turn: int, to: str = "") -> list[Proposal]:
        """Return a realm's offers to us (or to another) in a turn that were not returned."""
        deals = self._talk.between.get((code, to or self._realm), ())
        return [Proposal(_KINDS[deal.what]) for deal in deals if deal.turn == turn and deal.what in _KINDS]

    def _order(self, code: str, proposal: Proposal, verdict: ProposalDecision) -> None:
        """Order the consequences of an accepted proposal."""
        sheet = self._command.sheet
        if proposal.what in _OFFERS:
            sheet.headquarters(_OFFERS[proposal.what][0], code, "agreed")
        elif proposal.what == PASSAGE:
            sheet.headquarters("grant_passage", code, "agreed")
        elif proposal.what == LAND:
            sheet.gifts.setdefault("give_province", {})[proposal.place] = code
        if verdict.war and verdict.war not in self._command.foes:
            self._command.declare_war(verdict.war, "agreed")

    def _stand_by_offers(self, code: str) -> None:
        """Repeat an offer that was asked for, for some turns."""
        turns = range(self._turn - self._figures.stands, self._turn - 1)
        proposals: set[str] = set()
        for turn in turns:
            proposals.update(
                proposal.what for proposal in (*self._asked(code, turn), *self._offered(code, turn))
            )
        own_offers = {proposal.what for proposal in self._offered(self._realm, self._turn - 1, code)}
        for agreed in sorted(proposals & own_offers):
            open_to = self._command.world.at_war(self._realm, code) is (agreed == PEACE)
            if (
                open_to
                and not self._memory.resents(code)
                and (agreed == PEACE or code not in self._command.foes)
            ):
                self._command.sheet.headquarters(_OFFERS[agreed][0], code, "agreed")

    def _pay_back(self, code: str) -> None:
        """Send back the payment for a province that is not sold, less the fee (L2)."""
        gold_sent = self._judgement.paid(code)
        fee = self._command.rules.economy.gold_fee_percent
        back = (gold_sent * 100 / (100 + fee)).quantize(CENT, ROUND_DOWN)
        takes = self._command.world.accepts_gifts(code, self._realm)
        if back > 0 and takes and self._command.spend(gold_sent):
            self._command.sheet.gifts.setdefault("send_gold", {})[code] = back
            self._lines.setdefault(code, []).append(phrase(self._language(code), "back", gold=f"{back:f}"))

    def _language(self, code: str) -> str:
        return self._talk.readers.get(code, "")

    def _translate(self, code: str, word: str, proposal: Proposal, why: str) -> None:
        language = self._language(code)
        head = phrase(language, word, proposal=put_in_words(proposal, language))
        self._lines.setdefault(code, []).append(f"{head} {why}")
