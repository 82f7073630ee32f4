"""Passwords and tokens, fetched at the moment of use and kept nowhere."""

from __future__ import annotations

import os
import shlex
import ssl
import subprocess
from pathlib import Path

from gm.mail.settings import Login

COMMAND_SECONDS = 60


class LoginError(Exception):
    """No password or token could be had, or a server does not take it. The message never holds the secret."""


def secret_of(login: Login, folder: Path) -> str:
    """The password, or the access token where ``oauth2_command`` is set. Relative paths start at the game's folder.
    Raises ``LoginError``."""
    if login.password_env:
        found = os.environ.get(login.password_env)
        if not found:
            raise LoginError(f"The environment has no variable {login.password_env} with the password.")
        return found
    if login.password_file:
        path = folder / Path(login.password_file).expanduser()
        try:
            return path.read_text(encoding="utf-8").strip("\r\n")
        except (OSError, UnicodeDecodeError) as error:
            raise LoginError(f"The password cannot be read from {path}: {error}.") from None
    return _printed(login.password_command or login.oauth2_command, folder)


def _printed(command: str, folder: Path) -> str:
    """What a command of the GM's prints on its first line."""
    try:
        run = subprocess.run(  # noqa: S603 - the command stands in the GM's own settings
            shlex.split(command), cwd=folder, capture_output=True, text=True, timeout=COMMAND_SECONDS, check=False
        )
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        raise LoginError(f"The command that is to print the password did not run: {type(error).__name__}.") from None
    lines = run.stdout.splitlines()
    if run.returncode or not lines or not lines[0].strip():
        raise LoginError(f"The command that is to print the password ended with {run.returncode} and printed none.")
    return lines[0].strip()


def tls_context(login: Login, folder: Path) -> ssl.SSLContext:
    """What counts as the right server: its certificate is always checked."""
    if not login.ca_file:
        return ssl.create_default_context()
    path = folder / Path(login.ca_file).expanduser()
    try:
        return ssl.create_default_context(cafile=str(path))
    except (OSError, ssl.SSLError) as error:
        raise LoginError(f"The certificates in {path} cannot be used: {error}.") from None


def distrust(error: ssl.SSLError) -> str:
    """What is wrong with a server's certificate, or with the way it speaks TLS, in words."""
    return str(getattr(error, "verify_message", "") or error.reason or error).rstrip(".")


def hint(login: Login) -> str:
    """What to try when a password is refused, as a sentence of its own."""
    return "" if login.oauth2_command else " Many providers want an app password, or a token (oauth2_command)."
