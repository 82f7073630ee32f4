"""Letters go out and come in over real mail servers, in every way in which one can log in."""

from __future__ import annotations

import json
import re
import sys

import pytest

import tests.mail.servers
from tests.mail.accounts import START, complaint, everybody_has
from tests.mail.conftest import GAME, Game, NewGame
from tests.mail.servers import MailServers, missing_servers, token


@pytest.mark.parametrize("lacking", [("postfix", "postfix"), ("dovecot", "dovecot-imapd"), ("openssl", "openssl")])
def test_without_the_servers_it_is_said_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, lacking: tuple[str, str]
) -> None:
    name, package = lacking
    monkeypatch.setattr(tests.mail.servers, "program", lambda each: "" if each == name else f"/usr/sbin/{each}")
    assert missing_servers() == f"these tests need real mail servers, and Debian's {package} is not here"


def test_who_is_not_root_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tests.mail.servers, "program", lambda each: f"/usr/sbin/{each}")
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert "only starts as root" in missing_servers()


def test_the_servers_settings_know_no_way_to_another_machine(servers: MailServers) -> None:
    settings = (servers.folder / "postfix/main.cf").read_text()
    assert re.findall(r"(?m)^(inet_interfaces|relayhost|default_transport) = (\S*)", settings) == [
        ("inet_interfaces", "127.0.0.1"),
        ("default_transport", "error:this"),
        ("relayhost", ""),
    ]
    assert "listen = 127.0.0.1\n" in (servers.folder / "dovecot.conf").read_text()


def test_tls_from_the_first_byte_works_as_well_as_starttls(mailboxes: MailServers, new_game: NewGame) -> None:
    game = new_game(mailboxes, security="tls", small=True)
    assert "lets the game in" in game.gm("mail", "check")
    game.week("2024-01-05 12:10")
    everybody_has(mailboxes, game, START)


def test_a_token_from_a_command_opens_both_servers(mailboxes: MailServers, new_game: NewGame) -> None:
    print_token = f"{sys.executable} -c \"print('{token(GAME)}')\""
    game = new_game(mailboxes, "--oauth2-command", print_token, small=True)
    game.week("2024-01-05 12:10")
    game.week("2024-01-05 12:15")
    everybody_has(mailboxes, game, START)
    assert "method=XOAUTH2" in (mailboxes.folder / "dovecot.log").read_text()


def test_a_token_that_is_not_believed_is_told(mailboxes: MailServers, new_game: NewGame) -> None:
    false = token(GAME, b"another secret")
    game = new_game(mailboxes, "--oauth2-command", f"{sys.executable} -c \"print('{false}')\"", small=True)
    for command in (("mail", "check"), ("mail", "send")):
        said = game.gm(*command, code=2 if command[1] == "check" else 1)
        assert f"does not let {GAME} in" in complaint(said)
        assert false not in said


def test_a_wrong_password_is_told_and_never_shown(mailboxes: MailServers, game: Game) -> None:
    game.password.write_text("my-wrong-password")
    said = game.week("2024-01-05 12:10", code=1)
    assert said.count(f"does not let {GAME} in") == 2
    assert "app password" in said
    # said once to cron, and all the time by gm status
    assert game.week("2024-01-05 12:15", "--quiet", code=1) == ""
    status = game.gm("status", at="2024-01-05 12:20")
    assert re.search(r"mailbox  .*does not let .*For 10 minutes", status)
    assert re.search(r"sending  .*does not let .*For 10 minutes", status)
    assert "my-wrong-password" not in said + status
    for path in game.folder.rglob("*"):
        assert not path.is_file() or b"my-wrong-password" not in path.read_bytes(), path
    game.password.write_text(mailboxes.password(GAME))
    game.week("2024-01-05 12:25")
    everybody_has(mailboxes, game, START)
    assert json.loads(game.gm("status", "--json"))["post"]["problems"] == []
