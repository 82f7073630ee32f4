"""``pbem mail``: fetching, sending, sending again; how large letters are."""

import json
from pathlib import Path

import pytest

from gm.campaign.play import played_turn
from gm.cli.session import open_campaign
from gm.mail.compose import Writer
from gm.mail.game_mail import GameMail
from gm.mail.rendering import message_bytes
from gm.mail.settings import load_mail_settings
from tests.cli.conftest import Run, content, order_text
from tests.cli.posting import ADDRESSES, KEY, MASTER, SENDER, START, Office
from tests.mail.office import NOW, flat, mail

# -- setup ---------------------------------------------------------------------------------------------------

FROM = ("--from", "europe@example.org")


def test_setup_writes_settings_that_can_be_read_and_explains_each(game: Path, run: Run) -> None:
    """What the options say stands in `mail.yaml`, and each setting but three has a comment."""
    run(
        *(
            "mail",
            "setup",
            *FROM,
            "--name",
            "Europe by mail",
            "--gm",
            MASTER,
            "--trusted",
            "mx.example.org",
            "--gate",
        ),
        *("--imap", "imap.example.org:143", "--smtp", "smtp.example.org", "--security", "starttls"),
        *("--user", "europe", "--password-command", "pass show 'mail/gm'", "--ca-file", "own.pem"),
    )
    settings = load_mail_settings(game)
    assert (settings.sender, settings.sender_name, settings.gm) == (
        "europe@example.org",
        "Europe by mail",
        MASTER,
    )
    assert (settings.inward.host, settings.inward.port, settings.outward.port) == ("imap.example.org", 143, 0)
    assert {settings.inward.password_command, settings.outward.password_command} == {"pass show 'mail/gm'"}
    assert settings.inward.ca_file == str(game / "own.pem")
    assert (settings.care.gate, settings.trusted) == (True, "mx.example.org")
    text = (game / "mail.yaml").read_text()
    unexplained = [
        line for line in text.splitlines() if line[:1].isalpha() and "#" not in line and line[-1] != ":"
    ]
    assert [line.partition(":")[0] for line in unexplained] == ["schema", "sender", "sender_name"]


def test_setup_overwrites_nothing(office: Office) -> None:
    before = content(office.game)
    said = office.run("mail", "setup", *FROM, "--maildir", office.box, "--smtp", "localhost", code=2).output
    assert "mail.yaml already exists" in said
    assert content(office.game) == before


def test_without_settings_the_commands_say_what_is_missing(game: Path, run: Run) -> None:
    """item 14: a game that never had any is not told to get them back from a backup; one that had them is."""
    (game / "fair.txt").write_text("Subject: a fair\n\nCome all.\n", encoding="utf-8")
    commands = (
        ("mail", "fetch"),
        ("mail", "send"),
        ("mail", "check"),
        ("week",),
        ("week", "--pretend-now", START),
        ("announce", "fair.txt", "--yes"),
    )
    for command in commands:
        said = " ".join(run(*command, code=2).output.split())
        assert "backup" not in said, command
        assert "copy" not in said, command
        assert "'pbem mail setup'" in said, command
    run("mail", "setup", *FROM, "--maildir", ".", "--smtp", "localhost")
    (game / "mail.yaml").unlink()
    for command in commands:
        said = " ".join(run(*command, code=2).output.split())
        assert (
            "mail.yaml is missing. Restore it from a backup, or write it again with 'pbem mail setup'."
            in said
        )


def test_a_mistake_in_the_settings_is_shown_where_it_stands(office: Office) -> None:
    office.set_mail(missing_people=0)
    said = office.run("mail", "fetch", code=2).output
    assert "mail.yaml:" in said
    assert "missing_people: 0" in said


def test_check_logs_in_and_changes_nothing(office: Office) -> None:
    office.orders("POL", START)
    before = content(office.game), content(office.box)
    said = office.run("mail", "check").output
    assert "1 letter in it" in said
    assert "lets the game in" in said
    assert (content(office.game), content(office.box), office.smtp.got) == (*before, [])


# -- fetching ------------------------------------------------------------------------------------------------


