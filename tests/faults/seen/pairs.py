"""Two bugs at once in one pass, in many styles; as in `tests.faults.pairs`: `python -m tests.faults.score pairs`.

Both are named where one finding has the fault's cause and another one that stands among its alternatives.
"""

from __future__ import annotations

from tests.faults.changes import Change, Edit
from tests.faults.fault import Fault
from tests.faults.outcome import Outcome
from tests.faults.seen.subjects import accessors, convolutions, elements, rows


def _pair(name: str, first: str, subject: object, changes: tuple[Change, ...], *second: str) -> Fault:
    return Fault(name, first, subject, changes, alternatives=second)  # type: ignore[arg-type]


FAULTS = (
    _pair(
        "accessors: a picture not added, and rows of the kernel for columns", "bias_missing", accessors.sharper_getx,
        (
            Edit("value + getX(o, pixel.y, pixel.x);", "value;"),
            Edit("getW(o, i, row, column)", "getW(o, i, column, row)"),
        ),
        "kernel_transpose", "wrong_layout",
    ),
    _pair(
        "accessors: the next bias, and a row too far down", "bias_offset", accessors.sharper_getx,
        (Edit("getBias(o)", "getBias((o + 1) % 3)"), Edit("getX(i, tap.y, tap.x)", "getX(i, tap.y + 1, tap.x)")),
        "shift", "missing_taps",
    ),
    _pair(
        "groups: the first group for all, and a kernel turned around", "group_ignored", convolutions.grouped_fetch,
        (
            Edit("int first = o / (u_out_channels / u_groups) * per_group;", "int first = 0;"),
            Edit("weight_at(o, i, kx, ky)", "weight_at(o, i, 2 - kx, 2 - ky)"),
        ),
        "kernel_flip",
    ),
    _pair(
        "shares of a picture: no ReLU, and a kernel by columns", "activation_missing", convolutions.depthwise_es,
        (
            Edit("result = max(sum, 0.0);", "result = sum;"),
            Edit("(tile * 3.0 + tap + 0.5)", "(tile * 3.0 + tap.yx + 0.5)"),
        ),
        "kernel_transpose", "transpose_xy", "wrong_layout",
    ),
    _pair(
        "macros: another slope, and taps one to the left", "alpha", convolutions.conv_macros,
        (Edit("0.2 * sum", "0.01 * sum"), Edit("ivec2(u - 1, v - 1)", "ivec2(u - 2, v - 1)")),
        "shift", "missing_taps",
    ),
    _pair(
        "four lanes: a matrix on the wrong side, and the next bias", "filter_io_swap", convolutions.pointwise_rgba,
        (Edit("v * filters", "filters * v"), Edit("vec4(bias(o), ", "vec4(bias(o + 1), ")),
        "bias_offset",
    ),
    _pair(
        "a normalisation: no shift, and another slope", "bias_missing", elements.batchnorm_tiles,
        (Edit("scaled + texelFetch(u_shift, c, 0).r", "scaled"), Edit("shifted * u_slope", "shifted * 0.01")),
        "alpha", "activation_extra",
    ),
    _pair(
        "a block: the skip twice, and no bias", "bias_doubled", elements.residual_prelu,
        (Edit("sum + skip", "sum + 2.0 * skip"), Edit("    sum += texelFetch(u_b, ivec2(o, 0), 0).r;\n", "")),
        "bias_missing",
    ),
    _pair(
        "flat memory: a product one term short, and no bias", "missing_channels", rows.gemm_flat,
        (Edit("k < u_inner;", "k < u_inner - 1;"), Edit("return sum + element(C", "return sum + 0.0 * element(C")),
        "bias_missing",
    ),
    _pair(
        "a convolution of four lanes: no bias, and an edge that is held", "bias_missing", convolutions.conv_rgba,
        (
            Edit("convolve(feature, p) + bias;", "convolve(feature, p);"),
            Edit("p.y >= u_in_size.y) return vec4(0.0);", "p.y >= u_in_size.y) p = clamp(p, ivec2(0), u_in_size - 1);"),
        ),
        "padding_mode", "tile_bleed",
    ),
)  # fmt: skip


def both(found: Outcome) -> bool:
    """Whether both bugs are named."""
    causes = {each.cause for each in found.findings}
    return found.fault.cause in causes and not causes.isdisjoint(found.fault.alternatives)
