"""The maps of a game's turns as one animated picture, GIF or WebP, for places that accept no page.

It needs the program's extra ``film``: resvg for the drawings, Pillow for the film.
"""

import io
from collections.abc import Iterable

from gm.story.turns import PastTurn

FORMATS = {".gif": "GIF", ".webp": "WEBP"}  # Pillow's names, by the ending of a file's name
SHOWN = 1200  # milliseconds that a turn is shown
LAST = 4000  # milliseconds that the newest turn is shown
QUALITY = 70  # of WebP, 100 at most


def film(turns: Iterable[PastTurn], form: str, width: int) -> bytes:
    """Return the content of a film of turns with their moves.

    ``form``: a key of :data:`FORMATS`; ``width``: in pixels. Raises ``ImportError`` without the extra.
    """
    import resvg_py
    from PIL import Image
    from PIL.PngImagePlugin import PngImageFile

    pictures = []
    for turn in turns:
        svg = turn.moving or turn.drawing  # without any moves there is only the drawing
        png = bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width))
        pictures.append(PngImageFile(io.BytesIO(png)).convert("RGB"))
    # all frames have one height, though a legend may have a row more in one turn than in another
    height = max(picture.height for picture in pictures)
    frames = []
    for picture in pictures:
        background = picture.getpixel((0, 0))  # the colour of the picture's corner
        frame = Image.new("RGB", (width, height), background)
        frame.paste(picture)
        frames.append(frame)
    target = io.BytesIO()
    durations = [*[SHOWN] * (len(frames) - 1), LAST]
    # loop 0: it begins again without end
    options = {"save_all": True, "append_images": frames[1:], "duration": durations, "loop": 0}
    # quality and method (how hard it compresses) are for WebP alone
    frames[0].save(target, FORMATS[form], quality=QUALITY, method=2, **options)
    return target.getvalue()
