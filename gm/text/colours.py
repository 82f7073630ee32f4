"""The perceived distance of two colours, CIEDE2000 (ISO/CIE 11664-6), also for the colour-blind.

A colour as text is ``#rrggbb``.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt

Colour = tuple[float, float, float]  # linear red, green and blue (0 to 1), or CIE L*, a* and b*
Matrix = tuple[Colour, Colour, Colour]

SIGHTS: Mapping[str, Matrix] = {
    "full sight": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.01182, 0.04294, 0.968881),
    ),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
}
"""By kind of sight: what it makes of linear red, green and blue (Machado et al. 2009, severity 1)."""
PAPERS = ("#f4ead1", "#372e24")
"""The background of maps by day and by night."""
TOLD_APART = 12.0
"""From this CIEDE2000 on, areas beside each other are told apart at a glance."""

# CIE XYZ of linear red, green and blue
_XYZ: Matrix = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
_WHITE = (0.9505, 1.0, 1.089)  # the XYZ of white


def times(matrix: Matrix, vector: Sequence[float]) -> Colour:
    """Return the product of a matrix and a vector."""
    x, y, z = (sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)
    return x, y, z


def linear(colour: str) -> Colour:
    """Return the red, green and blue light, each from 0 to 1, of a colour such as ``#7d7264``."""
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return _without_gamma(red), _without_gamma(green), _without_gamma(blue)


def _without_gamma(value: float) -> float:
    """Return the linear value of a part of an sRGB colour, both from 0 to 1."""
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour, from 0 to 1, by which contrasts of text are measured."""
    return times(_XYZ, linear(colour))[1]  # Y of (X, Y, Z)


def left_of(colour: str, sight: str) -> list[float]:
    """Return linear red, green and blue as an eye with this sight, a key of ``SIGHTS``, perceives them."""
    return [min(1.0, max(0.0, part)) for part in times(SIGHTS[sight], linear(colour))]


def on_paper(colour: str, paper: str) -> str:
    """Return a land's colour as maps draw it: half transparent, over the colour of the ``paper``."""
    halves = ((int(colour[at : at + 2], 16) + int(paper[at : at + 2], 16)) / 2 for at in (1, 3, 5))
    return "#" + "".join(f"{round(half):02x}" for half in halves)


@cache
def cielab(colour: str, sight: str = "full sight") -> Colour:
    """Return the colour in CIE L*a*b*, as an eye with this sight, a key of ``SIGHTS``, perceives it."""
    parts = (part / white for part, white in zip(times(_XYZ, left_of(colour, sight)), _WHITE, strict=True))
    x, y, z = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in parts)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def ciede2000(one: Colour, other: Colour) -> float:
    """Return the CIEDE2000 difference of two colours in CIE L*a*b*."""
    (light1, chroma1, hue1), (light2, chroma2, hue2) = _stretched(one, other)
    hue_step, hue = _hue_step_and_mean(chroma1, hue1, chroma2, hue2)
    light = (light1 + light2) / 2
    chroma = (chroma1 + chroma2) / 2
    light_scale = 1 + 0.015 * (light - 50) ** 2 / sqrt(20 + (light - 50) ** 2)
    lightness = (light2 - light1) / light_scale
    vividness = (chroma2 - chroma1) / (1 + 0.045 * chroma)
    hue_weight = 1 + 0.015 * chroma * _weight_t(hue)
    huedness = 2 * sqrt(chroma1 * chroma2) * sin(radians(hue_step / 2)) / hue_weight
    return sqrt(lightness**2 + vividness**2 + huedness**2 + _rotation(chroma, hue) * vividness * huedness)


def _stretched(one: Colour, other: Colour) -> tuple[Colour, Colour]:
    """Return (lightness, chroma, hue in degrees) of two colours, with a* stretched by CIEDE2000's 1 + G."""
    light1, a1, b1 = one
    light2, a2, b2 = other
    grey = (hypot(a1, b1) + hypot(a2, b2)) / 2
    stretch = 1.5 - 0.5 * sqrt(grey**7 / (grey**7 + 25**7))
    return (light1, *_polar(a1 * stretch, b1)), (light2, *_polar(a2 * stretch, b2))


def _weight_t(hue: float) -> float:
    """Return the weight T of CIEDE2000, by which hue differences count at a hue in degrees."""
    return (
        1
        - 0.17 * _cos(hue - 30)
        + 0.24 * _cos(2 * hue)
        + 0.32 * _cos(3 * hue + 6)
        - 0.20 * _cos(4 * hue - 63)
    )


def _rotation(chroma: float, hue: float) -> float:
    """Return the rotation term R_T of CIEDE2000, which couples chroma and hue in the blues."""
    return -2 * sqrt(chroma**7 / (chroma**7 + 25**7)) * sin(radians(60 * exp(-(((hue - 275) / 25) ** 2))))


def _polar(a: float, b: float) -> tuple[float, float]:
    """Return (chroma, hue in degrees from 0 to 360) of a* and b*."""
    return hypot(a, b), degrees(atan2(b, a)) % 360


def _hue_step_and_mean(chroma1: float, hue1: float, chroma2: float, hue2: float) -> tuple[float, float]:
    """Return (step from one hue to the other, mean of both) in degrees, both the shorter way round."""
    if not chroma1 * chroma2:  # one of them is a grey, whose hue is 0: the sum is that of the other
        return 0.0, hue1 + hue2
    step = hue2 - hue1
    if abs(step) <= 180:
        return step, (hue1 + hue2) / 2
    around = 360 if hue1 + hue2 < 360 else -360
    return step - 360 if step > 180 else step + 360, (hue1 + hue2 + around) / 2


def _cos(angle: float) -> float:
    """Return the cosine of an angle in degrees."""
    return cos(radians(angle))


@cache
def least_apart(by_day: tuple[str, str], by_night: tuple[str, str]) -> float:
    """Return the smallest CIEDE2000 difference over all kinds of sight, by day and by night.

    ``by_day`` and ``by_night``: the two colours as they look then.
    """
    return min(
        ciede2000(cielab(one, sight), cielab(other, sight))
        for (one, other), sight in product((by_day, by_night), SIGHTS)
    )
