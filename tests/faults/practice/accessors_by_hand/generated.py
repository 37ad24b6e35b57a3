"""Faults of programs as TensorFlow.js generates them: strides and texture sizes as numbers in accessors."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

TARGET = "generated_cnn"
CONV, DEPTHWISE, POOL, DENSE = "conv2d.frag", "depthwise_conv2d.frag", "avg_pool.frag", "dense.frag"


def _conv(name: str, old: str, new: str, *causes: str) -> Planted:
    return Planted(name, TARGET, "conv1", (Swap(CONV, old, new),), causes)


def _depthwise(name: str, old: str, new: str, *causes: str) -> Planted:
    return Planted(name, TARGET, "depthwise", (Swap(DEPTHWISE, old, new),), causes)


def _pool(name: str, old: str, new: str, *causes: str) -> Planted:
    return Planted(name, TARGET, "pool", (Swap(POOL, old, new),), causes)


def _dense(name: str, old: str, new: str, *causes: str) -> Planted:
    return Planted(name, TARGET, "dense", (Swap(DENSE, old, new),), causes)


_KERNEL_STRIDES = Swap(CONV, "row * 90 + col * 30 + depth * 5", "row * 30 + col * 90 + depth * 5")
_NO_BIAS = Swap(CONV, "  result = result + getBias(d2);\n", "")

FAULTS = (
    _conv("columns of the input counted by the output's channels", "depth * 6 + depth2", "depth * 5 + depth2",
          "index_map"),
    Planted("strides of a kernel's rows and columns exchanged", TARGET, "conv1", (_KERNEL_STRIDES,),
            ("kernel_transpose", "index_map")),
    _conv("rows and columns of a texture exchanged", "uvFromFlat(19, 20, index)", "uvFromFlat(20, 19, index)",
          "index_map"),
    _conv("the rest of the channels not added", "      dotProd += dot(xRest, wRest);\n", "", "missing_channels"),
    _conv("the rest's second weight is its first", "getW(wR, wC, 4 + 1, d2)", "getW(wR, wC, 4, d2)",
          "index_map", "wrong_partner"),
    _conv("one column too many inside", "if (xC < 0 || xC >= 7) {", "if (xC < 0 || xC > 7) {",
          "tile_bleed", "padding_mode", "index_map"),
    _conv("the first row taken for the border", "if (xR < 0 || xR >= 9) {", "if (xR <= 0 || xR >= 9) {",
          "missing_taps"),
    _conv("a cap without its floor", "return clamp(x, 0.0, 1.5);", "return min(x, 1.5);",
          "wrong_function", "alpha", "activation_missing"),
    _conv("padding along columns alone", "const ivec2 pads = ivec2(1, 1);", "const ivec2 pads = ivec2(0, 1);",
          "shift"),
    _conv("a bias texture one texel too wide", "(float(index) + 0.5) / 5.0", "(float(index) + 0.5) / 6.0",
          "bias_offset", "index_map"),
    _conv("weights of the first output for all", "      vec2 wRest = vec2(\n        getW(wR, wC, 4, d2),",
          "      vec2 wRest = vec2(\n        getW(wR, wC, 4, 0),", "index_map", "wrong_partner", "filter_offset"),
    _depthwise("multiplier and channel exchanged", "getW(wR, wC, q, d1)", "getW(wR, wC, d1, q)",
               "index_map", "filter_offset"),
    _depthwise("taps counted down the columns", "float(row * 3 + col + depth)", "float(row + col * 3 + depth)",
               "kernel_transpose", "index_map"),
    Planted("a channel multiplier of two", TARGET, "depthwise",
            (Swap(DEPTHWISE, "int d1 = d2 / 1;", "int d1 = d2 / 2;"),), ("index_map", "group_ignored")),
    _depthwise("a stride of one along the columns", "strides = ivec2(2, 2)", "strides = ivec2(2, 1)", "stride"),
    _depthwise("no bias after a depthwise convolution", "  result = result + getBias(d2);\n", "", "bias_missing"),
    Planted("rows of the output by its height", TARGET, "depthwise",
            (Swap(DEPTHWISE, "int c = index / 20;\n  index -= c * 20;", "int c = index / 25;\n  index -= c * 25;"),),
            ("index_map", "wrong_layout")),
    _depthwise("the rest of a quotient forgotten", "  index -= c * 20;\n", "", "index_map"),
    _pool("columns counted that are outside", "  if (xC < 0 || xC >= 4) {\n    return 0.0;\n  }\n  count += 1.0;",
          "  count += 1.0;\n  if (xC < 0 || xC >= 4) {\n    return 0.0;\n  }", "average_count"),
    _pool("the middle column of a window twice", "getValue(batch, xR, xCCorner + 2, d)",
          "getValue(batch, xR, xCCorner + 1, d)", "index_map", "double_counted", "missing_taps"),
    _pool("row and column exchanged in a call", "return getX(batch, xR, xC, d);", "return getX(batch, xC, xR, d);",
          "transpose_xy", "index_map"),
    Planted("flattened channels last", TARGET, "dense",
            (Swap(DENSE, "  int c = k / 6;\n  k -= c * 6;\n  int h = k / 2;\n  int w = k - h * 2;\n",
                  "  int c = k % 5;\n  k /= 5;\n  int h = k / 2;\n  int w = k - h * 2;\n"),),
            ("index_map", "wrong_layout", "wrong_partner")),
    Planted("a picture as wide as it is high", TARGET, "dense",
            (Swap(DENSE, "  int h = k / 2;\n  int w = k - h * 2;", "  int h = k / 3;\n  int w = k - h * 3;"),),
            ("index_map", "wrong_partner")),
    _dense("a matrix read by columns", "getMatrixB(i, rc.y)", "getMatrixB(rc.y, i)",
           "index_map", "filter_io_swap", "transpose_xy"),
    _dense("a product that ends two early", "i < 30; i++", "i < 28; i++", "missing_channels"),
)  # fmt: skip

PAIRS = (
    Planted("kernel strides exchanged and no bias", TARGET, "conv1", (_KERNEL_STRIDES, _NO_BIAS),
            ("kernel_transpose", "index_map"), ("bias_missing",)),
)  # fmt: skip

HEALTHY = (
    Healthy("a flat index by Horner's rule", TARGET,
            (Swap(CONV, "row * 378 + col * 42 + depth * 6 + depth2", "((row * 9 + col) * 7 + depth) * 6 + depth2"),
             Swap(CONV, "      vec2 wRest = vec2(\n", "      // the two left over\n      vec2 wRest = vec2(\n"))),
    Healthy("a mean of the places that are inside", TARGET,
            (Swap(POOL, "setOutput(avgValue / count);",
                  "ivec2 low = max(xRCCorner, ivec2(0)), high = min(xRCCorner + 3, ivec2(5, 4));\n"
                  "  setOutput(avgValue / float((high.x - low.x) * (high.y - low.y)));"),)),
)  # fmt: skip