def test_saved_mails_are_read_like_those_of_the_mailbox_and_stay_where_they_are(
    office: Office, tmp_path: Path
) -> None:
    folder = tmp_path / "saved"
    folder.mkdir()
    office.orders("POL", START)
    (path,) = (office.box / "new").iterdir()
    path.rename(folder / "orders.eml")
    said = office.run("mail", "fetch", folder, "--at", START).output
    assert "POL taken" in said
    assert "1 letter to send" in said
    assert (folder / "orders.eml").is_file()
    # the same letter in the mailbox is no other
    (office.box / "new" / "1767000000.M1.test").write_bytes((folder / "orders.eml").read_bytes())
    assert "0 new letters" in office.run("mail", "fetch", "--at", START).output
    assert len(list((office.box / ".gm-done/cur").iterdir())) == 1


def test_what_came_can_be_had_as_json(office: Office) -> None:
    office.orders("POL", START)
    office.orders("LIT", START, key="eager-swan-11")
    report = json.loads(office.run("mail", "fetch", "--at", START, "--json").output)
    assert [(letter["from"], letter["outcome"]) for letter in report["letters"]] == [
        (ADDRESSES["POL"], "POL taken"),
        (ADDRESSES["LIT"], "no right key: nothing was kept"),
    ]
    assert (report["seen"], report["problem"], report["troubles"]) == (2, "", [])


@pytest.mark.slow
def test_what_letters_ask_for_is_done_by_hand_as_by_the_clock(office: Office, run: Run) -> None:
    run("deadline", "every", "--vacations", "1", "--at", START)
    run("mail", "send", "--at", START)
    (letter,) = [letter for letter in office.smtp.letters(ADDRESSES["LIT"]) if KEY in letter["Subject"]]
    for wish in ("vacation", "language de"):
        asked = mail("", subject=f"Re: {wish} [{letter['Subject'].partition('[')[2]}", number=wish[:4])
        office.drop(asked, START)
    office.orders("LIT", START, "press: {to: gm, text: 'Thank you for <b>this</b>.'}\n")
    report = json.loads(run("mail", "fetch", "--at", START, "--json").stdout)
    assert sum(letter["from"] == ADDRESSES["LIT"] for letter in report["letters"]) == 3
    assert "turn 1 Friday 2026-01-16 20:00" in " ".join(run("deadline", "show").output.split())
    assert (office.game / "players.yaml").read_text().count('language: "de"') == 1
    assert "0 new letters" in run("mail", "fetch", "--at", START).output
    run("turn", "--missing-ok")
    run("mail", "send", "--at", START)
    sent = office.subjects("LIT")
    assert (sent["A week of vacation: turn 1"], sent["Erledigt: language de"]) == (1, 1), sent
    assert office.text(MASTER, "Lithuania writes").startswith(
        "Lithuania writes to GM: Thank you for <b>this</b>."
    )


# -- sending -------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_results_go_out_once_and_corrected_ones_only_at_the_gms_word(office: Office, run: Run) -> None:
    # one with the results, one with the key
    assert "8 letters sent" in run("mail", "send", "--at", START).output
    assert "0 letters sent" in run("mail", "send", "--at", START).output
    # a report that is written again names the deadline of then: the letter about it tells of the new one
    # (item 10)
    run("deadline", "extend", "--hours", 2, "--at", START)
    run("report")
    sent = run("mail", "send", "--at", START).output
    assert sent.count("A new deadline") == 4
    assert "4 letters sent" in sent
    assert "0 letters sent" in run("mail", "send", "--corrected", "--at", START).output
    players = office.game / "players.yaml"
    text = players.read_text(encoding="utf-8")
    players.write_text(text.replace("realm: LIT,", "realm: LIT, language: de,"), encoding="utf-8")
    run("report")
    assert "letters sent" not in run("mail", "send", "--at", START).output.replace("0 letters sent", "")
    assert "1 letter sent" in run("mail", "send", "--corrected", "--at", START).output
    assert "0 letters sent" in run("mail", "send", "--corrected", "--at", START).output


@pytest.mark.slow
def test_players_are_told_what_is_other_from_now_on(office: Office, run: Run) -> None:
    run("press", "signed", "--at", START)  # before anybody knows of the game, there is nothing to tell
    run("mail", "send", "--at", START)
    run("press", "anonymous", "--a-day", 5, "--at", START)
    said = run("open", "--missed", 3, "--policy", "standstill", "--join", "--at", START).output
    assert "4 letters about it in the outbox" in said
    run("mail", "send", "--only-waiting", "--at", START)
    notice = "\n".join(
        flat(letter)
        for letter in office.smtp.letters(ADDRESSES["LIT"])
        if "A game setting has changed" in letter["Subject"]
    )
    assert "to each other: anonymous; the first kind is the default" in notice
    assert "Each player may write 5 letters a day," in notice
    assert "who misses 3 turns in a row gives up the seat." in notice
    assert "A seat that was given up is played by: standstill." in notice
    assert f'with the subject "join", to {SENDER}' in notice


