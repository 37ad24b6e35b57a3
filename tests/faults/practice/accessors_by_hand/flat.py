"""Faults of flat buffers in RGBA textures: indices that are divided, and their rests."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

TARGET = "flat_buffers"
SHARED, UNSHUFFLE, POINTWISE = "flat.glsl", "space_to_depth.frag", "pointwise.frag"
DEPTHWISE, UPSAMPLE = "dilated_depthwise.frag", "upsample.frag"


def _fault(culprit: str, file: str, name: str, old: str, new: str, *causes: str) -> Planted:
    return Planted(name, TARGET, culprit, (Swap(file, old, new),), causes)


_GUARD = "if (y < 0 || y >= S.h || x < 0 || x >= S.w) return 0.0;"
_DILATIONS = Swap(DEPTHWISE, "#define DILATION_X 2\n#define DILATION_Y 1", "#define DILATION_X 1\n#define DILATION_Y 2")
_TURNED = Swap(DEPTHWISE, "(c * 3 + i) * 3 + j", "(c * 3 + j) * 3 + i")

FAULTS = (
    _fault("unshuffled", SHARED, "rows as long as they are many", "* s.h + y) * s.w + x", "* s.h + y) * s.h + x",
           "index_map"),
    _fault("unshuffled", SHARED, "every element the first of its texel", "return four[i % 4];", "return four.x;",
           "index_map"),
    _fault("unshuffled", SHARED, "rows divided by their number", "y = (i / s.w) % s.h;", "y = (i / s.h) % s.h;",
           "index_map"),
    _fault("unshuffled", UNSHUFFLE, "blocks inside channels",
           "    int channel = c % SRC.c;\n    int dx = (c / SRC.c) % BLOCK;\n    int dy = c / (SRC.c * BLOCK);",
           "    int channel = c / (BLOCK * BLOCK);\n    int dx = c % BLOCK;\n    int dy = (c / BLOCK) % BLOCK;",
           "channel_permutation", "index_map"),
    _fault("unshuffled", UNSHUFFLE, "blocks turned", "y * BLOCK + dy, x * BLOCK + dx", "y * BLOCK + dx, x * BLOCK + dy",
           "index_map", "channel_permutation"),
    _fault("unshuffled", UNSHUFFLE, "blocks as far apart as pictures", "y * BLOCK + dy, x * BLOCK + dx",
           "y + dy * DST.h, x + dx * DST.w", "index_map"),
    _fault("mixed", POINTWISE, "weights with outputs last", "o * SRC.c + c)", "c * DST.c + o)",
           "index_map", "wrong_layout", "filter_io_swap"),
    _fault("mixed", POINTWISE, "a texture's width mistaken", "at(u_src, 11, flatten", "at(u_src, 12, flatten",
           "index_map", "wrong_layout"),
    _fault("mixed", POINTWISE, "the gate alone", "return v / (1.0 + exp(-v));", "return 1.0 / (1.0 + exp(-v));",
           "wrong_function"),
    _fault("mixed", POINTWISE, "a sum from the second channel on", "int c = 0; c < SRC.c", "int c = 1; c < SRC.c",
           "missing_channels"),
    _fault("mixed", POINTWISE, "the input's channels by the output's shape", "get(n, c, y, x);",
           "get(n, o, y, x);", "index_map", "wrong_partner"),
    _fault("mixed", POINTWISE, "an offset that is added at every channel",
           "        sum += weight(o, c) * get(n, c, y, x);",
           "        sum += weight(o, c) * get(n, c, y, x) + offset(o);",
           "bias_doubled"),
    Planted("dilations exchanged", TARGET, "spread", (_DILATIONS,), ("dilation",)),
    _fault("spread", DEPTHWISE, "no guard at the right", _GUARD, "if (y < 0 || y >= S.h || x < 0) return 0.0;",
           "tile_bleed", "padding_mode", "index_map"),
    _fault("spread", DEPTHWISE, "outside only where both are", _GUARD,
           "if ((y < 0 || y >= S.h) && (x < 0 || x >= S.w)) return 0.0;", "tile_bleed", "padding_mode", "index_map"),
    _fault("spread", DEPTHWISE, "the last column outside", _GUARD,
           "if (y < 0 || y >= S.h || x < 0 || x >= S.w - 1) return 0.0;", "missing_taps"),
    Planted("kernels turned", TARGET, "spread", (_TURNED,), ("kernel_transpose", "index_map")),
    _fault("spread", DEPTHWISE, "windows that begin at their place", "y + (i - 1) * DILATION_Y", "y + i * DILATION_Y",
           "shift"),
    _fault("enlarged", UPSAMPLE, "factors of rows and columns exchanged", "y / 2, x / 3", "y / 3, x / 2",
           "index_map", "stride"),
    _fault("enlarged", UPSAMPLE, "repeated as a whole", "y / 2, x / 3", "y % SRC.h, x % SRC.w", "index_map"),
    _fault("enlarged", UPSAMPLE, "texels counted by their lanes", "(p.y * u_dstWidth + p.x) * 4",
           "p.y * u_dstWidth + p.x * 4", "index_map"),
)  # fmt: skip

PAIRS = (
    Planted("dilations exchanged and kernels turned", TARGET, "spread", (_DILATIONS, _TURNED),
            ("dilation",), ("kernel_transpose", "index_map")),
)  # fmt: skip

HEALTHY = (
    Healthy("rests by subtraction", TARGET,
            (Swap(SHARED, "    x = i % s.w;\n    y = (i / s.w) % s.h;\n    c = (i / (s.w * s.h)) % s.c;\n",
                  "    int row = i / s.w;\n    x = i - row * s.w;\n    int plane = row / s.h;\n"
                  "    y = row - plane * s.h;\n    c = plane - plane / s.c * s.c;\n"),)),
    Healthy("a gate by the hyperbolic tangent", TARGET,
            (Swap(POINTWISE, "return v / (1.0 + exp(-v));", "return 0.5 * v * (1.0 + tanh(0.5 * v));"),)),
)  # fmt: skip
