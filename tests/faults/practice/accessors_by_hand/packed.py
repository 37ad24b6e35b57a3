"""Plants bugs in packed programs: blocks of 2 x 2 in a texel, and the lanes of a block."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

TARGET = "packed_dense"
PRODUCT, CENTRE, TRANSPOSE, PAD = "mat_mul_packed.frag", "centre_rows.frag", "transpose_packed.frag", "pad_packed.frag"


def _product(name: str, old: str, new: str, *causes: str) -> Planted:
    return Planted(name, TARGET, "mat_mul", (Swap(PRODUCT, old, new),), causes)


def _centre(name: str, old: str, new: str, *causes: str) -> Planted:
    return Planted(name, TARGET, "centred", (Swap(CENTRE, old, new),), causes)


def _transpose(name: str, old: str, new: str, *causes: str) -> Planted:
    return Planted(name, TARGET, "transposed", (Swap(TRANSPOSE, old, new),), causes)


def _pad(name: str, old: str, new: str, *causes: str) -> Planted:
    return Planted(name, TARGET, "padded", (Swap(PAD, old, new),), causes)


_SLOPE = Swap(PRODUCT, "(0.2 * x)", "(0.02 * x)")
_SAME_BIAS = Swap(PRODUCT, "getBias(rc.y + 1)", "getBias(rc.y)")

FAULTS = (
    _product("a block's lower row taken for a whole block", "(a.yyww * b.zwzw)", "(a.yyww * b.xyzw)",
             "index_map", "wrong_partner"),
    _product("lanes of the left block in the other order", "(a.xxzz * b.xyxy)", "(a.xzxz * b.xyxy)",
             "index_map", "wrong_partner"),
    _product("a shared dimension rounded down", "sharedDimension = 4.0", "sharedDimension = 3.0", "missing_channels"),
    Planted("the even column's bias for both", TARGET, "mat_mul", (_SAME_BIAS,), ("bias_offset", "index_map")),
    _product("a bias along the rows of a block", "result += b.xyxy;", "result += b.xxyy;", "bias_offset", "index_map"),
    Planted("a slope of one fiftieth", TARGET, "mat_mul", (_SLOPE,), ("alpha",)),
    _product("texels of a row of the other matrix", "packedUVfrom2D(3, 4, 3, row, col)",
             "packedUVfrom2D(4, 4, 3, row, col)", "index_map"),
    _product("a step of one block row in elements", "getMatrixB(i * 2, rc.y)", "getMatrixB(i, rc.y)",
             "index_map", "wrong_partner"),
    _centre("a mean by n - 1", "return sum / 6.0;", "return sum / 5.0;", "average_count"),
    _centre("the upper row's mean in the last lane", "getX(r + 1, c + 1) - mean1", "getX(r + 1, c + 1) - mean0",
            "index_map"),
    _centre("the left column's gain in a lane", "    result.w = (getX(r + 1, c + 1) - mean1) * getGain(c + 1);",
            "    result.w = (getX(r + 1, c + 1) - mean1) * getGain(c);", "index_map", "wrong_partner"),
    _centre("a mean of five of six", "i < 6; i++", "i < 5; i++", "missing_channels"),
    _transpose("a column that is not stepped back", "  --rc.z;\n", "", "index_map"),
    _transpose("the last lane by another order of axes", "      result[3] = getA(rc.y, rc.z, rc.x);",
               "      result[3] = getA(rc.y, rc.x, rc.z);", "index_map", "transpose_xy"),
    _transpose("green for blue in a block", "frag.r : frag.g) : ((col & 1) == 0 ? frag.b",
               "frag.r : frag.b) : ((col & 1) == 0 ? frag.g", "index_map", "channel_permutation"),
    _transpose("pictures as far apart as they are without the odd row", "b * 12 + (row / 2) * 4",
               "b * 8 + (row / 2) * 4", "index_map"),
    Planted("right and lower neighbour exchanged", TARGET, "padded",
            (Swap(PAD, "    padded(rc + ivec2(0, 1)),\n    padded(rc + ivec2(1, 0)),",
                  "    padded(rc + ivec2(1, 0)),\n    padded(rc + ivec2(0, 1)),"),),
            ("index_map", "channel_permutation")),
    _pad("zeros around where minus one belongs", "return -1.0;", "return 0.0;", "padding_mode"),
    _pad("what is before along the wrong axes", "ivec2 source = rc - start;", "ivec2 source = rc - start.yx;",
         "shift", "index_map"),
)  # fmt: skip

PAIRS = (
    Planted("a slope and the even column's bias", TARGET, "mat_mul", (_SLOPE, _SAME_BIAS),
            ("alpha",), ("bias_offset", "index_map")),
)  # fmt: skip

HEALTHY = (
    Healthy("products of a block one by one", TARGET,
            (Swap(PRODUCT, "    result += (a.xxzz * b.xyxy);\n    result += (a.yyww * b.zwzw);",
                  "    result.xy += a.x * b.xy + a.y * b.zw;\n    result.zw += a.z * b.xy + a.w * b.zw;"),)),
    Healthy("a mean by lanes", TARGET,
            (Swap(CENTRE, "  for (int i = 0; i < 6; i++) {\n    sum += getX(row, i);\n  }",
                  "  for (int i = 4; i >= 0; i -= 2) {\n    sum += getX(row, i) + getX(row, i + 1);\n  }"),)),
)  # fmt: skip
