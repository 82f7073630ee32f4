"""A report that came by mail sends its orders as a letter, in the shortest form that is read (issue 39,
item 1).
"""

import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from gm.core.orders.keys import NO_KEY
from gm.mail.submitting import SubmitForm, with_submit_form
from gm.resources import resource
from gm.text.localised import localised_script
from tests.browser.board import Board
from tests.browser.conftest import PHONE, command
from tests.browser.parity import Case, as_sheet
from tests.browser.playing import Player, first_turn, page_of, see
from tests.browser.scripting import ordered, page_data, with_scripts
from tests.browser.test_accessibility import LOOKS, grave_findings
from tests.browser.test_board_writer import games as games  # a fixture
from tests.browser.test_sheet_js import WRITE, meant, read
from tests.mail.shapes.submitted import LINK, opened, put_left, wrapped
from tests.medieval.testland import atlas

KEY = "brave-otter-71"
PROCLAIMED = (
    "Grüße an alle, die's hören: Gotland & Ösel are ours – 100% of it, [now] {and} for ever. So be it; 2 + 2 "
    "= 4!"
)
FORM = SubmitForm(
    game="medieval",
    language="en",
    address="minsk@example.org",
    name="minsk 1 TEU",
    coming="turn 1",
    mark="(minsk, TEU)",
)


def mailed(path: Path, to: Path, key: str, **more: str) -> Path:
    """A page as a letter carries it: without its key, and with the address of the game."""
    page = path.read_bytes().replace(key.encode(), NO_KEY.encode())
    to.write_bytes(with_submit_form(page, FORM.evolve(**more)))
    return to


def key_in(game: Path, realm: str) -> str:
    template = (game / f"turns/turn-00/next/{realm}.yaml").read_text("utf-8")
    return next(line for line in template.splitlines() if line.startswith("key: ")).split()[1]


def shown(page: Any) -> str:
    return str(page.locator("#submit-text").text_content())


def letter_of(page: Any) -> Mapping[str, str]:
    """What a mail program reads out of the link."""
    return opened(page.locator("#submit-go").evaluate("link => link.href"))


def scripted(page: Any) -> Any:
    with_scripts(page, "sheet_stamp")
    source = (
        resource("templates", "mail/submit.js").read_text("utf-8").partition("\n(() => {\n  const section")[0]
    )
    page.add_script_tag(content=localised_script(source))
    return page


@pytest.mark.clause("O3", "O4", "O5", "O8")
def test_generated_orders_mean_the_same_when_they_are_compact_and_whatever_mail_does_to_their_lines(
    page: Any,
) -> None:
    scripted(page)
    stood = 0
    for index, case_drawn in enumerate(ordered()):
        sheet, _ = read(case_drawn.world, case_drawn.realm, "test-key", case_drawn.file)
        if sheet is None:
            continue
        case = Case(str(index), str(index), case_drawn.world, atlas(), sheet)
        file = page.evaluate(
            WRITE, [page_data(case_drawn.world, case_drawn.realm, "test-key"), as_sheet(case)]
        )["file"]
        text = page.evaluate("file => GmSubmit.compact(file)", file)
        assert "#= " not in text
        stood += len(text) < len(file) * 0.6
        for form in (text, put_left(text), wrapped(text)):
            again, findings = read(case_drawn.world, case_drawn.realm, "test-key", form.encode())
            assert again is not None, form
            assert [finding.render() for finding in findings if finding.is_error] == []
            assert meant(again, case_drawn.world) == meant(sheet, case_drawn.world), form
    assert stood > 50


TRICKY = textwrap.dedent(
    """\
    ## a remark
    orders: 1
    game: "my, game: # 1"
    press:
      - {to: ["POL"], text: "Say, \\"[x]\\" # no remark"}
    headquarters:
      proclamation: |-
        It's one,
          two # and no remark

        - three: 3
      send_ambassador: [POL]                                # C1.2: says what it's "for"
    units:
      King's Lynn:
        plan:
          - march: King's Lynn   # it's here
          - rest                 # R1
          - transfer:
              to: A1
              troops: {Archers: 2}
    orders of all:
      - u1 + u2 @ H1 > C1, 3
    """
)


def test_remarks_go_and_texts_stay_whole(page: Any) -> None:
    text = scripted(page).evaluate("file => GmSubmit.compact(file)", TRICKY)
    assert text.splitlines() == [
        "orders: 1",
        'game: "my, game: # 1"',
        'press: [{to: ["POL"], text: "Say, \\"[x]\\" # no remark"}]',
        "headquarters: {",
        'proclamation: "It\'s one,\\n  two # and no remark\\n\\n- three: 3",',
        "send_ambassador: [POL]}",
        "units: {King's Lynn: {plan: [",
        "{march: King's Lynn},",
        "rest,",
        "{transfer: {",
        "to: A1,",
        "troops: {Archers: 2}}}]}}",
        'orders of all: ["u1 + u2 @ H1 > C1, 3"]',
    ]


