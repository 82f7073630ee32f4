"""Drawings as PNG, if pbem is installed with the extra ``png``."""


def png_of(svg: str, width: int) -> bytes:
    """Return an SVG drawing as PNG, ``width`` in pixels. Raises ``ImportError`` without resvg."""
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width))
