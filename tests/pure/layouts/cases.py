"""Layouts and shapes that the layout tests run over: every bundled layout, and the awkward shapes."""

from __future__ import annotations

from hypothesis import strategies

from texelscope.layouts import Layout, all_layouts, layout

LAYOUTS: tuple[Layout, ...] = (
    *(layout(name) for name in all_layouts()),
    layout("channel_tiles", columns=3),
    layout("channel_tiles", rows=1),
    layout("channel_tiles_rgba", columns=1),
    layout("channel_tiles_rgba", columns=7, rows=40),
    layout("filter_tiles", columns=2, inner_rows=1),
    layout("filter_tiles", rows=2, inner_columns=3),
    layout("ordered", order="x, y, c, n", width=3),
    layout("ordered", order="o/4, i/4, ky, kx, o%4 i%4"),
    layout("ordered_rgba", order="o/4, i, ky, kx, o%4 i%4", width=7),
    layout("ordered_rgba", order="y/2%3, n, x/2, y/6 c/4, y%2 x%2, c%4"),
    layout("row_major_rgba", width=1),
    layout("row_major_rgba", width=5),
    layout("row_major_rgba", width=64),
    layout("ncnn_weights", pack=4, out_pack=8),
    layout("tfjs_unpacked", order="nhwc"),
    layout("tfjs_unpacked", width=5, order="hwio"),
    layout("tfjs_packed", order="nhwc"),
    layout("tfjs_packed", width=3, order="nhwc"),
)

LAYOUT_IDS = tuple(f"{entry.name}-{index}" for index, entry in enumerate(LAYOUTS))

# Odd, prime, 1 x 1, batch above 1, C not a multiple of 4, one to six dimensions and none.
AWKWARD_SHAPES: tuple[tuple[int, ...], ...] = (
    (),
    (1,),
    (9,),
    (3, 5),
    (2, 3, 4),
    (1, 1, 1, 1),
    (1, 5, 1, 1),
    (2, 5, 3, 7),
    (3, 4, 2, 2),
    (1, 13, 5, 5),
    (1, 16, 4, 6),
    (7, 2, 1, 3),
    (5, 8, 3, 3),
    (6, 3, 2, 5),
    (2, 2, 3, 3, 5),
    (1, 2, 1, 2, 3, 3),
    (2, 1, 3, 6, 1, 2),
)


@strategies.composite
def small_shapes(draw: strategies.DrawFn) -> tuple[int, ...]:
    """Returns shapes of rank 0 to 6 with at most a few thousand elements."""
    rank = draw(strategies.integers(0, 6))
    longest = (40, 40, 40, 13, 9, 4, 3)[rank]
    return tuple(draw(strategies.lists(strategies.integers(1, longest), min_size=rank, max_size=rank)))


layouts_to_try = strategies.sampled_from(LAYOUTS)
