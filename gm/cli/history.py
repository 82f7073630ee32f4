"""``pbem history``: the whole course of a game so far, as a page, an animated picture or a JSON file."""

from functools import partial
from pathlib import Path
from typing import Annotated

import click

from gm.cli.options import NEW_FILE, Game, gm_command, option
from gm.cli.output import Failure, echo, shown_path, write_page
from gm.cli.session import known_seat, open_campaign
from gm.cli.working import in_turn
from gm.core.diagnostics import says
from gm.text.languages import ENGLISH

FILM_WIDTH = 1000


@gm_command("history")
def history(
    out: Annotated[Path | None, option("--out", "-o", type=NEW_FILE, metavar="FILE")],
    realm: Annotated[str | None, option("--realm", metavar="CODE")],
    language: Annotated[str, option("--language", metavar="CODE", default=ENGLISH, show_default=True)],
    width: Annotated[
        int, option("--width", type=click.IntRange(100, 4000), default=FILM_WIDTH, show_default=True)
    ],
    game_folder: Game,
) -> None:
    """Write the history of a game."""
    from gm.story.film import FORMATS, film
    from gm.story.history import history_page
    from gm.story.turns import history_file, past_turns

    campaign = open_campaign(game_folder)
    party = known_seat(campaign, realm).code if realm else ""
    path = out or campaign.folder.path / (f"history-{party}.html" if party else "history.html")
    form = path.suffix.lower()
    turns = campaign.newest_turn + 1  # with turn 0, the start position
    watch = partial(in_turn, what=campaign.folder.settings.id, length=turns)
    if form in FORMATS:
        try:
            data = film(watch(past_turns(campaign, language, party)), form, width)
        except ImportError:
            raise Failure(
                says("A film needs an extra: install pbem-gm[film], or write a page: every browser shows it.")
            ) from None
    elif form == ".json":
        data = history_file(campaign, language, party, watch)
    else:
        data = history_page(campaign, language, party, watch)
    write_page(path, data, secret=bool(party))
    pattern = "The history is in {0}: it shows public information only."
    if party:
        pattern = "The history is in {0}: it shows what {1} alone may know."
    echo(says(pattern, shown_path(path), party))
