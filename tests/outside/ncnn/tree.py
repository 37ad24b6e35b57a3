"""Locates ncnn's shaders: in the folder that a variable names, or where `tests.outside.ncnn.fetch` has put them."""

from __future__ import annotations

import os
from pathlib import Path

VARIABLE = "TEXELSCOPE_NCNN_SHADERS"
# The last ones that have elempack 8 and images.
VERSION = "1.0.20250503"


def shader_folder() -> Path:
    """Returns the folder with relu.comp and its kin, there or not."""
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "texelscope-outside" / f"ncnn-{VERSION}"
