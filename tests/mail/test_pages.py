"""Orders in a letter that is a web page alone."""

import html
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from gm.mail.attachments import PAGE_LIMIT
from gm.mail.html_text import text_of_page
from gm.mail.letter import read_letter
from tests.cost import cost
from tests.mail.office import Office, enclosed, flat, keyless, mail, mark
from tests.mail.shapes.pieces import OLD, ORDERS, key, letter, parts

PAGES: dict[str, Any] = YAML(typ="safe").load(
    (Path(__file__).parent / "shapes/pages.yaml").read_text("utf-8")
)
PAGE_KIND = "Content-Type: text/html; charset=utf-8\n"


def page(name: str, text: str = ORDERS) -> str:
    """An order file in one of the shapes."""
    shape = PAGES[name]
    lines = []
    for line in text.splitlines() if "line" in shape else ():
        plain = line.lstrip()
        indent = shape["space"] * (len(line) - len(plain))
        lines.append(shape["line"].replace("{indent}", indent).replace("{text}", html.escape(plain)))
    markup = str(shape["page"]).replace("{lines}", "".join(lines))
    return markup.replace("{whole}", html.escape(text)).replace("{old}", html.escape(OLD))


def sent(name: str, text: str = ORDERS, number: str = "1") -> bytes:
    return mail(page(name, text), more=PAGE_KIND, subject="Re: orders", number=number)


@pytest.mark.parametrize("name", PAGES)
def test_orders_in_a_page_alone_are_read(name: str) -> None:
    """item 27"""
    letter = read_letter(sent(name))
    assert [file.data.decode() for file in letter.files] == [ORDERS]
    assert letter.advice == ("page",)


def test_the_receipt_tells_how_they_were_understood(office: Office) -> None:
    """item 27: with the file that was made of the page."""
    office.receive(sent("div a line"))
    assert office.standing() == ORDERS.encode()
    text = flat(office.sent()[-1])
    assert "read as the page shows them" in text
    assert "how your orders were understood" in text
    assert list(enclosed(office.sent()[-1]).values()) == [ORDERS.encode()]


@pytest.mark.parametrize("change", ["wrong", "none"])
def test_a_page_counts_only_with_its_key(office: Office, change: str) -> None:
    """item 27: an answer to the letter that the key came in needs it, too."""
    text = keyless("LIT") if change == "none" else ORDERS.replace(key("LIT"), key("POL"))
    office.receive(mail(page("pre", text), more=PAGE_KIND, subject=f"Re: {mark(office)}"))
    assert office.standing() is None
    assert {kind for kind, to in office.kinds() if to == "anna@example.org"} <= {"advice", "notice"}
    assert office.kinds()


def test_an_earlier_version_in_a_page_is_asked_about(office: Office) -> None:
    """item 27, item 22: below other words."""
    office.receive(sent("pre", OLD))
    office.receive(sent("pre", number="2"))
    body = f"<p>Why?</p><pre>{html.escape(OLD)}</pre>"
    office.receive(mail(body, more=PAGE_KIND, number="3"))
    assert office.standing() == ORDERS.encode()
    assert "earlier version" in flat(office.sent()[-1])


@pytest.mark.parametrize("plain", ["", "This mail is a web page.", "Please see below."])
def test_a_plain_text_without_orders_hides_no_page(plain: str) -> None:
    """item 27: the other half of a letter in two forms."""
    kind = "Content-Type: text/plain; charset=utf-8\n\n"
    body = parts("b", kind + plain, f"{PAGE_KIND}\n{page('br')}")
    head = 'From: anna@example.org\nContent-Type: multipart/alternative; boundary="b"'
    assert [file.data.decode() for file in read_letter(letter(head, body)).files] == [ORDERS]


def test_a_plain_text_with_orders_or_a_quotation_is_what_counts() -> None:
    """item 27: the other side."""
    head = 'From: anna@example.org\nContent-Type: multipart/alternative; boundary="b"'
    quoted = "".join(f"> {line}\n" for line in OLD.splitlines())
    for plain, files in ((ORDERS, [ORDERS]), (f"Why?\n\n{quoted}", [])):
        text = f"Content-Type: text/plain; charset=utf-8\n\n{plain}"
        body = parts("b", text, f"{PAGE_KIND}\n{page('br', OLD)}")
        assert [file.data.decode() for file in read_letter(letter(head, body)).files] == files


HOSTILE = (
    "<div>", "<br>", "<table><tr><td>", "<td>a", "<", "&amp;", "<!--", "<ul><li>", "<blockquote>", "<p>",
    "<b><i>", "\0", "a ", "<p style='white-space:  ", "<![CDATA[", "<?x ", "<!x ", "&#1114112;",
    "\ue000\ue002", "<pre>\n", "<script>",
)  # fmt: skip


@pytest.mark.slow
def test_any_page_is_read_in_little_time_and_fails_nobody() -> None:
    """item 27: hostile pages, and item 21."""
    for fragment in HOSTILE:
        data = (fragment * (PAGE_LIMIT // len(fragment))).encode()[:PAGE_LIMIT]
        assert cost(partial(text_of_page, data), 2) < 2, fragment
