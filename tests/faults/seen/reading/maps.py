"""Planted bugs in where elements are taken from, by formulas without a name of their own."""

from __future__ import annotations

from tests.faults import models
from tests.faults.changes import Edit
from tests.faults.fault import Fault
from tests.faults.seen.subjects import convolutions, rows
from tests.faults.subjects import FLAT, UNPACKED, generated


def _of_heads() -> models.Model:
    """Returns the weights of four heads and their values: neither is a constant."""
    inputs = {"p": models.noise(1, 4, 5, 6, seed=1), "v": models.noise(1, 4, 6, 3, seed=2)}
    return models.model("weighed values of heads", [models.layer("MatMul", "p", "v")], inputs, {})


FAULTS: tuple[Fault, ...] = (
    Fault(
        "every third channel, coming around",
        "index_map",
        lambda: generated(models.conv((1, 16, 12, 10), 8), UNPACKED),
        (Edit("first_channel + i, y, x", "(first_channel + i) * 3 % 16, y, x"),),
        {"tensor": "x", "c": "(3 * c) % 16"},
        alternatives=("channel_permutation",),
    ),
    Fault(
        "weights of four inputs in reverse",
        "index_map",
        lambda: generated(models.conv((1, 8, 7, 9), 5), FLAT),
        (Edit("W(ivec4(at.y, i, p, q))", "W(ivec4(at.y, i / 4 * 4 + 3 - i % 4, p, q))"),),
        {"tensor": "w"},
        alternatives=("channel_permutation",),  # x would be as true, but for the loop's order
    ),
    Fault(
        "rows of a product's second half before its first, in twos",
        "index_map",
        rows.dense_flat,
        (Edit("quad(w, j * QUADS + k)", "quad(w, (j / 2 * 2 + 1 - j % 2) * QUADS + k)"),),
        alternatives=("filter_offset",),
    ),
    Fault(
        "pairs of channels exchanged in tiles",
        "index_map",
        lambda: convolutions.conv_relu_fetch(models.conv((2, 6, 7, 9), 6, 3, activation="Relu")),
        (Edit("n * u_x_shape.y + i, u_x_shape.x", "n * u_x_shape.y + (i ^ 1), u_x_shape.x"),),
        {"tensor": "x"},
        where=("texelFetch(u_x",),
        alternatives=("channel_permutation",),
    ),
    Fault(
        "rows of a flat matrix counted by twos",
        "index_map",
        rows.gemm_flat,
        (Edit("row * u_inner + k)", "row * (u_inner - 2) + k)"),),
        {"tensor": "x"},
        where=("texelFetch(matrix",),
    ),
    Fault(
        "the last input channel added again behind the loop",
        "double_counted",
        convolutions.grouped_fetch,
        (
            Edit(
                "sum += input_at(first + i, x, y) * weight_at(o, i, kx, ky);",
                "sum += input_at(first + i, x, y) * weight_at(o, i, kx, ky) * (i == per_group - 1 ? 2.0 : 1.0);",
            ),
        ),
        {"axis": "input", "places": [2], "times": 2},
    ),
    Fault(
        "a window's middle row in two loops",
        "double_counted",
        lambda: generated(models.conv((1, 4, 8, 7), 6), UNPACKED),
        (
            Edit(
                "sum += X(ivec4(at.x, first_channel + i, y, x)) * W(ivec4(at.y, i, p, q));",
                "float product = X(ivec4(at.x, first_channel + i, y, x)) * W(ivec4(at.y, i, p, q));\n"
                "                sum += product;\n"
                "                if (p == 1) sum += product;",
            ),
        ),
        {"places": [1], "times": 2},
    ),
    Fault(
        "a rest of the sum that overlaps its fours",
        "double_counted",
        rows.gemm_flat,
        (
            Edit(
                "    return sum + element(C, column);",
                "    for (int k = u_inner - 4; k < u_inner - 1; k++)\n"
                "        sum += element(A, row * u_inner + k) * element(B, k * u_columns + column);\n"
                "    return sum + element(C, column);",
            ),
        ),
        {"axis": "input", "places": [6, 7, 8], "times": 2},
    ),
    Fault(
        "values of the next head",
        "wrong_partner",
        lambda: generated(_of_heads(), UNPACKED),
        (
            Edit(
                "ivec4 column = ivec4(b / B_shape.y, b % B_shape.y, 0,",
                "ivec4 column = ivec4(b / B_shape.y, (b + 1) % B_shape.y, 0,",
            ),
        ),
        {"tensor": "v"},
        alternatives=("group_ignored",),
    ),
    Fault(
        "rows of the second factor shifted by the output's row",
        "wrong_partner",
        lambda: generated(_of_heads(), UNPACKED),
        (Edit("column + ivec4(0, 0, k, 0)", "column + ivec4(0, 0, (k + row.z) % INNER_COUNT, 0)"),),
        {"tensor": "v"},
        alternatives=("index_map",),  # the first factor's columns shifted back by its row: the same products
    ),
)
