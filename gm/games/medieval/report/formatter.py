"""Put events into the sentences of templates/medieval/sentences, with names of realms, units and places."""

import re
from collections.abc import Mapping
from copy import copy
from typing import Any

from gm.core.diagnostics import printable, said
from gm.game.base.herald import grammar
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.clauses_data import load_reasons, named, numbered, troop_names
from gm.games.medieval.state import INDEPENDENTS, Unit, World
from gm.text import words as shared
from gm.text.languages import ENGLISH, Translate, translator
from gm.text.names import takes_article, the
from gm.text.words import EventFormatter, Named, Sentence

_UNIT_ID = re.compile(r"[AFG]\d{1,5}")
# the fields of events whose values are words of the game, to be translated
_OUR_WORDS = frozenset({"structure", "tactic", "status", "controller", "season", "next_season"})
_UNIT_KEY = re.compile(r"([A-Z]{3})/([AFG]\d{1,5})")


def load_sentences() -> Mapping[str, Sentence]:
    """Return every sentence by event class. Raises ``ValueError`` for a class that two files describe."""
    return shared.load_sentences("templates", "medieval", "sentences")


def _adjective(english: str, language: str, translate: Translate) -> str:
    """Return a realm's adjective, or its stem, in a language; empty if the catalogue has none."""
    translated = english and translate(english)
    return "" if language != ENGLISH and translated == english else translated


def _places_with_article(atlas: Atlas) -> dict[str, str]:
    """Return the names with article, by name, of places that have one: most seas and some provinces."""
    without_article = grammar("medieval").without_article
    seas = [name for name in atlas.seas if name not in without_article]
    lands = [name for name in atlas.locations if takes_article(name)]
    return {name: f"the {name}" for name in (*seas, *lands)}


def names_with_articles(world: World, atlas: Atlas, language: str) -> dict[str, str]:
    """Return the names of realms as they are written within a sentence, by code: "the Teutonic Order"."""
    formatter = MedievalFormatter(world, language=language, atlas=atlas).with_articles()
    return {code: str(formatter.realm(code)) for code in world.realms}


class MedievalFormatter(EventFormatter):
    """Puts events of one turn into words, with the names of the realms and units of its worlds.

    A unit that was formed and lost within the turn is in no world and is named by its id alone. ``worlds``:
    those before and after the turn; ``sentences``: of events, by default those of templates; ``translate``:
    by default into the ``language``; ``atlas``: the map, which has the realms' adjectives.
    """

    free_text = frozenset(
        {
            "name",
            "text",
            "title",
            "old_name",
            "new_name",
            "commander",
            "commanders",
            "leader",
            "contact",
            "words",
        }
    )

    def __init__(
        self,
        *worlds: World,
        sentences: Mapping[str, Sentence] | None = None,
        translate: Translate | None = None,
        language: str = ENGLISH,
        atlas: Atlas | None = None,
    ) -> None:
        """Collect the names of realms and units in these worlds."""
        self.language = language
        translate = translate or translator("medieval", language)
        names = {INDEPENDENTS: translate("the independents")}
        self._units: dict[str, Unit] = {}
        for world in worlds:
            names |= {code: realm.name for code, realm in world.realms.items()}
            self._units |= world.units
        if atlas:
            for code, seat in atlas.realms.items():
                if code in names:
                    names[code] = Named(names[code], _adjective(seat.adjective, language, translate))
        super().__init__(names, load_sentences() if sentences is None else sentences, load_reasons, translate)
        self._unit_words: dict[str, str] = {}  # by the unit's key, see :meth:`unit`
        self._in_prose = self._names_in_prose(names)  # by code: realms' names within a sentence
        # only English has articles before names of places
        self._places = _places_with_article(atlas) if atlas and language == ENGLISH else {}

    named = staticmethod(named)
    numbered = staticmethod(numbered)
    """What one of a type and several are called, for templates."""

    def with_articles(self) -> "MedievalFormatter":
        """Return a formatter whose :meth:`realm` is "the Teutonic Order", as in sentences."""
        formatter = copy(self)
        formatter.names = self._in_prose
        return formatter

    def _names_in_prose(self, names: Mapping[str, str]) -> dict[str, str]:
        """Return realms' names as they are written within a sentence, by code; they keep their adjectives."""
        in_prose = {**names}
        for code, name in names.items():
            in_prose[code] = Named(said(the(name), self.translate), getattr(name, "adjective", ""))
        return in_prose

    def realm(self, code: str) -> str:
        """Return a realm's name; other texts unchanged."""
        return self.called(code)

    def place(self, name: str) -> str:
        """Return a place's name within a sentence: "the Faroe Islands", "the Orkney Sea", "Kent".

        The article is there in English only, and only with an atlas.
        """
        return self._places.get(name, name)

    def is_realm(self, code: str) -> bool:
        """Return whether this is a realm's code; independents are no realm."""
        return code in self.names and code != INDEPENDENTS

    def unit(self, key: str) -> str:
        """Return a unit in words: ``A12 "Royal Lions" of England``, ``the garrison of London``."""
        if key not in self._unit_words:
            code, _, unit_id = key.partition("/")
            unit = self._units.get(key)
            if unit is not None and unit.is_garrison:
                words = self.phrase("the garrison of {place}", place=self.place(unit.place))
            else:
                realm = self._in_prose.get(code, code)
                words = self.phrase("{unit} of {realm}", unit=self._id_and_name(unit_id, unit), realm=realm)
            self._unit_words[key] = words
        return self._unit_words[key]

    def _id_and_name(self, unit_id: str, unit: Unit | None) -> str:
        """Return a unit's id, with its name if it has one: ``A12 “Royal Lions”``."""
        if unit is None or not unit.name:
            return unit_id
        return self.phrase("{unit} “{name}”", unit=unit_id, name=printable(unit.name))

    def own_unit(self, realm: str, reference: str) -> str:
        """Return a unit's name for its own player: ``A12 “Royal Lions”``, ``Garrison of London``.

        ``reference``: its id, or for a garrison its province.
        """
        unit = self._units.get(f"{realm}/{reference}")
        if unit is None and not _UNIT_ID.fullmatch(reference):
            return self.phrase("Garrison of {place}", place=self.place(reference))
        if unit is not None and unit.is_garrison:
            return self.phrase("Garrison of {place}", place=self.place(unit.place))
        return self._id_and_name(reference, unit)

    def words(self, value: Any, name: str = "") -> str:
        """Return a field's value as text; words of ours, such as seasons, are translated."""
        text = super().words(value, name)
        return self.translate(text) if name in _OUR_WORDS else text

    def _pair(self, key: Any, item: Any, name: str) -> str:
        """Return an entry of a mapping as text: a number of troops by type as "2 Knights"."""
        is_troop = isinstance(item, int) and (key in troop_names().one or key in troop_names().many)
        return numbered(item, key) if is_troop else super()._pair(key, item, name)

    def code(self, value: str) -> str:
        """Return the name, within a sentence, for a realm's code, a unit's key or a place.

        Other texts are unchanged.
        """
        if value in self._in_prose:
            return self._in_prose[value]
        return self.unit(value) if _UNIT_KEY.fullmatch(value) else self.place(value)
