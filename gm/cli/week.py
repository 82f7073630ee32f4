"""``gm week``: everything that the post of a game needs, as far as the clock says. Made for cron."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Annotated

import click

from gm.bots.registry import bots_of
from gm.campaign.plan import turn_plan, with_bots
from gm.cli.options import FOLDER, At, Games, argument, gm_command, option
from gm.cli.output import REFUSED, Failure, as_failure, complain, warn
from gm.cli.postal import (
    Visit,
    clock_of,
    fetch_for,
    found_games,
    open_post,
    print_delivery,
    print_fetched,
    reachable,
    speaking,
    visits,
)
from gm.cli.session import game_time, note_action
from gm.cli.turn import play, print_played
from gm.core.diagnostics import SourceError
from gm.mail.compose import Writer
from gm.mail.exchange import send_letters
from gm.mail.game_mail import GameMail
from gm.mail.results import notify_waiting, publish_results
from gm.mail.status import new_complaints, problems
from gm.mail.week import Guard, Plan, Waits, plan_of, situation_of
from gm.store import StoreError


@gm_command("week")
def command(
    games: Annotated[tuple[Path, ...], argument(nargs=-1, type=FOLDER)],
    anyway: Annotated[bool, option("--anyway", is_flag=True)],
    publish: Annotated[bool, option("--publish", is_flag=True)],
    quiet: Annotated[bool, option("--quiet", "-q", is_flag=True)],
    pretend_now: Annotated[str | None, option("--pretend-now", metavar="TIME")],
    at: At,
    game_folders: Games,
) -> int:
    folders = (*games, *game_folders)
    if (anyway or publish) and len(found_games(folders)) > 1:
        raise click.UsageError("--anyway and --publish are a word about one game: say which, with --game.")
    if pretend_now is not None:
        for folder in (found := found_games(folders)):
            with speaking(Visit(folder, alone=len(found) == 1)):
                post = open_post(folder)
                _pretend(post, game_time(post.campaign, pretend_now), anyway, publish)
        return 0
    with visits(folders) as served:
        fetch_for(served, lambda visit: game_time(visit.post.campaign, at))
        for visit in served:
            with speaking(visit):
                if visit.failure is None:
                    visit.attempt(partial(_serve, visit, at, anyway, publish, quiet))
                visit.stack.close()
                _complain(visit, quiet)
    return max((each.code for each in served), default=REFUSED)


def _serve(visit: Visit, at: str | None, anyway: bool, publish: bool, quiet: bool) -> None:
    """The week of one game, after its mailbox was read."""
    post, now, fetched = visit.post, game_time(visit.post.campaign, at), visit.fetched
    if fetched is not None:
        print_fetched(fetched, quiet=quiet)
    plan, post = _act(post, now, anyway, publish)
    with reachable():
        delivery = send_letters(post, clock_of(at, now), claimed=fetched is not None)
    post.outbox.tidy(now)
    print_delivery(delivery, quiet=quiet)
    visit.says += [each.says for each in problems(post)]
    for wait in plan.waits if not quiet else ():
        warn(f"Waiting for you: {wait.says}.")
    if fetched is not None and quiet:
        visit.says += fetched.troubles
    trouble = fetched is None or bool(fetched.troubles or fetched.problem or fetched.lost)
    if plan.waits or trouble or visit.says or delivery.failed:
        visit.code = max(visit.code, REFUSED)


def _complain(visit: Visit, quiet: bool) -> None:
    """Say what is wrong with a game; to cron what it has not heard yet."""
    says = [*visit.says, *([visit.failure.format_message()] if visit.failure else [])]
    new = says
    if quiet or visit.failure is None:  # what somebody was told who typed the command, cron need not tell
        heard = new_complaints(visit.folder, says)
        new = heard if quiet else says
    for each in visit.says:
        if each in new:
            complain(each)
    if visit.failure is not None and says[-1] in new:
        visit.failure.show()


def _act(post: GameMail, now: datetime, anyway: bool, publish: bool) -> tuple[Plan, GameMail]:
    """Everything between fetching and sending; returns what the plan was at its end, and the post as it is then."""
    plan = plan_of(situation_of(post, now), anyway=anyway, publish=publish)
    if plan.publish:
        if publish:
            note_action(post.campaign, "week --publish", turn=post.campaign.newest_turn)
        _publish(post, now)
        # the GM's word was for these results, not for those that he has not seen yet
        plan = plan_of(situation_of(post, now), anyway=anyway)
    _remind(post, plan, now)
    if plan.play and anyway:
        note_action(post.campaign, "week --anyway", turn=post.campaign.next_turn)
    if plan.play and (broken := _play(post)):
        plan = Plan(waits=(Waits(Guard.BROKEN, f"turn {post.campaign.next_turn} cannot be played: {broken}"),))
    elif plan.play:
        post = GameMail(post.campaign.reopened())
        plan = plan_of(situation_of(post, now))
        if plan.publish:
            _publish(post, now)
    # the GM hears of each thing that waits for him, once
    if waits := [each for each in plan.waits if each.guard is not Guard.HOLD]:
        notify_waiting(post, waits, now)
    return plan, post


def _publish(post: GameMail, now: datetime) -> None:
    queued = publish_results(post, now)
    click.echo(f"The results of turn {post.campaign.newest_turn} go out to {queued} players.")


def _remind(post: GameMail, plan: Plan, now: datetime) -> None:
    unreadable = situation_of(post, now).unreadable if plan.remind else ()
    for realm, hours in plan.remind:
        if post.address(realm):
            post.queue(Writer(post, now).reminder(realm, hours, unreadable=realm in unreadable), now)
            click.echo(f"{realm} is reminded.")


def _play(post: GameMail) -> str:
    """Play the turn; returns why it could not be played, for the GM. Letters go out all the same."""
    try:
        plan = with_bots(post.campaign, turn_plan(post.campaign), bots_of(post.campaign.spec, post.game_folder))
        print_played(post.campaign, plan, play(post.campaign, plan))
    except Failure as error:
        return error.message.rstrip(".")
    except (StoreError, SourceError) as error:
        return click.unstyle(as_failure(error).message).rstrip(".")
    return ""


def _pretend(post: GameMail, now: datetime, anyway: bool, publish: bool) -> None:
    situation = situation_of(post, now)
    plan = plan_of(situation, anyway=anyway, publish=publish)
    click.echo(f"At {now:%A %Y-%m-%d %H:%M} this would be done, with the letters that are here now:")
    done = ["the mailbox would be read and every letter answered"]
    done += [f"{realm} would be reminded ({hours} hours)" for realm, hours in plan.remind]
    done += [f"the results of turn {situation.turn - 1} would be mailed"] if plan.publish else []
    done += [f"turn {situation.turn} would be played"] if plan.play else []
    done += [f"it would wait for you: {each.says}" for each in plan.waits]
    click.echo("\n".join(f"  {each}" for each in done))
    click.echo("Nothing was done.")
