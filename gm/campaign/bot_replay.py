"""Bots asked again about a played turn: what they answer must be what the turn was played with."""

from __future__ import annotations

from collections.abc import Iterator

from gm.campaign.open import Campaign
from gm.campaign.stored_turn import StoredTurn
from gm.game.bots import ask, bot_seed, bot_view


def answered_again(campaign: Campaign, archived: StoredTurn) -> Iterator[tuple[str, bytes]]:
    """(party, order file) of each bot that comes with the game.

    Of a game whose master secret is not that of the turn any more (an archive without keys was given a new one), and of
    bots that come from elsewhere, nothing can be told.
    """
    settings, spec, plan = campaign.folder.settings, campaign.spec, archived.plan
    proof = archived.proof
    if campaign.proof(archived.turn, plan.files).secret != proof.secret:
        return
    if proof.renewed and not proof.renewed[-1].reopened:
        return  # they were asked when the turn was played first
    for realm, name in plan.decisions.bots.items():
        if name not in spec.bots or realm not in plan.readings:
            continue
        view = bot_view(
            spec,
            campaign.table,
            archived.opened,
            realm,
            game=settings.id,
            # the key that it was given is in its answer
            key=plan.readings[realm].key,
            seed=bot_seed(settings.master(archived.turn), settings.id, archived.turn, realm),
        )
        yield realm, ask(spec, spec.bots[name], view).data
