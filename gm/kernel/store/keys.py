"""Keys: three words that prove whose orders a file holds, easy to say, to type and to tell apart.

Each turn has keys of its own, made from a secret that each player's seat has: who sees an old key, in an old mail or
over a shoulder, has nothing.
"""

from __future__ import annotations

import hmac

from gm.kernel.dice import Dice

_MOODS = """
amber brave bright calm clever crimson eager early fair fierce free gentle gilded glad golden grand green happy
hardy honest humble idle iron jolly keen kind late light lively loyal lucky marble mellow merry mild modest noble
patient plain polite proud quick quiet rapid ready royal rustic silent silver sober solid steady still stout sunny
swift tidy tireless true valiant velvet vivid warm wary white wild willing wise witty worthy young
"""
_CREATURES = """
adder badger bear beaver bison boar buzzard crane cuckoo curlew deer dormouse eagle egret falcon ferret finch fox
goat goose grouse hare harrier hawk hedgehog heron horse hound jackdaw kestrel kite lapwing lark linnet lynx magpie
marten mole newt osprey otter ouzel owl ox partridge pheasant pigeon pike plover polecat quail raven robin salmon
seal snipe sparrow squirrel stag starling stork swallow swan swift thrush trout vole wagtail weasel wolf wren
"""
_NUMBERS = range(10, 100)


def player_secret(secret: str, realm: str) -> str:
    """The secret of one seat of a game, 32 hex digits, from one that the whole game is started with."""
    return hmac.digest(secret.encode(), f"player secret\n{realm}".encode(), "sha256").hex()[:32]


def make_key(secret: str, realm: str, turn: int) -> str:
    """A realm's key for the orders of one turn, the same for the same secret, e.g. ``brave-otter-71``.

    Who does not know the secret can work out no key, also not from the keys of other turns.
    """
    moods, creatures = _MOODS.split(), _CREATURES.split()
    stream = Dice(secret)("key", realm, f"turn {turn}")
    return f"{stream.choice(moods)}-{stream.choice(creatures)}-{stream.choice(_NUMBERS)}"
