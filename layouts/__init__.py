"""Where each tensor element lives in a texture: element <-> (tx, ty, lane)."""

from __future__ import annotations

from texelscope.layouts.base import Layout, Tile
from texelscope.layouts.errors import LayoutError
from texelscope.layouts.registry import all_layouts, fitting, layout
from texelscope.layouts.shapes import as_nchw

__all__ = ["Layout", "LayoutError", "Tile", "all_layouts", "as_nchw", "fitting", "layout"]
