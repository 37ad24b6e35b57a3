"""Draws textures as small pictures inside a page: PNG in data URIs."""

from __future__ import annotations

import base64
import io
import math

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from texelscope.pipeline.export.snapshots import picture

_THUMBNAIL_TEXELS = 64


def thumbnail(texels: NDArray[np.float32]) -> str:
    """Returns a small picture of texels [height, width, lanes], as a source of <img>; a large one is thinned out."""
    step = max(1, math.ceil(max(int(side) for side in texels.shape[:2]) / _THUMBNAIL_TEXELS))
    buffer = io.BytesIO()
    Image.fromarray(picture(texels[::step, ::step])[0], "RGB").save(buffer, "PNG", optimize=True)
    return "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode("ascii")