@pytest.mark.slow
def test_a_new_key_reaches_its_player_alone(office: Office, run: Run) -> None:
    run("mail", "send", "--at", START)
    run("seat", "POL", "--new-key")
    run("report")
    assert "2 letters sent" in run("mail", "send", "--at", START).output
    assert office.subjects("POL").total() == 2


def test_what_waits_or_failed_shows_with_the_servers_words(office: Office, run: Run) -> None:
    """The outbox and the status show who is refused for now and for good, and no letter that was sent."""
    assert "Nothing waits and nothing failed" in run("mail", "outbox").output
    office.smtp.refused = {ADDRESSES["LIT"]: "450 4.2.0 greylisted", ADDRESSES["POL"]: "550 5.1.1 unknown"}
    said = run("mail", "send", "--at", START, code=1).output
    assert "5 letters sent, 2 waiting" in said
    said = run("mail", "outbox").output
    assert "later" in said
    assert "450 4.2.0 greylisted" in said
    assert "failed" in said
    assert "550 5.1.1 unknown" in said
    assert "nikita" not in said
    states = {
        letter["to"]: letter["state"]
        for letter in json.loads(run("mail", "outbox", "--all", "--json").output)["letters"]
    }
    assert states == {
        ADDRESSES["LIT"]: "later",
        ADDRESSES["POL"]: "failed",
        ADDRESSES["NOV"]: "sent",
        ADDRESSES["TEU"]: "sent",
        MASTER: "sent",
    }
    post = json.loads(run("status", "--json").output)["post"]
    assert [letter["to"] for letter in post["waiting"]] == [ADDRESSES["LIT"]] * 2
    assert [letter["to"] for letter in post["lost"]] == [ADDRESSES["POL"]] * 2
    # no letter to a player who was refused left a copy that would prove the contrary
    assert {recipients for recipients, _ in office.smtp.got} == {
        (ADDRESSES["NOV"], SENDER),
        (ADDRESSES["TEU"], SENDER),
        (MASTER, SENDER),
    }


@pytest.mark.slow
def test_what_failed_goes_out_again_to_the_address_that_the_player_has_now(office: Office, run: Run) -> None:
    office.smtp.refused = dict.fromkeys((ADDRESSES["LIT"], ADDRESSES["POL"]), "550 5.1.1 unknown")
    run("mail", "send", "--at", START, code=1)
    run("seat", "POL", "--email", "peter@example.org")
    assert "2 letters put into the outbox again" in run("mail", "again", "pol", "--at", START).output
    assert "0 letters put" in run("mail", "again", "POL", "--at", START).output
    run("mail", "send", "--only-waiting", "--at", START)
    _, letter = office.smtp.letters("peter@example.org")
    assert letter["To"] == "peter@example.org"
    assert "POL-turn-01.orders.yaml" in [part.get_filename() for part in letter.iter_attachments()]
    # Lithuania is still lost, and can be lost again
    run("mail", "again", "--at", START)
    run("mail", "send", "--only-waiting", "--at", START, code=1)
    lost = json.loads(run("status", "--json").output)["post"]["lost"]
    assert [letter["to"] for letter in lost] == [ADDRESSES["LIT"]] * 2
    numbers = [letter["Message-ID"] for letter in office.smtp.letters()]
    assert len(set(numbers)) == len(numbers)


@pytest.mark.slow
def test_sending_says_in_one_sentence_why_it_could_not(office: Office, run: Run) -> None:
    office.smtp.sender = "530 5.7.0 authenticate first"
    said = run("mail", "send", "--at", START, code=1).output
    assert f"accepts no mail from {SENDER} now: 530 5.7.0 authenticate first" in said
    assert "8 waiting" in said
    office.smtp.sender = "421 4.3.2 going down"
    assert "421 4.3.2 going down" in run("mail", "send", "--at", "2026-01-05 14:00", code=1).output
    office.smtp.sender = "250 ok"
    office.smtp.data = "552 5.3.4 too large"
    said = run("mail", "send", "--at", "2026-01-05 16:00", code=1).output
    assert said.count("552 5.3.4 too large") == 9  # the ninth told the GM
    assert office.smtp.got == []


