"""The few words in which realms write proposals to a bot, and in which it answers.

They are in any language of ``bots/talk.yaml``. Others' text is only searched for them, never repeated.
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cache

from gm.core.diagnostics import fold, nearest
from gm.core.orders.reading import NameIndex
from gm.core.values import Record
from gm.games.medieval.data.clauses_data import talk_file

PEACE = "peace"
ALLIANCE = "alliance"
PASSAGE = "passage"
LAND = "land"
ACCEPT = "accept"
SENTENCES = 40  # so many of a letter are looked at
LONGEST = 200  # characters of one
ENGLISH = "en"
_SUM = r"(\d{1,6}(?:[.,]\d{1,2})?)"


class Proposal(Record):
    """A proposal of a realm. ``other``: the alliance's enemy; ``place`` and ``gold``: of a sale."""

    what: str
    other: str = ""
    place: str = ""
    gold: Decimal = Decimal(0)


class Understood(Record):
    """The proposals found in a letter. ``near``: a word that was perhaps meant where nothing was found."""

    proposals: tuple[Proposal, ...] = ()
    near: str = ""


def phrase(language: str, key: str, **fields: object) -> str:
    """Return a text of the file in a language, or in English."""
    texts = talk_file().says
    return texts.get(language, texts[ENGLISH])[key].format(**fields)


def put_in_words(proposal: Proposal, language: str) -> str:
    """Return a proposal as people write it."""
    key = f"{ALLIANCE}-against" if proposal.what == ALLIANCE and proposal.other else proposal.what
    return phrase(language, key, other=proposal.other, place=proposal.place, gold=f"{proposal.gold:f}")


@cache
def _pattern(name: str) -> str:
    words = sorted(map(fold, talk_file().words[name]), key=lambda word: (-len(word), word))
    return rf"\b(?:{'|'.join(map(re.escape, words))})\b"


def understood(text: str, realms: NameIndex, provinces: NameIndex) -> Understood:
    """Return a letter's proposals: in questions, after ``propose:``, and in lines that hold nothing else."""
    proposals: dict[Proposal, None] = {}
    near = ""
    for sentence in _sentences(text):
        folded = fold(sentence)
        start = re.match(rf"{_pattern('propose')}\s*:?\s*", folded)
        is_question = folded.endswith("?") or start is not None
        folded = folded[start.end() if start else 0 :].strip(" ?.!:,\"'")
        new_proposals = list(_proposals(folded, realms, provinces, whole=not is_question))
        proposals |= dict.fromkeys(new_proposals)
        if not new_proposals and is_question and not near:
            near = _near(folded, realms, provinces)
    return Understood(tuple(proposals), near)


def _sentences(text: str) -> Iterator[str]:
    parts = re.findall(r"[^\n;?!]+[?!]*", text[: SENTENCES * LONGEST])
    yield from (part.strip()[:LONGEST] for part in parts[:SENTENCES] if part.strip())


def _proposals(folded: str, realms: NameIndex, provinces: NameIndex, *, whole: bool) -> Iterator[Proposal]:
    """Yield the proposals in a sentence. ``whole``: the sentence must hold nothing else."""
    search = re.fullmatch if whole else re.search
    bargain = search(rf"{_SUM} {_pattern('gold')} {_pattern('for')} (.+)", folded)
    if bargain:
        place = _named(provinces, bargain[2])
        if place:
            yield Proposal(LAND, place=place, gold=Decimal(bargain[1].replace(",", ".")))
        return
    joint = search(rf"{_pattern(ALLIANCE)}(?: {_pattern('against')} (.+))?", folded)
    if joint:
        against = _named(realms, joint[1]) if joint[1] else ""
        if against is not None:
            yield Proposal(ALLIANCE, other=against)
    for what in (PEACE, PASSAGE, ACCEPT):
        if search(_pattern(what), folded):
            yield Proposal(what)


def _named(names: NameIndex, text: str) -> str | None:
    """Return the name that a text begins with. None if it begins with no name."""
    words = text.split()
    matches = (names.find(" ".join(words[:count]).strip(" .,")) for count in range(len(words), 0, -1))
    return next(filter(None, matches), None)


def _near(folded: str, realms: NameIndex, provinces: NameIndex) -> str:
    """Return the word or name that may have been meant; most texts are near to none."""
    words = [talk_file().words[kind][0] for kind in (PEACE, ALLIANCE, PASSAGE)]
    tail = re.split(rf" {_pattern('for')} | {_pattern('against')} ", folded)
    if len(tail) > 1:
        return provinces.nearest(tail[-1]) or realms.nearest(tail[-1]) or ""
    return next(filter(None, (nearest(word, words) for word in folded.split()[:10] if len(word) > 3)), "")
