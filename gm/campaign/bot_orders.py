"""Orders of bots for a turn, for the parties that they play or act for.

A bot sees the position and no order file; its answer is part of the turn's dice (N3).
"""

from collections.abc import Mapping

from gm.campaign.absence import deputies
from gm.campaign.open import Campaign
from gm.campaign.plan import TurnPlan, decided, plan_events
from gm.campaign.talk import talk_before
from gm.game.bots import Answer, BotError, FindBot, ask, bot_seed, bot_view
from gm.game.talk import Talk
from gm.game.values import View
from gm.store.settings import bot_label


def with_bots(campaign: Campaign, plan: TurnPlan, find: FindBot) -> TurnPlan:
    """Return the plan with its bots' orders; ``find`` returns a bot by its name.

    Raises ``StoreError`` for a damaged log of an earlier turn; nothing that a bot does is raised.
    """
    acting = deputies(campaign, (seat.code for seat in plan.missing))
    asked_bots = bots_to_ask(campaign) | acting
    if campaign.kept or not asked_bots:
        return plan
    talk = talk_before(campaign, campaign.next_turn, plan.decisions, campaign.state)
    answers = {realm: _answer(campaign, realm, name, find, talk) for realm, name in asked_bots.items()}
    troubles = {realm: answer.trouble for realm, answer in answers.items() if answer.trouble}
    labels = {realm: bot_label(name) for realm, name in asked_bots.items()}
    acted = tuple(sorted(acting.keys() - troubles.keys()))
    decisions = plan.decisions.evolve(bots=labels, bot_troubles=troubles, deputies=acted)
    return _with_answers(campaign, plan.evolve(decisions=decisions), answers)


def _with_answers(campaign: Campaign, plan: TurnPlan, answers: Mapping[str, Answer]) -> TurnPlan:
    """Return the plan with the answers of bots, which its decisions name already."""
    readings = {realm: answer.reading for realm, answer in answers.items() if answer.reading is not None}
    fresh, _ = decided(campaign, readings, plan.decisions.evolve(rejections=()))
    files = {
        f"rejected/{realm}-bot.yaml": answer.data
        for realm, answer in answers.items()
        if answer.trouble and answer.data
    }
    return plan.evolve(
        readings=dict(sorted({**plan.readings, **fresh}.items())),
        rejected_files={**plan.rejected_files, **files},
        events=(*plan.events, *plan_events((), (), plan.decisions)),
    )


def bots_to_ask(campaign: Campaign) -> dict[str, str]:
    """Return the bot of each party that one plays, and that has something to order."""
    return {seat.code: seat.bot for seat in campaign.seats if seat.bot and not seat.out and not seat.waiting}


def view_of_bot(campaign: Campaign, realm: str, talk: Talk) -> View:
    """Return what the bot of a party is shown before the next turn: none of the orders in the inbox (N3)."""
    settings = campaign.folder.settings
    turn = campaign.next_turn
    seed = bot_seed(settings.master(turn), settings.id, turn, realm)
    own = {"game": settings.id, "key": campaign.keys.get(realm, ""), "seed": seed}
    return bot_view(campaign.spec, campaign.table, campaign.state, realm, **own, talk=talk)


def _answer(campaign: Campaign, realm: str, name: str, find: FindBot, talk: Talk) -> Answer:
    try:
        bot = find(name)
    except (ValueError, BotError) as error:
        return Answer(trouble=str(error))
    return ask(campaign.spec, bot, view_of_bot(campaign, realm, talk))
