"""``mail.yaml`` in a game's folder: the servers for its mail, and the limits and safeguards."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, field_validator, model_validator

from gm.core.diagnostics import joined, says
from gm.core.yaml.pydantic_models import YamlModel
from gm.store import BrokenFolderError
from gm.store.folder import MAIL_FILE
from gm.store.formats import Format, read_table
from gm.store.journal import journal_of
from gm.store.settings import checked_address, checked_addresses
from gm.store.trust import Command, words_of

if TYPE_CHECKING:
    import ssl

FORMAT = Format("mail settings file", 1)

Address = Annotated[str, AfterValidator(checked_address)]
Security = Literal["tls", "starttls", "none"]  # none: in clear, only to a server on the same machine
Kind = Literal["imap", "maildir", "mbox", "files"]  # files: a folder of ``.eml`` files
Channels = Literal["none", "known", "any", "loopback"]  # loopback: for tests
WAYS = ("password_env", "password_file", "password_command", "oauth2_command")


class Login(YamlModel):
    """The login at a server. It holds no password, but at most one of the ``WAYS`` to get one."""

    host: str = ""
    port: int = Field(default=0, ge=0, le=65535)  # 0: the usual one
    security: Security = "tls"
    ca_file: str = ""  # a file with the certificates to trust; empty: those that the system trusts
    user: str = ""  # empty: letters are sent without a login
    password_env: str = ""  # the environment variable with the password
    password_file: str = ""
    password_command: str = ""  # prints the password
    oauth2_command: str = ""  # prints an access token
    # seconds without an answer after which a server is given up
    timeout: int = Field(default=60, ge=1, le=3600)

    @model_validator(mode="after")
    def _secret(self) -> Self:
        """Return the login.

        Raises ``ValueError`` for several ways to a password, a user without one, or a server on another
        machine without encryption.
        """
        way_count = sum(bool(getattr(self, way)) for way in WAYS)
        names = says("one of {0} and {1}", ", ".join(WAYS[:-1]), WAYS[-1])
        if way_count > 1:
            raise ValueError(says("give {0}", names))
        if self.user and not way_count:
            raise ValueError(says("user {0} needs {1}", self.user, names))
        if self.security == "none" and self.host not in ("localhost", "127.0.0.1", "::1", ""):
            clear = says(
                "an unencrypted connection is only for this machine, not for {0}: use tls or starttls",
                self.host,
            )
            raise ValueError(clear)
        return self


class Inward(Login):
    """The settings for incoming letters."""

    kind: Kind = "imap"
    path: str = ""  # of a Maildir, an mbox or a folder of files
    folder: str = "INBOX"  # of an IMAP mailbox
    # the mailbox folder for letters that were dealt with; a Maildir calls it ``.gm-done``
    done: str = "gm-done"
    aside: str = "gm-aside"  # the one for letters that need the GM's eye

    @model_validator(mode="after")
    def _complete(self) -> Self:
        """Return the settings. Raises ``ValueError`` for a mailbox without a host or a path."""
        if self.kind == "imap" and not self.host:
            raise ValueError(says("an IMAP mailbox needs a 'host'"))
        if self.kind != "imap" and not self.path:
            raise ValueError(says("a mailbox of kind {0} needs a 'path'", self.kind))
        return self


class Outward(Login):
    """The settings for outgoing letters."""

    # the address of the GM's own mailbox, which gets a copy of each letter: if a connection breaks while a
    # letter is sent, the copy proves that the server accepted it
    copy_to: Annotated[str, AfterValidator(lambda text: checked_address(text) if text else "")] = ""
    # after so long without its copy such a letter goes out again
    grace_minutes: int = Field(default=10, ge=0, le=24 * 60)
    # for a letter that a server refuses for now, each after a longer wait
    tries: int = Field(default=8, ge=1, le=50)


class Care(YamlModel):
    """The limits beyond which a turn waits for the GM, and limits of letters."""

    # hours before the deadline: the turn waits for the GM if the mailbox was not read within them
    outage_hours: int = Field(default=12, ge=1)
    # the players whose orders may be missing; None: ``missing_percent`` of them, but always one
    missing_people: int | None = Field(default=None, ge=1)
    missing_percent: int = Field(default=40, ge=0, le=100)
    gate: bool = False  # whether results are mailed only when the GM has looked at them and said so
    answers_a_day: int = Field(default=20, ge=1)  # of one kind, to one address
    # to a player in whose name somebody wrote without the key; also other letters that strangers can cause
    notices_a_day: int = Field(default=3, ge=1)
    # a player's letters without orders that are passed on to the GM
    forwards_a_day: int = Field(default=5, ge=0)
    # bytes; of a larger letter only the beginning is fetched, and its orders are not read
    letter_limit: int = Field(default=10_000_000, ge=10_000)

    def may_be_missing(self, people: int) -> int:
        """Return of how many players the orders may be missing, if ``people`` give orders."""
        return self.missing_people or max(1, people * self.missing_percent // 100)


class Enclosed(YamlModel):
    """The limits of the enclosures of a letter with results, in bytes.

    Many servers accept no letter of more than ten million bytes, and a letter is a third larger than its
    enclosures.
    """

    # report and data that are larger together are packed into a ``.zip``
    zip_above: int = Field(default=200_000, ge=0)
    # the file with the turn's dice, by which players can check them, is left out above this
    rolls_limit: int = Field(default=1_000_000, ge=0)
    # without effect; files of earlier versions may have it
    pages_limit: int | None = None


class MailSettings(YamlModel):
    """All of ``mail.yaml``."""

    gm: Address  # of the game master; in the file ``gm:`` may be a list, of which this is the first
    # the rest of that list: the addresses of further game masters
    other_gms: Annotated[tuple[str, ...], AfterValidator(checked_addresses)] = ()
    sender: Address  # the game's own, from which its letters come
    sender_name: str = ""
    trusted: str = ""  # the name with which the GM's own server signs Authentication-Results
    inward: Inward
    outward: Outward
    # hours before the deadline at which players without orders are reminded
    reminders: tuple[int, ...] = (48, 12)
    enclosed: Enclosed = Enclosed()
    care: Care = Care()
    # where players may be notified besides by mail: nowhere, at well-known services, at any web address
    channels: Channels = "known"

    @property
    def gms(self) -> tuple[str, ...]:
        """Every game master's address: letters to the GM go to all of them."""
        return tuple(dict.fromkeys((self.gm, *self.other_gms)))

    @property
    def domain(self) -> str:
        return self.sender.rpartition("@")[2]

    @model_validator(mode="before")
    @classmethod
    def _several(cls, data: Any) -> Any:
        """Return the file's data with a list of game masters divided into ``gm`` and ``other_gms``."""
        match data:
            case {"gm": [first, *others], **rest}:
                return {**rest, "gm": first, "other_gms": others}
        return data

    @field_validator("sender_name")
    @classmethod
    def _one_line(cls, text: str) -> str:
        if not text.isprintable():
            raise ValueError(says("a name is one line of visible characters"))
        return text

    @field_validator("reminders")
    @classmethod
    def _hours(cls, hours: tuple[int, ...]) -> tuple[int, ...]:
        """Return the hours of reminders once each, the earliest reminder first.

        Raises ``ValueError`` for one that is not within two weeks before the deadline.
        """
        if any(not 0 < hour <= 24 * 14 for hour in hours):
            raise ValueError(says("a reminder goes out 1 to 336 hours before the deadline"))
        return tuple(sorted(set(hours), reverse=True))


