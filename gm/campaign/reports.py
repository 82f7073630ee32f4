"""The reports of a turn, made when it is played and, from state, orders and log, at any time after."""

from __future__ import annotations

from collections.abc import Mapping

from gm.campaign.open import Campaign
from gm.campaign.play import PARTY_FILES, report_files
from gm.campaign.stored_turn import archived_turn
from gm.game.turn_result import TurnResult


def played_turn(campaign: Campaign, turn: int) -> TurnResult:
    """A turn as it was played, from its folder. Turn 0 is the start. Raises ``StoreError``."""
    folder = campaign.folder
    after = campaign.state_after(turn)
    words = folder.settings.deadline.words(turn + 1)
    if turn == 0:
        return TurnResult(
            game=folder.settings.id,
            before=after,
            after=after,
            events=(),
            keys=campaign.keys_of(1),
            deadline=words,
            next_seal=folder.turn_record(0).get("next_seal") or campaign.seal(1),
            languages=campaign.languages,
            programs=campaign.programs,
        )
    archived = archived_turn(campaign, turn)
    return TurnResult(
        game=folder.settings.id,
        before=archived.before,
        after=after,
        events=campaign.logged(turn),
        readings=archived.plan.readings,
        keys=campaign.keys_of(turn + 1),
        set_aside=archived.plan.set_aside,
        deadline=words,
        proof=archived.proof,
        next_seal=archived.record.get("next_seal") or campaign.seal(turn + 1),
        tally=campaign.tally(turn),
        languages=archived.plan.decisions.languages,
        programs=archived.plan.decisions.programs,
    )


def turn_reports(campaign: Campaign, turn: int, *, everybody: bool = False) -> Mapping[str, bytes]:
    """The report files of a played turn, made again; for ``everybody``, also those of seats that bots play."""
    return report_files(campaign, played_turn(campaign, turn), everybody=everybody)


def party_reports(campaign: Campaign, turn: int, party: str) -> dict[str, bytes]:
    """The report files of a played turn that are for one party, whoever plays it, made again."""
    made = turn_reports(campaign, turn, everybody=True)
    return {name: made[name] for form in PARTY_FILES if (name := form.format(party)) in made}
