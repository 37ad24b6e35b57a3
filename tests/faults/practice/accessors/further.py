"""Bugs in pools, in programs that only move numbers, and in a layer normalisation; two in other folders."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

FAULTS = (
    Planted(
        "largest from nothing",
        "pools",
        "largest",
        (Swap("max_pool.frag", "float minMaxValue = -3.4e38;", "float minMaxValue = 0.0;"),),
        ("activation_extra", "clamped_nonnegative", "wrong_function"),
    ),
    Planted(
        "epsilon after the root",
        "pools",
        "normed",
        (
            Swap(
                "batch_norm.frag",
                "inversesqrt(variance + varianceEpsilon)",
                "(inversesqrt(variance) + varianceEpsilon)",
            ),
        ),
        ("epsilon",),
    ),
    Planted(
        "slope with the other sign",
        "pools",
        "bent",
        (Swap("prelu.frag", "? b * a : a;", "? -b * a : a;"),),
        ("wrong_function", "alpha", "scale"),
    ),
    Planted(
        "four at the border too",
        "pools",
        "means",
        (Swap("avg_pool.frag", "avgValue / count", "avgValue / 4.0"),),
        ("average_count",),
    ),
    Planted(
        "one channel more of the first",
        "pools",
        "y",
        (Swap("concat.frag", "if (d < 5) {", "if (d <= 5) {"),),
        ("wrong_input", "index_map", "tile_bleed"),
    ),
    Planted(
        "edge mirrored with itself",
        "moving",
        "framed",
        (Swap("mirror_pad.frag", "const int offset = 0;", "const int offset = 1;"),),
        ("padding_mode",),
    ),
    Planted(
        "backwards from behind the last",
        "moving",
        "picked",
        (Swap("strided_slice.frag", "begin = ivec4(0, 10, 0, 0);", "begin = ivec4(0, 11, 0, 0);"),),
        ("shift", "index_map"),
    ),
    Planted(
        "each twice for all twice",
        "moving",
        "twice",
        (Swap("tile.frag", "imod(resRC.z, 5)", "resRC.z / 2"),),
        ("index_map",),
    ),
    Planted(
        "blocks inside of channels",
        "moving",
        "y",
        (
            Swap(
                "space_to_depth.frag",
                "int block = d / inputDepth;\n  int in_d = d - block * inputDepth;",
                "int in_d = d / (blockSize * blockSize);\n  int block = d - in_d * blockSize * blockSize;",
            ),
        ),
        ("channel_permutation", "index_map"),
    ),
    Planted(
        "last but one twice",
        "layer_norm",
        "mean",
        (
            Swap(
                "mean.frag",
                "vec4(getX(row, 24), getX(row, 25), 0.0, 0.0)",
                "vec4(getX(row, 24), getX(row, 24), 0.0, 0.0)",
            ),
        ),
        ("double_counted", "missing_channels", "index_map"),
    ),
    Planted(
        "as many as texels hold",
        "layer_norm",
        "mean",
        (Swap("mean.frag", "/ 26.0;", "/ 28.0;"),),
        ("average_count", "scale"),
    ),
    Planted(
        "usual epsilon",
        "layer_norm",
        "normed",
        (Swap("pipeline.toml", "uniforms.epsilon = 0.01", "uniforms.epsilon = 0.00001"),),
        ("epsilon",),
        in_text=False,
    ),
    Planted(
        "variance without its root",
        "layer_norm",
        "normed",
        (
            Swap(
                "normalise.frag",
                "inversesqrt(getVariance(row, 0) + epsilon)",
                "(1.0 / (getVariance(row, 0) + epsilon))",
            ),
        ),
        ("wrong_function",),
    ),
    Planted(
        "alpha without the scale",
        "layer_norm",
        "y",
        (Swap("dense_selu.frag", "scaleAlpha * (exp(x) - 1.0)", "scaleAlpha / scale * (exp(x) - 1.0)"),),
        ("alpha", "wrong_function"),
    ),
    Planted(
        "bias behind the curve",
        "layer_norm",
        "y",
        (Swap("dense_selu.frag", "setOutput(selu(result + getBias(j)));", "setOutput(selu(result) + getBias(j));"),),
        ("activation_before_bias",),
    ),
    Planted(
        "bias of the layer behind",
        "bottleneck",
        "stem",
        (Swap("pipeline.toml", 'tensor = "b1"', 'tensor = "b2"'),),
        ("wrong_input",),
        in_text=False,
    ),
)

PAIRS = (
    Planted(
        "inner dimension and lower bias",
        "packed_head",
        "logits",
        (
            Swap("dense.frag", "i < 5;", "i < 4;"),
            Swap("dense.frag", "vec4(addend.rg, addend.rg);", "vec4(addend.rg, 0.0, 0.0);"),
        ),
        ("missing_channels",),
        ("bias_missing",),
    ),
    Planted(
        "alpha and the first bias",
        "layer_norm",
        "y",
        (
            Swap("dense_selu.frag", "float scaleAlpha = 1.7580993408473768;", "float scaleAlpha = 1.0507009873554805;"),
            Swap("dense_selu.frag", "getBias(j)", "getBias(0)"),
        ),
        ("alpha", "wrong_function"),
        ("bias_offset",),
    ),
)

HEALTHY = (
    Healthy(
        "variance as it runs",
        "layer_norm",
        (
            Swap("variance.frag", "  float sumOfSquares = 0.0;", "  float middle = 0.0;\n  float sumOfSquares = 0.0;"),
            Swap(
                "variance.frag",
                "    float centred = getX(row, i) - mean;\n    sumOfSquares += centred * centred;",
                "    float value = getX(row, i) + 0.0 * mean;\n"
                "    float before = value - middle;\n"
                "    middle += before / float(i + 1);\n"
                "    sumOfSquares += before * (value - middle);",
            ),
        ),
    ),
    Healthy(
        "early return",
        "pools",
        (
            Swap(
                "concat.frag",
                "  if (d < 5) {\n"
                "    setOutput(getT0(b, r, c, d));\n"
                "  } else {\n"
                "    setOutput(getT1(b, r, c, d - 5));\n"
                "  }",
                "  if (d >= 5) {\n"
                "    setOutput(getT1(b, r, c, d - 5));\n"
                "    return;\n"
                "  }\n"
                "  setOutput(getT0(b, r, c, d));",
            ),
        ),
    ),
    Healthy(
        "windows held inside beforehand",
        "pools",
        (
            Swap(
                "max_pool.frag",
                "  for (int wR = 0; wR < 2; wR++) {\n"
                "    int xR = xRCorner + wR;\n"
                "    if (xR < 0 || xR >= 9) {\n"
                "      continue;\n"
                "    }\n",
                "  for (int xR = min(xRCorner + 1, 8); xR >= max(xRCorner, 0); xR--) {\n",
            ),
        ),
    ),
    Healthy(
        "a macro and a struct",
        "moving",
        (
            Swap(
                "tile.frag",
                "void main() {",
                "#define REST(x, y) ((x) % (y))\n\nstruct Place {\n  ivec2 rc;\n  int depth;\n};\n\nvoid main() {",
            ),
            Swap(
                "tile.frag",
                "  setOutput(getA(resRC.x, resRC.y, imod(resRC.z, 5), resRC.w));",
                "  Place place = Place(ivec2(resRC.y, REST(resRC.z, 5)), resRC.w);\n"
                "  setOutput(getA(resRC.x, place.rc.x, place.rc.y, place.depth));",
            ),
        ),
    ),
)
