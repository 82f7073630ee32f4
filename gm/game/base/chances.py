"""Chances in words, as people count them: times in ten."""

from gm.text.languages import Translate


def times_in_ten(share: float, translate: Translate) -> str:
    """Return a probability in words, such as ``about 9 times in 10``."""
    _ = translate
    tenths = round(10 * share)
    if tenths == 0:
        return _("less than once in 10")
    if tenths == 1:
        return _("about once in 10")
    if tenths == 10:
        return _("more than 9 times in 10")
    return _("about {tenths} times in 10").format(tenths=tenths)
