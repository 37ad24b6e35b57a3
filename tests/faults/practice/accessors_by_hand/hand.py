"""Faults of accessors of one's own: tiles of channels behind `fetch(t, dims, h, w, c)`."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

TARGET = "by_hand"
SHARED, CONCAT, CONV, POOL, GATE = "tensor.glsl", "concat.frag", "conv_reflect.frag", "max_pool.frag", "gate.frag"


def _fault(culprit: str, file: str, name: str, old: str, new: str, *causes: str) -> Planted:
    return Planted(name, TARGET, culprit, (Swap(file, old, new),), causes)


FAULTS = (
    _fault("joined", CONCAT, "channels of the second tensor not counted anew",
           "fetch(u_second, B, p.x, p.y, p.z - A.z)",
           "fetch(u_second, B, p.x, p.y, p.z)", "index_map", "tile_bleed"),
    _fault("joined", CONCAT, "joined the other way about",
           "    if (p.z < A.z) {\n        v = fetch(u_first, A, p.x, p.y, p.z);\n"
           "    } else if (p.z < A.z + B.z) {\n        v = fetch(u_second, B, p.x, p.y, p.z - A.z);",
           "    if (p.z < B.z) {\n        v = fetch(u_second, B, p.x, p.y, p.z);\n"
           "    } else if (p.z < A.z + B.z) {\n        v = fetch(u_first, A, p.x, p.y, p.z - B.z);",
           "channel_permutation", "index_map", "wrong_input"),
    _fault("joined", CONCAT, "the last channel not joined", "p.z < A.z + B.z)", "p.z < OUT.z - 1)", "missing_channels"),
    _fault("joined", SHARED, "tiles as wide as they are high", "* dims.yx + ivec2(w, h)", "* dims.xy + ivec2(w, h)",
           "index_map", "tile_bleed", "wrong_layout"),
    _fault("joined", SHARED, "tiles dealt column by column", "tile.y * COLS(dims.z) + tile.x)",
           "tile.x * COLS(dims.z) + tile.y)", "channel_permutation", "index_map"),
    _fault("convolved", CONV, "mirrored with the border itself", "2 * (size - 1) - i", "2 * size - 1 - i",
           "padding_mode", "index_map"),
    _fault("convolved", CONV, "columns mirrored at the height", "reflect_(w, IN.y)", "reflect_(w, IN.x)",
           "index_map", "padding_mode"),
    _fault("convolved", CONV, "clamped where it is to be mirrored", "if (i < 0) return -i;", "if (i < 0) return 0;",
           "padding_mode", "index_map"),
    _fault("convolved", CONV, "kernels dealt to two columns", "tileOf(c, 3) * KS", "tileOf(c, 2) * KS",
           "index_map", "wrong_layout"),
    _fault("convolved", CONV, "taps by columns", "kernel + ivec2(j, i)", "kernel + ivec2(i, j)",
           "kernel_transpose", "index_map"),
    _fault("convolved", CONV, "a sum that starts at nothing",
           "    float acc = getBias(p.z);", "    float acc = 0.0;", "bias_missing"),
    _fault("convolved", CONV, "the bias of the column", "float acc = getBias(p.z);", "float acc = getBias(p.y);",
           "bias_offset", "index_map"),
    _fault("pooled", POOL, "three of four", "best = max(best, X(h + 1, w + 1, p.z));",
           "best = max(best, X(h + 1, w, p.z));", "missing_taps", "index_map"),
    _fault("pooled", POOL, "steps by the window's other side", "int w = p.y * 2;", "int w = p.y * 3;", "stride"),
    _fault("pooled", POOL, "a sum for a maximum", "best = max(best, X(h, w + 1, p.z));",
           "best += X(h, w + 1, p.z);", "wrong_function"),
    _fault("gated", GATE, "a flat index divided by the height", "k / DIMS.y, k % DIMS.y, c",
           "k / DIMS.x, k % DIMS.x, c",
           "index_map", "tile_bleed", "transpose_xy"),
    _fault("gated", GATE, "the first channel's gate for all", "sigmoid(squeeze(p.z))", "sigmoid(squeeze(0))",
           "index_map", "wrong_partner"),
    _fault("gated", GATE, "a gate that is not closed", "sigmoid(squeeze(p.z))", "squeeze(p.z)",
           "activation_missing", "wrong_function"),
    _fault("gated", GATE, "a sum in place of a mean", "return total / float(DIMS.x * DIMS.y);", "return total;",
           "average_count", "scale"),
)  # fmt: skip

HEALTHY = (
    Healthy("a maximum from zero, of what is never negative", TARGET,
            (Swap(POOL, "    float best = X(h, w, p.z);", "    float best = max(0.0, X(h, w, p.z));"),)),
    Healthy("filters last in the loops", TARGET,
            (Swap(CONV, "    for (int c = 0; c < IN.z; c++)\n        for (int i = 0; i < KS; i++)\n"
                        "            for (int j = 0; j < KS; j++)\n",
                  "    for (int i = 0; i < KS; i++)\n        for (int j = 0; j < KS; j++)\n"
                  "            for (int c = IN.z - 1; c >= 0; c--)\n"),)),
)  # fmt: skip
