"""Maps each tensor element to its place in a texture and back: element <-> (tx, ty, lane)."""

from __future__ import annotations

from layouts.base import Layout, Tile
from layouts.errors import LayoutError
from layouts.registry import all_layouts, fitting, layout
from layouts.shapes import as_nchw

__all__ = ["Layout", "LayoutError", "Tile", "all_layouts", "as_nchw", "fitting", "layout"]
