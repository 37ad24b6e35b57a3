"""Pictures of texels, whatever numbers they hold."""

from __future__ import annotations

import numpy as np
import pytest

from texelscope.pipeline.export import colour_maps
from texelscope.pipeline.export.snapshots import INFINITY_COLOUR, NAN_COLOUR, picture

LARGEST = float(np.finfo(np.float32).max)
LEAST = float(np.finfo(np.float32).smallest_subnormal)


@pytest.mark.parametrize(("low", "high"), [(-LARGEST, LARGEST), (-LEAST, LEAST), (0.0, LARGEST), (0.0, LEAST)])
def test_the_first_and_the_last_colour_are_those_of_the_ends_of_any_range(low: float, high: float) -> None:
    pixels, *limits = picture(np.array([[[low], [high], [np.nan], [np.inf]]], dtype=np.float32))
    table = colour_maps.table("signed" if low < 0.0 else "unsigned")
    wanted = np.stack([table[0], table[-1], NAN_COLOUR, INFINITY_COLOUR])
    np.testing.assert_array_equal(pixels[0], np.rint(wanted * 255.0))
    assert limits == [low, high]
