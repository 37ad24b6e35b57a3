"""Faults of the pipeline steps: textures of bytes at both ends, storage buffers of floats between them."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

_TOML = "pipeline.toml"


def _fault(
    name: str, culprit: str, swaps: tuple[Swap, ...], *causes: str, others: tuple[str, ...] = (), in_text: bool = True
) -> Planted:
    return Planted(name, "steps", culprit, swaps, causes, others, in_text)


_BOTTOM = Swap("conv_q.frag", "x >= uSize.x || y >= uSize.y", "x >= uSize.x")
_LANE_SCALE = Swap("conv_q.frag", "uWeightScale[o]", "uWeightScale[lane]")
_THIRD_TAP = Swap("pool_q.frag", "from + ivec2(0, 1)", "from + ivec2(1, 0)")
_NO_BYTES = Swap("pool_q.frag", "sum * 0.25 * 255.0 * uScale", "sum * 255.0 * uScale")
_NO_BETA = Swap("layer_norm.comp", "inv * gamma[c] + beta[c]", "inv * gamma[c]")
_TWICE = Swap("dense.comp", "    y[row * uSize.z + col] =", "    sum += b[col];\n    y[row * uSize.z + col] =")
_BEFORE_ONE = Swap("dense.comp", "uAlpha * (exp(sum) - 1.0)", "uAlpha * exp(sum) - 1.0")
_LAST_AGAIN = Swap("dense_back.comp", "for (; k < uSize.y; ++k)", "for (k = uSize.y - 1; k < uSize.y; ++k)")
_RECTIFIED = Swap("dense_back.comp", "acc + skip[to]", "max(acc, 0.0) + skip[to]")

FAULTS = (
    _fault("coded: the usual zero point", "coded", (Swap(_TOML, "uniforms.uZero = 110\n", "uniforms.uZero = 128\n"),),
           "affine", in_text=False),
    _fault("coded: cut off", "coded", (Swap("quantize.frag", "floor(x / uScale + 0.5)", "floor(x / uScale)"),),
           "wrong_function"),
    _fault("coded: as many as there are", "coded", (Swap("quantize.frag", "255.0) / 255.0", "255.0) / 256.0"),),
           "scale", "affine"),
    _fault("conv: border of raw zeros", "conv",
           (Swap("conv_q.frag", "y >= uSize.y) return 0;", "y >= uSize.y) return -uZero.x;"),), "padding_mode"),
    _fault("conv: no test below", "conv", (_BOTTOM,), "tile_bleed", "padding_mode"),
    _fault("conv: zero points the other way", "conv", (Swap(_TOML, "uZero = [110, 121]", "uZero = [121, 110]"),),
           "unexplained", in_text=False),
    _fault("conv: scale of the lane", "conv", (_LANE_SCALE,), "wrong_partner", "index_map"),
    _fault("conv: taps within inputs", "conv",
           (Swap("conv_q.frag", "ivec2(tap * uSize.z + c, o)", "ivec2(c * 9 + tap, o)"),),
           "wrong_layout", "index_map"),
    _fault("conv: one sum for the lanes", "conv",
           (Swap("conv_q.frag", "        int acc = 0;\n", ""),
            Swap("conv_q.frag", "    vec4 steps = vec4(0.0);\n", "    vec4 steps = vec4(0.0);\n    int acc = 0;\n")),
           "accumulator_not_reset"),
    _fault("conv: taps down first", "conv",
           (Swap("conv_q.frag", "px.x + tap % 3 - 1, y + tap / 3 - 1", "px.x + tap / 3 - 1, y + tap % 3 - 1"),),
           "kernel_transpose"),
    _fault("pool: a tap copied", "pool", (_THIRD_TAP,), "missing_taps", "double_counted"),
    _fault("pool: scale of the pass before", "pool",
           (Swap(_TOML, 'uSource = "conv"\nuniforms.uScale = 0.025', 'uSource = "conv"\nuniforms.uScale = 0.03'),),
           "scale", in_text=False),
    _fault("pool: mean in whole steps", "pool",
           (Swap("pool_q.frag", "sum * 0.25 * 255.0 * uScale", "floor(sum * 0.25 * 255.0 + 0.5) * uScale"),),
           "quantized_8bit", "precision"),
    _fault("pool: a column to the right", "pool", (Swap("pool_q.frag", "ivec2(px.x * 2,", "ivec2(px.x * 2 + 1,"),),
           "shift"),
    _fault("normed: channels stay planes", "normed",
           (Swap("layer_norm.comp", "places[place * uSize.z + c]", "places[c * uSize.x * uSize.y + place]"),),
           "wrong_layout", "index_map", "transpose_xy"),
    _fault("normed: slices of a square", "normed",
           (Swap("layer_norm.comp", "c / 4 * uSize.x * uSize.y + place", "c / 4 * uSize.x * uSize.x + place"),),
           "index_map"),
    _fault("normed: no offset", "normed", (_NO_BETA,), "bias_missing"),
    _fault("wide: bias at both ends", "wide", (_TWICE,), "bias_doubled"),
    _fault("wide: one taken off too late", "wide", (_BEFORE_ONE,), "wrong_function"),
    _fault("wide: columns beyond the last", "wide",
           (Swap("dense.comp", "if (row >= uSize.x || col >= uSize.z) return;", "if (row >= uSize.x) return;"),),
           "write_race"),
    _fault("wide: groups rounded down", "wide",
           (Swap(_TOML, 'dispatch = ["63 / 16", "10 / 4"]', 'dispatch = [3, "10 / 4"]'),), "unwritten_texels",
           in_text=False),
    _fault("back: last input again", "back", (_LAST_AGAIN,), "double_counted"),
    _fault("back: rectified before the skip", "back", (_RECTIFIED,), "activation_extra"),
    _fault("back: skip of the first slice", "back", (Swap("dense_back.comp", "acc + skip[to]", "acc + skip[place]"),),
           "index_map", "bias_offset"),
    _fault("packed: rows from below", "packed",
           (Swap("up_add_q.frag", "z * uHeight.y + y / 2", "z * uHeight.y + uHeight.y - 1 - y / 2"),), "flip_y"),
    _fault("packed: columns rounded up", "packed", (Swap("up_add_q.frag", "px.x / 2,", "(px.x + 1) / 2,"),),
           "index_map", "half_texel", "shift"),
    _fault("packed: skip as it comes from the sampler", "packed",
           (Swap("up_add_q.frag", "texelFetch(uSkip, px, 0) * 255.0 * uSkipScale", "texelFetch(uSkip, px, 0)"),),
           "scale"),
)  # fmt: skip

PAIRS = (
    _fault("conv: no test below and scale of the lane", "conv", (_BOTTOM, _LANE_SCALE), "wrong_partner", "index_map",
           others=("tile_bleed", "padding_mode")),
    _fault("pool: a tap copied and no quarter", "pool", (_THIRD_TAP, _NO_BYTES), "missing_taps", "double_counted",
           others=("scale", "average_count")),
)  # fmt: skip

HEALTHY = (
    Healthy(
        "coded: the driver clamps",
        "steps",
        (Swap("quantize.frag", "clamp(q, 0.0, 255.0) / 255.0", "q * (1.0 / 255.0)"),),
    ),
    Healthy(
        "pool: slices of twice the height need no remainder",
        "steps",
        (
            Swap("pool_q.frag", "z * uHeight.x + px.y % uHeight.y * 2", "2 * px.y"),
            Swap("pool_q.frag", "    int z = px.y / uHeight.y;\n", ""),
            Swap("pool_q.frag", "uniform ivec2 uHeight;  // of a slice of the source, of one of the result\n", ""),
            Swap(_TOML, "uniforms.uScale = 0.025\nuniforms.uHeight = [14, 7]\n", "uniforms.uScale = 0.025\n"),
        ),
    ),
    Healthy(
        "conv: zero points taken off the sums",
        "steps",
        (
            Swap(
                "conv_q.frag",
                "acc += source(px.x + tap % 3 - 1, y + tap / 3 - 1, c) * weight(o, tap, c);",
                "int value = source(px.x + tap % 3 - 1, y + tap / 3 - 1, c);\n"
                "                acc += value * weight(o, tap, c);\n"
                "                total += value;",
            ),
            Swap("conv_q.frag", "        int acc = 0;\n", "        int acc = 0;\n        int total = 0;\n"),
            Swap("conv_q.frag", "ivec2(tap * uSize.z + c, o), 0).r) - uZero.y;", "ivec2(tap * uSize.z + c, o), 0).r);"),
            Swap("conv_q.frag", "float(acc) *", "float(acc - total * uZero.y) *"),
        ),
    ),
    Healthy(
        "dense: a row for each invocation, without shared memory",
        "steps",
        (
            Swap(
                "dense.comp",
                """    for (int i = lid; i < ROWS * uSize.y; i += ROWS * COLS) {
        int r = row0 + i / uSize.y;
        rows[i] = r < uSize.x ? x[r * uSize.y + i % uSize.y] : 0.0;
    }
    barrier();

""",
                "",
            ),
            Swap("dense.comp", "    int lid = int(gl_LocalInvocationIndex);\n", ""),
            Swap("dense.comp", "rows[lrow * uSize.y + k]", "x[row * uSize.y + k]"),
            Swap("dense.comp", "shared float rows[ROWS * MAX_K];\n\n", ""),
        ),
    ),
)
