"""Keys: three words that prove whose orders a file holds, easy to say, to type and to tell apart."""

from __future__ import annotations

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


def make_key(secret: str, realm: str, taken: frozenset[str] = frozenset()) -> str:
    """A realm's key, the same for the same secret, e.g. ``brave-otter-71``; never one of ``taken``.

    Who does not know the secret cannot work out a key; the secret is not kept.
    """
    moods, creatures = _MOODS.split(), _CREATURES.split()
    stream = Dice(secret)("key", realm)
    while True:
        key = f"{stream.choice(moods)}-{stream.choice(creatures)}-{stream.choice(_NUMBERS)}"
        if key not in taken:
            return key
