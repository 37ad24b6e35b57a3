"""Two bugs at once in one pass. Each fault stands for both: its cause and the one among `alternatives`."""

from __future__ import annotations

from tests.faults import models
from tests.faults.changes import Edit, Uniform
from tests.faults.fault import Fault
from tests.faults.held_out.subjects import convolutions as held_out_convolutions
from tests.faults.seen.subjects import convolutions
from tests.faults.subjects import generated

SEEN = (
    Fault(
        "a kernel transposed and a bias forgotten",
        "kernel_transpose",
        convolutions.conv_tiles,
        (
            Edit("(kernel_corner + vec2(kx, ky)", "(kernel_corner + vec2(ky, kx)"),
            Edit("color = sum + bias;", "color = sum;"),
        ),
        alternatives=("bias_missing",),
    ),
    Fault(
        "padding by one side and no ReLU",
        "shift",
        convolutions.conv_relu_fetch,
        (Uniform("u_pad", (0, 1)), Edit("y_out = max(acc, 0.0);", "y_out = acc;")),
        alternatives=("activation_missing",),
    ),
    Fault(
        "a kernel turned around and a bias twice",
        "kernel_flip",
        lambda: generated(models.conv(), "tfjs_unpacked"),
        (
            Edit("W(ivec4(at.y, i, p, q))", "W(ivec4(at.y, i, W_shape.z - 1 - p, W_shape.w - 1 - q))"),
            Edit("sum += B(ivec4(0, 0, 0, at.y));", "sum += 2.0 * B(ivec4(0, 0, 0, at.y));"),
        ),
        alternatives=("bias_doubled",),
    ),
)

HELD_OUT = (
    Fault(
        "no bias and the activation left out",
        "bias_missing",
        held_out_convolutions.conv_getx,
        (
            Edit("  result = result + getBias(d2);\n", ""),
            Edit("  result = result < 0.0 ? 0.2 * result : result;\n", ""),
        ),
        alternatives=("activation_missing",),
    ),
    Fault(
        "a kernel by columns and a result cut at zero",
        "kernel_transpose",
        held_out_convolutions.conv_flat,
        (
            Edit("* u_kernel + v) * u_kernel + u);", "* u_kernel + u) * u_kernel + v);"),
            Edit("return total + get(biases, feature);", "return max(total + get(biases, feature), 0.0);"),
        ),
        alternatives=("activation_extra",),
    ),
)
