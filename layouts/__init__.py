"""Maps each tensor element to its place in a texture and back: element <-> (tx, ty, lane)."""

from __future__ import annotations

if __name__ == "layouts":
    from texelscope.former_names import keep

    keep(__name__)

from texelscope.layouts.base import Layout, Tile
from texelscope.layouts.errors import LayoutError
from texelscope.layouts.registry import all_layouts, fitting, layout
from texelscope.layouts.search import layouts_that_fit
from texelscope.layouts.shapes import as_nchw

__all__ = ["Layout", "LayoutError", "Tile", "all_layouts", "as_nchw", "fitting", "layout", "layouts_that_fit"]
