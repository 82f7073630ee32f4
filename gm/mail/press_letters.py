"""The messages about letters between players: copies, confirmations, refusals."""

import textwrap
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from gm.campaign.press import all_press, press_rule
from gm.core.diagnostics import printable, said, says
from gm.core.orders.keys import make_token
from gm.core.orders.press import ANONYMOUS, GM
from gm.mail.answers import Answers, answer_name
from gm.mail.letter import Letter, without_keys
from gm.mail.outbox import Outgoing
from gm.store.press import Press
from gm.store.settings import Player

KIND = "press"  # of the letters that are passed on
_WIDTH = 74
_HARMLESS = {"no-file", "quoted", "own-letter", "template"}  # advice that tells of nothing that was left out


class PressWriter(Answers):
    """Writes the messages about letters between players."""

    def copies(self, letter: Press) -> Iterator[Callable[[], Outgoing]]:
        """Yield for each copy of a letter a function that writes it.

        Copies go to the readers who have an address, and to the GM in a game whose GM reads along.
        """
        earlier = all_press(self.mail.campaign) if letter.answers else ()
        answered = next((press for press in earlier if press.mark == letter.answers), None)
        for realm in letter.readers:
            if self.mail.address(realm):
                yield partial(self._press, letter, realm, answered)
        if press_rule(self.mail.campaign).gm_reads:
            yield partial(self.gm_copy, letter)

    def gm_copy(self, letter: Press) -> Outgoing:
        """Return a player's letter to the game master, or the copy of a letter for the game master.

        The GM sees who wrote an anonymous letter to players, but not who wrote one to the GM alone.
        """
        is_unnamed = letter.kind == ANONYMOUS and letter.to == (GM,)
        author = says("Somebody") if is_unnamed else self._name(letter.author)
        return self.notice(
            f"press {letter.mark}", "press-copy", **{**self._about(letter, ""), "name": author}
        )

    def _press(self, letter: Press, realm: str, answered: Press | None) -> Outgoing:
        """Return the copy of a letter for one reader.

        It is a reply to ``answered``, the letter that it answers, if the reader wrote or got that one.
        """
        player = self.mail.campaign.folder.players.of(realm)
        once = press_name(letter, realm)
        answered_id = ""
        if answered is not None and answered.author == realm:
            answered_id = answered.message
        elif answered is not None and realm in answered.readers:
            answered_id = self.mail.message_id(self.mail.outbox.id_of(press_name(answered, realm)))
        token = press_token(player, self.mail.game, letter) if player else ""
        about = self._about(letter, realm)
        # not ``marked``: its subject has this copy's own token instead
        return self._letter(KIND, realm, once, about, token=token, answers=answered_id, marked=False)

    def _about(self, letter: Press, realm: str) -> dict[str, Any]:
        """Return the template values about a letter, for its reader ``realm`` or the GM (empty).

        For players an anonymous letter has no writer and no other readers.
        """
        is_hidden = letter.kind == ANONYMOUS and bool(realm)
        readers = [realm] if is_hidden else letter.to
        return {
            "author": "" if is_hidden else self._name(letter.author),
            "readers": [self._name(reader) for reader in readers],
            "kind_of_letter": letter.kind,
            "about": letter.subject,
            "text": wrapped(letter.text),
            # two codes for an example of other readers
            "others": [seat.code for seat in self.mail.campaign.seats if seat.code != realm][:2],
            "gm_reads": press_rule(self.mail.campaign).gm_reads,
        }

    def passed(
        self,
        realm: str,
        letter: Letter,
        letters: list[Press],
        *,
        hides: bool,
        back: bool,
        for_gm: bool,
        to_gm: bool,
    ) -> Outgoing:
        """Return the confirmation for a letter's writer that it was passed on, with its text.

        ``letters``: its records, the text and the mutes; ``hides``: it answers an anonymous letter, so that
        nobody is named; ``back``: it goes to that letter's writer; ``for_gm``: it is for the GM, too;
        ``to_gm``: the GM gets it, or has it.
        """
        sent_press = next((press for press in letters if press.is_letter), None)
        muted = []
        for press in letters:
            if not press.is_letter:
                muted.append((press.kind, [] if hides else [self._name(code) for code in press.to]))
        readers = sent_press.to if sent_press else ()
        values = {
            "readers": [self._name(reader) for reader in readers],
            "hidden": hides and back,
            "sent": sent_press,
            "text": wrapped(sent_press.text) if sent_press else "",
            "muted": muted,
            "for_gm": for_gm,
            "to_gm": to_gm,
            # a part of the letter was not passed on
            "left_out": bool(set(letter.advice) - _HARMLESS),
        }
        once = answer_name("passed on", letter, realm)
        return self._letter(
            "receipt", realm, once, values, template="press-passed", answers=letter.message_id
        )

    def refused(self, realm: str, letter: Letter, text: str, why: list[tuple[str, ...]]) -> Outgoing:
        """Return the refusal for a letter's writer, with the ``text`` of the letter.

        ``why``: for each reason a message and its values.
        """
        translate = self.translator_for(realm)
        lines = map(printable, without_keys(text).split("\n"))
        values = {
            "why": [said(says(*reason), translate) for reason in why],
            "html": "html-only" in letter.advice,
            "text": wrapped("\n".join(lines)),
        }
        once = answer_name("no press", letter, realm)
        return self._letter(
            "receipt", realm, once, values, template="press-refused", answers=letter.message_id
        )

    def unproven(self, realm: str, letter: Letter) -> Outgoing:
        """Return the warning for a player from whose address a letter to players came without proof."""
        once = answer_name("no proof", letter, realm)
        return self._letter("notice", realm, once, {"letter": letter}, template="press-unproven")


def press_token(player: Player, game: str, letter: Press) -> str:
    """Return the token in the subject of a player's copy of a letter: whoever knows it got that copy."""
    about = f"press token\n{game}\n{player.realm}\n{letter.mark}"
    return f"p-{make_token(player.secret or player.key, about)}"


def press_name(letter: Press, realm: str) -> str:
    """Return the purpose in the outbox of the copy of a letter for one of its readers, a ``realm``."""
    return f"{KIND} {letter.mark} {realm}"


def press_mark(purpose: str) -> str:
    """Return the mark of the letter in the purpose of one of its copies (:func:`press_name`)."""
    _kind, mark, *_realm = purpose.split()
    return mark


def wrapped(text: str) -> str:
    """Return the lines of a text, wrapped to a length that mail programs show unchanged."""
    lines: list[str] = []
    for line in text.split("\n"):
        lines += textwrap.wrap(line, _WIDTH) or [""]
    return "\n".join(lines)
