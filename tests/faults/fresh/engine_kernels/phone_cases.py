"""Faults of the pipeline phone: 3-d images with four channels a slice."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

_TOML = "pipeline.toml"


def _fault(
    name: str, culprit: str, swaps: tuple[Swap, ...], *causes: str, others: tuple[str, ...] = (), in_text: bool = True
) -> Planted:
    return Planted(name, "phone", culprit, swaps, causes, others, in_text)


_PAD = Swap(_TOML, "uniforms.uPad = [1, 2]", "uniforms.uPad = [2, 1]")
_KERNEL_ORDER = Swap(_TOML, 'order = "o/4, ky, kx, i, o%4"', 'order = "o/4, kx, ky, i, o%4"')
_SHORT_ROW = Swap("conv.comp", "fx < efxy.x; fx++", "fx < efxy.x - 1; fx++")
_SWISH_SLOPE = Swap("conv.comp", "color / 6.0 + 0.5", "color * 0.2 + 0.5")
_FLAT_TILE = Swap("depthwise.comp", "tile[at.y * TILE_W + at.x] = v;", "tile[i] = v;")
_TILE_BARRIER = Swap("depthwise.comp", "    }\n    barrier();\n", "    }\n")
_REDUCE_BARRIER = Swap(
    "gate.comp", "partial[id] += partial[id + half_];\n            barrier();", "partial[id] += partial[id + half_];"
)
_POOL_COUNT = Swap("avgpool.comp", "float(extent.x * extent.y)", "float(uKernelSize.x * uKernelSize.y)")
_POOL_STRIDE = Swap("avgpool.comp", "pos.xy * uStride - uPad", "pos.xy - uPad")
_UP_FLIP = Swap(
    "deconv.comp",
    "(pos.z * uKernelSize.y + ky) * uKernelSize.x + kx;",
    "(pos.z * uKernelSize.y + uKernelSize.y - 1 - ky) * uKernelSize.x + uKernelSize.x - 1 - kx;",
)
_UP_BIAS = Swap("deconv.comp", "vec4 color = uBias.data[pos.z];", "vec4 color = vec4(0.0);")
_GATED = "(texelFetch(uInput, ivec3(pos.x, pos.y, z), 0) * g)"
_GATED_NEXT = "(texelFetch(uInput, ivec3(min(pos.x + 1, uInputSize.x - 1), pos.y, z), 0) * g)"

FAULTS = (
    _fault("stem: pads in the other order", "stem", (_PAD,), "shift", in_text=False),
    _fault("stem: weights uploaded x first", "stem", (_KERNEL_ORDER,), "wrong_layout", "index_map", "kernel_transpose",
           in_text=False),
    _fault("stem: rows end a tap early", "stem", (_SHORT_ROW,), "missing_taps"),
    _fault("stem: slices of weights one width apart", "stem",
           (Swap("conv.comp", "(pos.z * uKernelSize.y + fy)", "(pos.z * uKernelSize.x + fy)"),),
           "filter_offset", "index_map"),
    _fault("stem: slope of another framework", "stem", (_SWISH_SLOPE,), "alpha"),
    _fault("stem: the curve stored without its factor", "stem",
           (Swap("conv.comp", "color *= clamp", "color = clamp"),), "wrong_function"),
    _fault("depth: corner by a pixel, not a step", "depth",
           (Swap("depthwise.comp", "ivec2(XS, YS) - uDilate;", "ivec2(XS, YS) - 1;"),), "shift"),
    _fault("depth: steps given rows first", "depth", (Swap(_TOML, "uDilate = [1, 2]", "uDilate = [2, 1]"),),
           "dilation", in_text=False),
    _fault("depth: tile filled without its pitch", "depth", (_FLAT_TILE,), "index_map"),
    _fault("depth: tile read at once", "depth", (_TILE_BARRIER,), "missing_barrier"),
    _fault("depth: only the floor of the clip", "depth",
           (Swap("depthwise.comp", "clamp(sum, vec4(0.0), vec4(6.0))", "max(sum, vec4(0.0))"),),
           "alpha", "wrong_function"),
    _fault("gate: reduction runs through", "gate", (_REDUCE_BARRIER,), "missing_barrier"),
    _fault("gate: area of a square", "gate", (Swap("gate.comp", "uSize.x * uSize.y;", "uSize.x * uSize.x;"),),
           "average_count"),
    _fault("gate: blocks by columns", "gate",
           (Swap("gate.comp", "uKernel.data[id * uSize.z + z]", "uKernel.data[z * uSize.z + id]"),),
           "filter_io_swap", "index_map"),
    _fault("point: second place without its gate", "point",
           (Swap("conv1x1.comp", _GATED_NEXT, _GATED_NEXT.replace(" * g", "")),), "wrong_function"),
    _fault("point: vector on the left", "point",
           (Swap("conv1x1.comp", f"k * {_GATED}", f"{_GATED} * k"),
            Swap("conv1x1.comp", f"k * {_GATED_NEXT}", f"{_GATED_NEXT} * k")), "filter_io_swap", "index_map"),
    _fault("point: gate by output slice", "point",
           (Swap("conv1x1.comp", "uGate, ivec3(0, 0, z)", "uGate, ivec3(0, 0, pos.z)"),), "wrong_partner"),
    _fault("point: first colour stored twice", "point",
           (Swap("conv1x1.comp", "ivec3(1, 0, 0), color1)", "ivec3(1, 0, 0), color0)"),), "index_map"),
    _fault("pool: padding counted", "pool", (_POOL_COUNT,), "average_count"),
    _fault("pool: steps of one", "pool", (_POOL_STRIDE,), "stride"),
    _fault("up: rows between the steps count", "up",
           (Swap("deconv.comp", "oy < 0 || oy % uStride.y != 0", "oy < 0"),), "stride"),
    _fault("up: kernel turned round", "up", (_UP_FLIP,), "kernel_flip"),
    _fault("up: slope not handed over", "up", (Swap(_TOML, "uniforms.uSlope = 0.15\n", ""),), "unset_uniform", "alpha",
           in_text=False),
    _fault("up: whole slices only", "up", (Swap("deconv.comp", "c < uChannels;", "c < uChannels / 4 * 4;"),),
           "missing_channels"),
    _fault("joined: lane of the output", "joined",
           (Swap("concat.comp", "ivec3(pos.xy, d / 4), 0)[d % 4]", "ivec3(pos.xy, d / 4), 0)[c % 4]"),),
           "channel_permutation", "index_map"),
    _fault("joined: first input bound twice", "joined",
           (Swap(_TOML, 'textures.uInput1 = "up"', 'textures.uInput1 = "point"'),), "wrong_input", in_text=False),
    _fault("share: three lanes summed", "share",
           (Swap("softmax.comp", "e.x + e.y + e.z + e.w", "e.x + e.y + e.z"),), "dropped_lane", "missing_channels"),
    _fault("share: sum set anew", "share", (Swap("softmax.comp", "sum += e.x", "sum = e.x"),), "missing_channels"),
)  # fmt: skip

PAIRS = (
    _fault("pool: steps of one and a full count", "pool", (_POOL_STRIDE, _POOL_COUNT), "stride",
           others=("average_count",)),
    _fault("up: turned kernel and no bias", "up", (_UP_FLIP, _UP_BIAS), "kernel_flip", others=("bias_missing",)),
)  # fmt: skip

HEALTHY = (
    Healthy(
        "gate: one invocation adds the parts",
        "phone",
        (
            Swap(
                "gate.comp",
                """        for (int half_ = THREADS / 2; half_ > 0; half_ >>= 1) {
            if (id < half_) partial[id] += partial[id + half_];
            barrier();
        }
        if (id == 0) means[z] = partial[0] / float(area);
