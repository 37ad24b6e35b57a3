"""The classes of a facade label map and their colours.

A label map is an ordinary picture: every pixel has the colour of its class. The colours come from a search
over the 216 colours of the web-safe cube for a set whose closest pair stays as far apart as possible in
CIELAB, for full colour vision and for protanopia, deuteranopia and tritanopia alike (Machado, Oliveira and
Fernandes 2009). The closest pair is 23 units apart; around 2 are just noticeable.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray


class Label(IntEnum):
    """What a pixel of a label map shows; the value is the row of `PALETTE`."""

    SKY = 0
    BRICK = 1
    PLASTER = 2
    STONE = 3
    TILES = 4
    SLATE = 5
    WINDOW = 6
    DOOR = 7
    SHUTTER = 8
    BALCONY = 9
    CORNICE = 10
    SHOP = 11
    AWNING = 12
    GROUND = 13
    PLANT = 14


WALLS = (Label.BRICK, Label.PLASTER, Label.STONE)
ROOFS = (Label.TILES, Label.SLATE)

PALETTE: NDArray[np.uint8] = np.array(
    [
        (153, 204, 255),
        (204, 0, 0),
        (255, 204, 204),
        (153, 153, 102),
        (102, 0, 0),
        (102, 51, 153),
        (0, 51, 255),
        (51, 0, 51),
        (0, 102, 102),
        (255, 0, 153),
        (204, 153, 0),
        (0, 0, 153),
        (204, 102, 255),
        (204, 255, 0),
        (102, 255, 153),
    ],
    dtype=np.uint8,
)


def colour_labels(labels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Turn class indices [..., height, width] into sRGB colours [..., height, width, 3]."""
    return PALETTE[labels]
