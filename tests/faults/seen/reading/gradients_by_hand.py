"""Planted bugs in what backward passes that were written by hand read."""

from __future__ import annotations

from tests.faults.changes import BoundTo, Edit
from tests.faults.fault import Fault
from tests.faults.models import noise
from tests.faults.seen.subjects import backward_by_hand as subjects

_EVERY_WINDOW = ("missing_channels",)  # windows are the taps of one backward pass and the terms of another

FAULTS: tuple[Fault, ...] = (
    Fault(
        "a kernel turned for a gather that wants it as it is",
        "kernel_flip",
        lambda: subjects.conv("x"),
        (Edit("channel % PER_GROUP, p, q)", "channel % PER_GROUP, KERNEL - 1 - p, KERNEL - 1 - q)"),),
        {"axes": "xy"},
        ("return texelFetch(w",),
    ),
    Fault(
        "places between two steps that count all the same",
        "stride",
        lambda: subjects.conv("x"),
        (Edit("if (y % STRIDE != 0 || x % STRIDE != 0) continue;", ""),),
        where=("y / STRIDE, x / STRIDE", "return texelFetch(dy"),
        alternatives=("double_counted",),  # what arrives at one place is taken at its neighbours too
    ),
    Fault(
        "a gather that leaves the padding out",
        "shift",
        lambda: subjects.conv("x"),
        (Edit("const int STRIDE = 2, PAD = 1", "const int STRIDE = 2, PAD = 0"),),
        where=("+ PAD - p", "+ PAD - q", "return texelFetch(dy"),
    ),
    Fault(
        "every input from the first group's outputs",
        "group_ignored",
        lambda: subjects.conv("x"),
        (Edit("int group = channel / PER_GROUP;", "int group = 0;"),),
        where=("int o = group", "sum += getDy"),
    ),
    Fault(
        "a weight's gradient without the step",
        "stride",
        lambda: subjects.conv("w"),
        (Edit("row * STRIDE + p - PAD, column * STRIDE + q - PAD", "row + p - PAD, column + q - PAD"),),
        where=("return texelFetch(x",),
        alternatives=("dilation",),  # a step forward is a distance of taps backward
    ),
    Fault(
        "a weight's gradient that reads the border again",
        "padding_mode",
        lambda: subjects.conv("w"),
        (
            Edit(
                "  if (row < 0 || row >= HEIGHT || column < 0 || column >= WIDTH) return 0.0;\n",
                "  row = clamp(row, 0, HEIGHT - 1); column = clamp(column, 0, WIDTH - 1);\n",
            ),
        ),
        where=("return texelFetch(x",),
    ),
    Fault(
        "a weight's gradient of the first image",
        "missing_channels",
        lambda: subjects.conv("w"),
        (Edit("n < BATCH", "n < 1"),),
        where=("sum += getDy",),
    ),
    Fault(
        "a weight's gradient from the first group's inputs",
        "group_ignored",
        lambda: subjects.conv("w"),
        (Edit("o / 3 * PER_GROUP + i", "i"),),
        where=("sum += getDy",),
    ),
    Fault(
        "a bias's gradient one row short",
        "missing_channels",
        lambda: subjects.conv("b"),
        (Edit("row < ROWS", "row < ROWS - 1"),),
        where=("sum += getDy",),
    ),
    Fault(
        "the padding of a transposed convolution forgotten on the way back",
        "shift",
        lambda: subjects.deconv(),
        (Edit("row * STRIDE - PAD + p, texel.x * STRIDE - PAD + q", "row * STRIDE + p, texel.x * STRIDE + q"),),
        {"dx": 1, "dy": 1},
    ),
    Fault(
        "a transposed convolution's kernel turned on the way back",
        "kernel_flip",
        lambda: subjects.deconv(),
        (Edit("getW(channel, o, p, q)", "getW(channel, o, KERNEL - 1 - p, KERNEL - 1 - q)"),),
        {"axes": "xy"},
        ("return texelFetch(w",),
    ),
    Fault(
        "taps side by side on the way back",
        "dilation",
        lambda: subjects.dilated(),
        (Edit("at - ivec2(u, v) * STEP", "at - ivec2(u, v)"),),
        where=("total += arriving", "return texelFetch(u_dy"),
    ),
    Fault(
        "weights of the way there on the way back",
        "filter_io_swap",
        lambda: subjects.dilated(),
        (Edit("weight(o, channel,", "weight(channel, o,"),),
        where=("return texelFetch(u_w",),
    ),
    Fault(
        "every one of equal largest in windows that overlap",
        "double_counted",
        subjects.max_pool,
        (Edit("if (other > mine || (before && other == mine)) return false;", "if (other > mine) return false;"),),
        where=("sum += getDy",),
        alternatives=("wrong_function",),  # all of the largest are another choice than the first of them
    ),
    Fault(
        "the last of several windows alone",
        "missing_taps",
        lambda: subjects.max_pool().fed(x=noise(1, 2, 9, 11)),
        (Edit("sum += getDy(c, i, j)", "sum = getDy(c, i, j)"),),
        alternatives=_EVERY_WINDOW,
    ),
    Fault(
        "every one of equal largest in windows side by side",
        "double_counted",
        subjects.max_pool_apart,
        (Edit("dx = at == place ?", "dx = texelFetch(x, at, 0).r == largest ?"),),
        alternatives=("wrong_function",),  # as above
    ),
    Fault(
        "the last window of a mean alone",
        "missing_taps",
        subjects.average_pool,
        (Edit("sum += texelFetch", "sum = texelFetch"),),
        alternatives=_EVERY_WINDOW,
    ),
    Fault(
        "one column of an enlarged pixel",
        "missing_taps",
        subjects.enlarged,
        (Edit("u < 2", "u < 1"),),
        where=("sum += texelFetch",),
        alternatives=_EVERY_WINDOW,
    ),
    Fault(
        "a row's last use alone",
        "missing_channels",
        subjects.embedding,
        (Edit("sum += texelFetch", "sum = texelFetch"),),
        alternatives=("missing_taps",),  # uses are no channels either
    ),
    Fault(
        "the first part of what was joined",
        "index_map",
        subjects.joined,
        (Edit(" + BEFORE + channel", " + channel"),),
        alternatives=("channel_permutation", "shift", "filter_offset", "wrong_partner"),  # channels three further on
    ),
    Fault(
        "axes turned once more instead of back",
        "index_map",
        subjects.turned,
        (Edit("dx = getDy(c, a, b);", "dx = getDy(b, c, a);"),),
        alternatives=("channel_permutation",),  # of axes
    ),
    Fault(
        "a dense layer's weights as on the way there",
        "filter_io_swap",
        lambda: subjects.dense("x"),
        (Edit("getW(texel.x, k)", "getW(k, texel.x)"),),
        alternatives=("transpose_xy",),  # they have but rows and columns
    ),
    Fault(
        "a dense layer's weights' gradient on its side",
        "transpose_xy",
        lambda: subjects.dense("w"),
        (Edit("getX(n, i) * getDy(n, j)", "getX(n, j) * getDy(n, i)"),),
        # Its axes are inputs and outputs, so are its factors'; and it is the product of both in each other's place.
        alternatives=("filter_io_swap", "wrong_partner", "wrong_input"),
    ),
    Fault(
        "a sigmoid's slope from its input",
        "wrong_input",
        lambda: subjects.activation("Sigmoid", "sigmoid_dx", "y"),
        (BoundTo("y", "x"),),
    ),
    Fault(
        "a ReLU's gate from the gradient",
        "wrong_input",
        lambda: subjects.activation("Relu", "relu_dx", "x"),
        (Edit("texelFetch(x, texel", "texelFetch(dy, texel"),),
    ),
    Fault(
        "a root's slope from its input",
        "wrong_input",
        lambda: subjects.activation("Sqrt", "sqrt_dx", "y"),
        (BoundTo("y", "x"),),
    ),
    Fault(
        "a column's gradient from one element of its row",
        "missing_channels",
        subjects.product,
        (Edit("k < COLUMNS", "k < 1"),),
        where=("sum += texelFetch",),
    ),
    Fault(
        "an offset's gradient of the first image",
        "missing_channels",
        subjects.offset,
        (Edit("n < BATCH", "n < 1"),),
        where=("sum += texelFetch",),
    ),
)