""",
                """        if (id == 0) {
            vec4 total = partial[0];
            for (int t = 1; t < THREADS; ++t) total += partial[t];
            means[z] = total / float(area);
        }
""",
            ),
        ),
    ),
    Healthy(
        "pool: all taps with a count of its own",
        "phone",
        (
            Swap(
                "avgpool.comp",
                """    for (int y = begin.y; y < end.y; ++y) {
        for (int x = begin.x; x < end.x; ++x) {
            sum += texelFetch(uInput, ivec3(x, y, pos.z), 0);
        }
    }
    ivec2 extent = end - begin;
    imageStore(uOutput, pos, sum / float(extent.x * extent.y));
""",
                """    float count = 0.0;
    for (int i = 0; i < uKernelSize.x * uKernelSize.y; ++i) {
        ivec2 at = origin + ivec2(i % uKernelSize.x, i / uKernelSize.x);
        if (any(lessThan(at, ivec2(0))) || any(greaterThanEqual(at, end))) continue;
        sum += texelFetch(uInput, ivec3(at, pos.z), 0);
        count += 1.0;
    }
    imageStore(uOutput, pos, sum / count);
""",
            ),
        ),
    ),
    Healthy(
        "share: the largest of three lanes is close enough",
        "phone",
        (Swap("softmax.comp", "max(max(top.x, top.y), max(top.z, top.w))", "max(max(top.x, top.y), top.z)"),),
    ),
    Healthy(
        "up: only rows of whole steps are visited",
        "phone",
        (
            Swap(
                "deconv.comp",
                "for (int ky = 0; ky < uKernelSize.y; ++ky) {",
                "for (int ky = (pos.y + uPad.y) % uStride.y; ky < uKernelSize.y; ky += uStride.y) {",
            ),
            Swap("deconv.comp", "if (oy < 0 || oy % uStride.y != 0) continue;", "if (oy < 0) break;"),
        ),
    ),
)
