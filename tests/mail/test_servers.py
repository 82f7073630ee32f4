"""Letters go out and come in over real mail servers, in every way in which one can log in."""

import imaplib
import json
import re
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

import tests.mail.servers
from tests.mail.accounts import START, complaint, everybody_has, reader
from tests.mail.conftest import GAME, Game, NewGame
from tests.mail.correspondents import template_of
from tests.mail.ports import BLOCK, Ports
from tests.mail.processes import Server, processes_in
from tests.mail.servers import MailServers, missing_servers, token
from tests.mail.smtp_stub import smtp_stub
from tests.waiting import wait_for


def test_orders_go_over_the_servers_and_a_receipt_comes_back(mailboxes: MailServers, game: Game) -> None:
    game.week("2024-01-05 12:10")
    player = reader(mailboxes, "LIT")
    start = player.key()
    sent = player.answer(start, template_of(start))
    assert "LIT taken" in game.week("2024-01-05 12:15")
    receipt = player.inbox()[2]
    assert receipt["Subject"].startswith("Orders received: turn 1")
    assert receipt["In-Reply-To"] == sent["Message-ID"]
    assert json.loads(game.gm("status", "--json"))["missing"] == ["NOV", "POL", "TEU"]
    # and once more, as cron does: nothing is answered twice
    game.week("2024-01-05 12:20")
    assert len(player.inbox()) == 3


@pytest.mark.parametrize(
    "lacking", [("postfix", "postfix"), ("dovecot", "dovecot-imapd"), ("openssl", "openssl")]
)
def test_without_the_servers_it_is_said_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, lacking: tuple[str, str]
) -> None:
    name, package = lacking
    monkeypatch.setattr(
        tests.mail.servers, "program", lambda program: "" if program == name else f"/usr/sbin/{program}"
    )
    assert missing_servers() == f"these tests need real mail servers, and Debian's {package} is not here"


def test_who_is_not_root_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tests.mail.servers, "program", lambda program: f"/usr/sbin/{program}")
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert "only starts as root" in missing_servers()


def test_two_runs_at_the_same_time_never_have_the_same_ports() -> None:
    blocks = [Ports() for _ in range(4)]
    try:
        taken = [block.take() for block, _ in product(blocks, range(BLOCK - 1))]
        assert len(set(taken)) == len(taken)
    finally:
        for block in blocks:
            block.close()


def test_a_server_that_is_not_ours_is_not_taken_for_ours(tmp_path: Path) -> None:
    with smtp_stub() as stub:
        server = Server(["false"], tmp_path / "run" / "pid", stub.port, "gm-tests-1", (tmp_path / "out",))
        stub.greeting = "220 gm-tests-2"
        assert not server.answers()
        stub.greeting = "220 gm-tests-1"
        assert server.answers()
        with pytest.raises(RuntimeError, match="false ended with 1"):
            server.start()


def test_servers_end_with_the_tests_even_when_these_are_killed(servers: MailServers) -> None:
    code = (
        "import tests.mail.servers as s\nwith s.running_servers() as found: print(found.folder, flush=True); "
        "input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as run:
        assert run.stdout is not None
        folder = Path(run.stdout.readline().strip())
        others = processes_in(folder)
        assert len(others) > 5
        run.kill()
    wait_for(lambda: not processes_in(folder) and not folder.exists(), "the servers to end")
    assert servers.postfix.answers()
    assert servers.dovecot.answers()


def test_a_mailbox_that_was_taken_away_is_there_again_for_the_next_test(mailboxes: MailServers) -> None:
    lit = reader(mailboxes, "LIT")
    mailboxes.lose(lit.address)
    with pytest.raises(imaplib.IMAP4.error, match="AUTHENTICATIONFAILED"):
        lit.inbox()
    mailboxes.find_again()
    assert lit.inbox() == []


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
    # said once to cron, and all the time by pbem status
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
