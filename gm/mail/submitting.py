"""The part of a mailed report that sends its orders: a letter to the game.

The address is that of the game's mail settings, so a page that is never mailed has none. The page's reader
looks at the letter and sends it with their own mail program.
"""

from msgspec.structs import asdict

from gm.core.orders.keys import NO_KEY
from gm.core.values import Record
from gm.text.pages import allowing, environment, inlined_files

# stands on every page that writes orders; what a player wrote is escaped
_FORM = b'<details class="talk" id="talk"'


class SubmitForm(Record, kw_only=True):
    """The data of a page's letter.

    ``address``: the game's; ``name``: that under which a device stores the key; ``coming``: the turn in
    words; ``mark``: the end of the subject, which proves nothing.
    """

    game: str
    language: str
    address: str
    name: str
    coming: str
    mark: str


def with_submit_form(page: bytes, about: SubmitForm) -> bytes:
    """Return a report with the form that sends its orders.

    A report without an order writer stays as it is.
    """
    before, form, after = page.partition(_FORM)
    if not form:
        return page
    inlined = inlined_files(("mail/submit.css",), ("mail/submit.js",), about.game, about.language)
    values = {**asdict(about), "blank": NO_KEY, "inlined": inlined}
    section = environment(about.game, about.language).get_template("mail/submit.html").render(values)
    return allowing(before, inlined) + section.encode() + form + after
