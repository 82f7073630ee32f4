"""The few words in which realms write proposals to a bot, and in which it answers.

The words are those of ``bots/talk.yaml``, in any of its languages. Letters are searched for them, and never
repeated.
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
SENTENCES = 40  # so many sentences of a letter are looked at
LONGEST = 200  # so many characters of a sentence
ENGLISH = "en"
_SUM = r"(?P<gold>\d{1,6}(?:[.,]\d{1,2})?)"


class Proposal(Record):
    """A proposal of a realm.

    ``what``: one of ``PEACE`` to ``ACCEPT``; ``other``: the code of the realm against which an alliance is
    proposed, if any; ``place`` and ``gold``: the province of a sale, and its price.
    """

    what: str
    other: str = ""
    place: str = ""
    gold: Decimal = Decimal(0)


class Understood(Record):
    """The proposals in a letter. ``near``: a word that was perhaps meant by a question without a proposal."""

    proposals: tuple[Proposal, ...] = ()
    near: str = ""


def phrase(language: str, key: str, **fields: object) -> str:
    """Return the text ``key`` of ``bots/talk.yaml`` with these fields, in a language or else in English."""
    texts = talk_file().says
    return texts.get(language, texts[ENGLISH])[key].format(**fields)


def put_in_words(proposal: Proposal, language: str) -> str:
    """Return a proposal in words of a language."""
    key = f"{ALLIANCE}-against" if proposal.what == ALLIANCE and proposal.other else proposal.what
    return phrase(language, key, other=proposal.other, place=proposal.place, gold=f"{proposal.gold:f}")


@cache
def _pattern(name: str) -> str:
    """Return a regular expression for the words of ``bots/talk.yaml`` with a meaning, such as ``peace``.

    Longer words are tried first, since a shorter one may be their beginning.
    """
    words = sorted(map(fold, talk_file().words[name]), key=lambda word: (-len(word), word))
    return rf"\b(?:{'|'.join(map(re.escape, words))})\b"


def understood(text: str, realms: NameIndex, provinces: NameIndex) -> Understood:
    """Return the proposals in a letter, and what a question that holds none may have misspelled.

    Proposals are in questions, behind a word such as ``propose``, and in sentences that hold nothing else.
    """
    proposals: dict[Proposal, None] = {}
    near = ""
    for sentence in _sentences(text):
        folded = fold(sentence)
        propose = re.match(rf"{_pattern('propose')}\s*:?\s*", folded)
        is_question = folded.endswith("?") or propose is not None
        folded = folded[propose.end() if propose else 0 :].strip(" ?.!:,\"'")
        new_proposals = list(_proposals(folded, realms, provinces, whole=not is_question))
        proposals |= dict.fromkeys(new_proposals)
        if not new_proposals and is_question and not near:
            near = _near(folded, realms, provinces)
    return Understood(tuple(proposals), near)


def _sentences(text: str) -> Iterator[str]:
    """Yield the first sentences of a text, none longer than ``LONGEST``."""
    parts = re.findall(r"[^\n;?!]+[?!]*", text[: SENTENCES * LONGEST])
    yield from (part.strip()[:LONGEST] for part in parts[:SENTENCES] if part.strip())


def _proposals(folded: str, realms: NameIndex, provinces: NameIndex, *, whole: bool) -> Iterator[Proposal]:
    """Yield the proposals in a sentence, which is folded. ``whole``: the sentence must hold nothing else."""
    search = re.fullmatch if whole else re.search
    sale = search(rf"{_SUM} {_pattern('gold')} {_pattern('for')} (?P<place>.+)", folded)
    if sale:
        place = _named(provinces, sale["place"])
        if place:
            yield Proposal(LAND, place=place, gold=Decimal(sale["gold"].replace(",", ".")))
        return
    alliance = search(rf"{_pattern(ALLIANCE)}(?: {_pattern('against')} (?P<realm>.+))?", folded)
    if alliance:
        against = _named(realms, alliance["realm"]) if alliance["realm"] else ""
        if against is not None:  # a realm that is not known makes no proposal
            yield Proposal(ALLIANCE, other=against)
    for what in (PEACE, PASSAGE, ACCEPT):
        if search(_pattern(what), folded):
            yield Proposal(what)


def _named(names: NameIndex, text: str) -> str | None:
    """Return what the index has for the longest name or code that a text begins with; else None."""
    words = text.split()
    matches = (names.find(" ".join(words[:count]).strip(" .,")) for count in range(len(words), 0, -1))
    return next(filter(None, matches), None)


def _near(folded: str, realms: NameIndex, provinces: NameIndex) -> str:
    """Return the word for a proposal, or the name, that a sentence may have misspelled; empty for none.

    Behind "for" or "against" only names are looked for; else words among the sentence's first ten, and none
    of fewer than four letters is taken for a misspelled one.
    """
    # the first word of a kind is the one to suggest
    words = [talk_file().words[kind][0] for kind in (PEACE, ALLIANCE, PASSAGE)]
    # behind "for" a province is named, behind "against" a realm
    tail = re.split(rf" {_pattern('for')} | {_pattern('against')} ", folded)
    if len(tail) > 1:
        return provinces.nearest(tail[-1]) or realms.nearest(tail[-1]) or ""
    return next(filter(None, (nearest(word, words) for word in folded.split()[:10] if len(word) > 3)), "")