def test_status_says_nothing_of_post_in_a_game_without_it(game: Path, run: Run) -> None:
    assert "Post:" not in run("status").output
    assert "post" not in json.loads(run("status", "--json").output)


def test_a_message_with_dots_and_long_lines_arrives_as_it_was_written(office: Office, run: Run) -> None:
    body = "headquarters:\n  proclamation: |\n    .\n    ..two\n    " + "long " * 300 + "\n    Ünïcödé\n"
    office.orders("POL", START, body)
    run("mail", "fetch", "--at", START)
    run("mail", "send", "--only-waiting", "--at", START)
    (recipients, data) = office.smtp.got[0]
    assert recipients == (ADDRESSES["POL"], SENDER)
    assert all(len(line) <= 998 for line in data.split(b"\r\n"))
    assert data.isascii()
    stored = next((office.game / "mail/outbox").glob("*.eml")).read_bytes()
    assert data == stored


@pytest.mark.slow
def test_files_of_letters_that_went_out_long_ago_are_thrown_away(office: Office, run: Run) -> None:
    office.smtp.refused = {ADDRESSES["POL"]: "550 5.1.1 unknown"}
    office.week(START, code=1)
    outbox = office.game / "mail/outbox"
    assert len(list(outbox.glob("*.eml"))) == 9
    run("deadline", "hold", "a long winter", "--at", START)
    office.week("2026-02-05 13:00", code=1)
    office.week("2026-03-05 13:00", code=1)
    # what failed may still be wanted
    assert len(list(outbox.glob("*.eml"))) == 3
    office.week("2026-03-05 13:05", code=1)
    assert office.subjects("LIT").total() == 2  # the start, and that the game is on hold
    text = order_text(office.game, "LIT")
    assert not any(text.encode() in path.read_bytes() for path in outbox.iterdir())


LIMIT = 400_000
PAGE = 1_100_000
"""Of a turn in which everybody fights; a usual one is a twelfth smaller."""
SECRETS = ("--seed", "m", "--key-secret", "x")


def begin_europe(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One player among programs."""
    monkeypatch.chdir(folder)
    run("new", "europe", "--map", "europe-1320", "--player", "ENG=anna@example.org", *SECRETS, "--bots")


@pytest.mark.slow
def test_no_letter_of_a_turn_of_europe_is_larger_than_400_kilobytes(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """14.B17, 15: of the start, and of the first turn between bots, in which most battles are fought.

    Nor is a page.
    """
    begin_europe(run, tmp_path, monkeypatch)
    post_at = (
        "--from",
        "game@example.org",
        "--gm",
        "gm@example.org",
        "--maildir",
        tmp_path,
        "--smtp",
        "localhost",
    )
    run("mail", "setup", *post_at, "--security", "none", "--game", "europe")
    start = sizes(GameMail(open_campaign(Path("europe"))), 0)
    run("turn", "--missing-ok", "--game", "europe")
    results = Path("europe/turns/turn-01/results")
    assert len(list((results / "battles").glob("*.html"))) > 50
    assert (results / "ENG.html").stat().st_size <= PAGE
    for letter_sizes in (start, sizes(GameMail(open_campaign(Path("europe"))), 1)):
        assert set(letter_sizes) == {"results", "orders"}
        assert max(letter_sizes.values()) < LIMIT, letter_sizes


@pytest.mark.slow
def test_a_realms_page_of_europe_is_within_its_budget(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """15, 16.14: of the fourth turn between bots."""
    begin_europe(run, tmp_path, monkeypatch)
    for _ in range(3):
        run("turn", "--missing-ok", "--no-html", "--game", "europe")
    run("turn", "--missing-ok", "--game", "europe")
    assert Path("europe/turns/turn-04/results/ENG.html").stat().st_size <= PAGE * 11 // 12


def sizes(post: GameMail, turn: int) -> dict[str, int]:
    """The bytes of England's letters about a turn, by kind."""
    played = played_turn(post.campaign, turn)
    lines = post.campaign.spec.digests(post.campaign.table, played)["ENG"]
    letters = [Writer(post, NOW).results("ENG", played, lines), Writer(post, NOW).orders("ENG")]
    return {
        letter.kind: len(message_bytes(letter, "1", post.settings, "europe", NOW))
        for letter in letters
        if letter
    }
