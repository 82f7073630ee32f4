"""The form in a mailed report that sends its orders by letter to the game.

It needs the address in the game's mail settings: reports in the game's folder have no such form. The player
looks at the letter and sends it with their own mail program.
"""

from msgspec.structs import asdict

from gm.core.orders.keys import NO_KEY
from gm.core.values import Record
from gm.text.pages import allowing, environment, inlined_files

# in every report with an order writer, before which the form is put; texts of players are escaped there
_FORM = b'<details class="talk" id="talk"'


class SubmitForm(Record, kw_only=True):
    """The data of the form in a report, with which a player sends orders as a letter."""

    game: str  # which game is played, like ``medieval``, for the catalogue of texts
    language: str
    address: str  # that of the game, to which the letter goes
    name: str  # under which the player's device stores the key
    coming: str  # the turn that orders are for, in words
    mark: str  # the end of the letter's subject; it proves nothing


def with_submit_form(page: bytes, form: SubmitForm) -> bytes:
    """Return a report with the form that sends its orders.

    A report without an order writer stays as it is.
    """
    before, marker, after = page.partition(_FORM)
    if not marker:
        return page
    inlined = inlined_files(("mail/submit.css",), ("mail/submit.js",), form.game, form.language)
    values = {**asdict(form), "blank": NO_KEY, "inlined": inlined}
    section = environment(form.game, form.language).get_template("mail/submit.html").render(values)
    # the page's security policy is in its head and knows only the scripts of the report
    return allowing(before, inlined) + section.encode() + marker + after
