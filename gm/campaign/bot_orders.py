"""The orders of seats that programs play: asked for when the turn is played, and kept with it like everybody's (N3).

A bot sees the position and no order file. What it answers is part of the turn's dice like any other file; a bot that
fails stops nothing: its realm stands still, and the GM is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gm.campaign.open import Campaign
from gm.campaign.plan import TurnPlan, decided
from gm.campaign.withdraw import kept_orders
from gm.core.events import GM, BotFailed, Event
from gm.game.bots import Answer, BotError, FindBot, ask, bot_seed, bot_view
from gm.store.settings import bot_label


def with_bots(campaign: Campaign, plan: TurnPlan, find: FindBot) -> TurnPlan:
    """The plan with the orders of every seat that a bot plays and that has something to order now; ``find`` gives the
    bots by name. Raises nothing for what a bot does or is called."""
    asked = {seat.code: seat.bot for seat in campaign.seats if seat.bot and not seat.out and not seat.waiting}
    if again := kept_orders(campaign):  # what bots ordered in a turn that was taken back is kept like everybody's
        return _with_answers(plan, again.decisions.bots, again.decisions.bot_troubles)
    if not asked:
        return plan
    answers = dict(_answers(campaign, asked, find))
    readings = {realm: answer.reading for realm, answer in answers.items() if answer.reading is not None}
    labels = {realm: bot_label(asked[realm]) for realm in answers}
    troubles = {realm: answer.trouble for realm, answer in answers.items() if answer.trouble}
    plan = _with_answers(plan, labels, troubles)
    fresh, _ = decided(campaign, readings, plan.decisions.evolve(rejections=()))
    files = {realm: answers[realm].data for realm in readings}
    kept = {f"rejected/{realm}-bot.yaml": answers[realm].data for realm in troubles if answers[realm].data}
    return plan.evolve(
        readings=dict(sorted({**plan.readings, **fresh}.items())),
        files=dict(sorted({**plan.files, **files}.items())),
        rejected_files={**plan.rejected_files, **kept},
    )


def _with_answers(plan: TurnPlan, labels: Mapping[str, str], troubles: Mapping[str, str]) -> TurnPlan:
    """The plan with what is known of its bots."""
    return plan.evolve(
        decisions=plan.decisions.evolve(bots=labels, bot_troubles=troubles),
        events=(*plan.events, *bot_events(labels, troubles)),
    )


def bot_events(labels: Mapping[str, str], troubles: Mapping[str, str]) -> tuple[Event, ...]:
    """What the log says of bots that gave no orders."""
    return tuple(
        BotFailed(audience=GM, realm=realm, bot=labels.get(realm, ""), why=why) for realm, why in troubles.items()
    )


def _answers(campaign: Campaign, asked: Mapping[str, str], find: FindBot) -> Iterator[tuple[str, Answer]]:
    settings = campaign.folder.settings
    for realm, name in asked.items():
        try:
            bot = find(name)
        except (ValueError, BotError) as error:
            yield realm, Answer(trouble=str(error))
            continue
        view = bot_view(
            campaign.spec,
            campaign.table,
            campaign.state,
            realm,
            game=settings.id,
            key=campaign.keys.get(realm, ""),
            seed=bot_seed(settings.master(campaign.next_turn), settings.id, campaign.next_turn, realm),
        )
        yield realm, ask(campaign.spec, bot, view)
