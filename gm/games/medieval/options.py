"""The options of a new game: whose votes end it, and the goal (V1)."""

from collections.abc import Mapping

from gm.core.values import Record
from gm.game.values import the_one, whole
from gm.game.votes import RULES, SETTING, VoteRule
from gm.games.medieval.data.rules import Rules

LIMITS = {"cities_percent": 100, "last_turn": 1000}  # From 1 to these


class Chosen(Record):
    """``votes`` none: as in the rules; ``goal``: figures of V1 that differ from the map's and the rules'."""

    votes: VoteRule | None = None
    goal: Mapping[str, int] = {}

    def rules(self, rules: Rules) -> Rules:
        """Return the rules with the chosen options."""
        return rules.evolve(votes=self.votes or rules.votes, victory=rules.victory.evolve(**self.goal))


AS_EVER = Chosen()


def offered(rules: Rules) -> Mapping[str, str]:
    """Return the options by name, each in words."""
    percent = rules.victory.cities_percent
    return {
        "votes": f"{SETTING} (default: {rules.votes})",
        "cities_percent": (
            f"V1: percent of the cities that win, alone or allied (default: the map's, else {percent})"
        ),
        "last_turn": (
            "V1: the turn after which most points for cities and provinces win, if nobody has won before "
            "(default: the map's, else none)"
        ),
    }


def chosen_from(options: Mapping[str, str]) -> Chosen:
    """Return the values of these options. Raises ``ValueError``."""
    wish = options.get("votes")
    votes = (
        None
        if wish is None
        else next(rule for rule in RULES if rule == the_one(wish, RULES, "rule of votes"))
    )
    goal = {
        name: whole(options[name], f"figure for {name}", 1, LIMITS[name])
        for name in LIMITS
        if name in options
    }
    return Chosen(votes, goal)
