"""Announcements of the GM to players: subject, text and readers."""

from gm.core.diagnostics import invisible, says
from gm.mail.game_mail import GameMail
from gm.store import StoreError

ANNOUNCEMENTS = "announcements"  # the folder of the game's mail in which the texts are kept
LONGEST = 20_000  # bytes of an announcement
LONGEST_SUBJECT = 120  # characters of its subject


def announced(file: str, data: bytes, subject: str | None) -> tuple[str, str]:
    """Return (subject, text) of an announcement.

    ``file``: the name of its file, for messages; ``data``: the file's content, whose first line may be the
    subject; ``subject``: another one that the GM has given. Raises ``StoreError`` for a file that is no text,
    is too long or has invisible characters, and if there is no subject or no text.
    """
    if len(data) > LONGEST:
        raise StoreError(
            says("{0} is longer than {1} bytes: put it online and announce its address.", file, LONGEST)
        )
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n").expandtabs(4)
    except UnicodeDecodeError as error:
        raise StoreError(says("{0} is not text in UTF-8 (byte {1}).", file, error.start + 1)) from None
    for number, line in enumerate(text.split("\n"), start=1):
        if invisible(line):
            raise StoreError(says("{0}:{1}: there is an invisible character in this line.", file, number))
    if text.lower().startswith("subject:"):
        first_line, _, text = text.partition("\n")
        subject = subject or first_line.partition(":")[2]
    subject = " ".join((subject or "").split())
    text = text.strip("\n")
    if not subject or invisible(subject) or len(subject) > LONGEST_SUBJECT:
        limit = says("at most {0} characters", LONGEST_SUBJECT)
        raise StoreError(
            says("Give it a subject of {0}: --subject, or a first line 'Subject: ...' in {1}.", limit, file)
        )
    if not text.strip():
        raise StoreError(says("There is no text in {0}.", file))
    return subject, text


def readers(mail: GameMail, only: tuple[str, ...]) -> list[str]:
    """Return the codes of the realms whose players get an announcement.

    They are all with an address, or the ones named in ``only``. Raises ``StoreError`` for a named realm that
    the game does not have or whose player has no address, and if no player has one.
    """
    codes = [seat.code for seat in mail.campaign.seats]
    for name in only:
        code = name.upper()
        if code not in codes:
            raise StoreError(says("This game has no realm {0}; it has {1}.", name, ", ".join(codes)))
        if not mail.address(code):
            raise StoreError(
                says("{0} has no address: give it one with 'pbem seat {1} --email ADDRESS'.", code, code)
            )
    named_codes = set(map(str.upper, only)) or set(codes)
    realms = [code for code in codes if code in named_codes and mail.address(code)]
    if not realms:
        raise StoreError(says("No player of this game has an address."))
    return realms