def load_mail_settings(folder: Path) -> MailSettings:
    """Return the mail settings in a game's folder.

    Raises ``StoreError`` when there are none, ``SourceError`` when they cannot be read.
    """
    path = folder / MAIL_FILE
    if not path.exists():
        raise BrokenFolderError(_why_none(folder))
    return read_table(folder / MAIL_FILE, FORMAT, MailSettings)


def _why_none(folder: Path) -> str:
    """Return why a game has no mail settings: it never had any, or they are lost."""
    had_mail = (folder / "mail").is_dir() or any(
        entry["did"] == "mail setup" for entry in journal_of(folder).entries
    )
    if had_mail:
        lost = says("{0} is missing. Restore it from a backup", folder / MAIL_FILE)
        return says("{0}, or write it again with 'pbem mail setup'.", lost)
    return says("The game in {0} has no mail settings. To play it by mail, run 'pbem mail setup'.", folder)


def mail_commands(settings: MailSettings) -> Iterator[Command]:
    """Yield what the GM has to confirm in a game's mail settings: incoming and outgoing letters.

    Each half is confirmed as a whole, because a password is safe with one server and not with another.
    """
    for part, login in (("inward", settings.inward), ("outward", settings.outward)):
        words = {name: str(value) for name, value in dict(login).items() if value and name not in _HARMLESS}
        does = [effect for name, effect in _DOES.items() if name in words]
        if not isinstance(login, Inward):
            does.append(says("sends letters"))
        elif login.kind == "imap":
            does.append(says("reads and moves letters on a server"))
        else:
            does.append(says("reads letters of this machine and moves them"))
        yield Command(f"mail.yaml, {part}", joined(does, ", "), {"half": part, **words})


