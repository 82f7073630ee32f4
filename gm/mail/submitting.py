"""What a report has besides when it goes out by mail: its orders as a letter to the game.

The address is that of the game's mail settings, so a page that never goes out by mail has nothing of it. The page's
reader looks at the letter and sends it with his own mail program.
"""

from msgspec.structs import asdict

from gm.core.orders.keys import NO_KEY
from gm.core.values import Record
from gm.text.pages import allowing, environment, inlined_files

_FORM = b'<details class="talk" id="talk"'  # stands on every page that writes orders; what a player wrote is escaped


class SubmitForm(Record, kw_only=True):
    """What a page says of its letter.

    ``address``: the game's; ``name``: what a device keeps the key under; ``coming``: the turn in words; ``mark``: what
    the subject ends with, which proves nothing.
    """

    game: str
    language: str
    address: str
    name: str
    coming: str
    mark: str


def with_submit_form(page: bytes, about: SubmitForm) -> bytes:
    """Return a report with what sends its orders; one that writes none stays as it is."""
    before, form, after = page.partition(_FORM)
    if not form:
        return page
    inlined = inlined_files(("mail/submit.css",), ("mail/submit.js",), about.game, about.language)
    values = {**asdict(about), "blank": NO_KEY, "inlined": inlined}
    section = environment(about.game, about.language).get_template("mail/submit.html").render(values)
    return allowing(before, inlined) + section.encode() + form + after