# -- the page ------------------------------------------------------------------------------------------------


@pytest.fixture
def sent(started: Path, tmp_path: Path) -> Path:
    """The Teutonic Order's first page as it came by mail."""
    return mailed(page_of(started, 0, "TEU"), tmp_path / "TEU.html", key_in(started, "TEU"))


def test_the_orders_stand_in_the_letter_that_is_shown_before_and_count(
    sent: Path, page: Any, game: Path
) -> None:
    player = Player(page).open(sent)
    first_turn(player, PROCLAIMED)
    page.locator("#submit-go").click()
    assert "Enter your key first" in page.locator("#submit-says").inner_text()
    assert page.evaluate("document.activeElement.id") == "submit-key"
    page.locator("#submit-key").fill(key_in(game, "TEU"))
    letter = letter_of(page)
    assert letter["to"] == "minsk@example.org"
    assert letter["subject"] == "Orders for turn 1 (minsk, TEU)"
    assert letter["body"].replace("\r\n", "\n") == shown(page)
    link = page.locator("#submit-go").evaluate("link => link.href")
    assert len(link) <= 1900
    # tests/mail sends just this over its servers
    assert link == LINK
    file = game.parent / "letter.yaml"
    file.write_text(letter["body"], "utf-8")
    command("check", file, "--game", game)
    # the key is there again the next time, and so are the orders
    Player(page).open(sent)
    assert letter_of(page) == letter


def test_a_page_that_did_not_go_out_by_mail_has_nothing_of_it(started: Path, page: Any) -> None:
    Player(page).open(page_of(started, 0, "TEU"))
    assert page.locator("#submit, #submit-go").count() == 0


def test_what_is_too_long_for_mail_programs_is_copied_and_pasted(sent: Path, page: Any) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    player = Player(page).open(sent)
    page.locator("#submit-key").fill("brave")
    player.choose("Headquarters").order("Proclamation")
    player.field("What all realms will hear").fill("Žižka – " * 100)
    player.accept()
    assert "copy the orders, then paste them" in page.locator("#submit-long").inner_text()
    assert letter_of(page)["body"] == ""
    assert page.locator("#submit-go").inner_text() == "Open the letter"
    page.locator("#submit-copy").click()
    page.locator("#submit-says", has_text="copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()").replace("\r", "") == shown(page)
    assert "key: brave\n" in shown(page)
    player.press("Undo")
    assert page.locator("#submit-long").is_hidden()


def test_a_letter_is_sent_with_keys_alone_on_a_telephone_in_german(
    browser: Any, games: Callable[[str], Path], tmp_path: Path
) -> None:
    game = games("conquest-structures")
    about = {"game": "conquest-structures", "language": "de", "coming": "Zug 1"}
    path = mailed(page_of(game, 0, "RED"), tmp_path / "RED.html", key_in(game, "RED"), **about)
    # without the watch over what pages ask for: this one is to ask for the mail program
    with browser.new_context(**PHONE) as context:
        page = context.new_page()
        page.goto(path.as_uri())
        assert shown(page) == "Noch keine Befehle"
        page.locator("#submit-go").press("Enter")
        assert "noch keine Befehle zu" in page.locator("#submit-says").inner_text()
        Board(page, game, "RED", turn=None).enter("H1", "C1")
        page.locator("#submit-key").focus()
        page.keyboard.type(KEY)
        with page.expect_request("mailto:*") as asked:
            page.locator("#submit-go").press("Enter")
        letter = opened(asked.value.url)
        assert letter["subject"] == "Befehle für Zug 1 (minsk, TEU)"
        assert (
            letter["body"]
            == f"game: conquest-structures\r\nturn: 1\r\nplayer: red\r\nkey: {KEY}\r\norders: [H1 > C1]\r\n"
        )
        assert "Schick ihn dort ab" in page.locator("#submit-says").inner_text()
        assert page.locator("#submit-go").inner_text() == "Per Mail schicken"
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("look", LOOKS)
def test_sending_keeps_nobody_out(new_page: Callable[..., Any], sent: Path, look: str) -> None:
    page = new_page(**LOOKS[look])
    Player(page).open(sent)
    see(page, "write")
    assert page.locator("#submit-go").evaluate("link => link.getBoundingClientRect().height") >= 44
    assert grave_findings(page) == []