_HARMLESS = ("timeout", "tries", "grace_minutes")  # settings that need no confirmation
_DOES = {  # what a setting does, by its name
    "password_command": says("runs a program and gives a server what it prints"),
    "oauth2_command": says("runs a program and gives a server what it prints"),
    "password_file": says("gives a server the content of a file"),
    "password_env": says("gives a server a variable of the environment"),
    "ca_file": says("trusts the certificates in a file"),
}


# -- passwords and tokens, fetched at the moment of use and kept nowhere -------------------------------------

_COMMAND_SECONDS = 60


class LoginError(Exception):
    """No password or token was found, or a server refuses it. The message never holds the secret."""


def secret_of(login: Login, folder: Path) -> str:
    """Return the password or access token of a login. Raises ``LoginError``.

    It is in the environment or in a file, or it is the first line that a command prints. ``folder``: the
    game's, at which relative paths start.
    """
    if login.password_env:
        password = os.environ.get(login.password_env)
        if not password:
            raise LoginError(
                says("The environment has no variable {0} with the password.", login.password_env)
            )
        return password
    if login.password_file:
        path = folder / Path(login.password_file).expanduser()
        try:
            return path.read_text(encoding="utf-8").strip("\r\n")
        except (OSError, UnicodeDecodeError) as error:
            raise LoginError(says("The password cannot be read from {0}: {1}.", path, error)) from None
    import subprocess

    try:
        command = words_of(login.password_command or login.oauth2_command)
        run = subprocess.run(  # noqa: S603 - it stands in the GM's own settings
            command, cwd=folder, capture_output=True, text=True, timeout=_COMMAND_SECONDS, check=False
        )
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        raise LoginError(
            says("The command for the password did not run: {0}.", type(error).__name__)
        ) from None
    first_line = next(iter(run.stdout.splitlines()), "").strip()
    if run.returncode or not first_line:
        raise LoginError(
            says("The command for the password ended with {0} and printed none.", run.returncode)
        )
    return first_line


def tls_context(login: Login, folder: Path) -> "ssl.SSLContext":
    """Return the TLS context for a server, with which its certificate is checked. Raises ``LoginError``."""
    import ssl

    if not login.ca_file:
        return ssl.create_default_context()
    path = folder / Path(login.ca_file).expanduser()
    try:
        return ssl.create_default_context(cafile=str(path))
    except (OSError, ssl.SSLError) as error:
        raise LoginError(says("The certificates in {0} cannot be used: {1}.", path, error)) from None


def refused(login: Login, words: str) -> LoginError:
    """Return the error for a password or token that a server refuses; for a password it has advice as well.

    ``words``: what the server says.
    """
    hint = (
        ""
        if login.oauth2_command
        else says(" Many providers want an app password, or a token (oauth2_command).")
    )
    return LoginError(says("The mail server does not let {0} in: {1}.{2}", login.user, words, hint))
