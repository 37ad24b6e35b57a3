"""A denoiser on a G-buffer: a small U-Net that predicts a kernel for each pixel."""

from __future__ import annotations

from tests.faults.fresh.coordinate_nets.plant import fault, healthy, pair

HERE = "denoise"
FILE, COMMON = "pipeline.toml", "common.glsl"
LIGHT, ENC0, ENC1, MID, DEC0, KERN, CLEAN, BEAUTY = (
    f"{name}.frag" for name in ("light", "enc0", "enc1", "mid", "dec0", "kern", "clean", "beauty")
)

FAULTS = (
    fault(
        "smaller guard of the division",
        HERE,
        "light",
        ("epsilon",),
        (COMMON, "#define EPS 0.01", "#define EPS 0.001"),
    ),
    fault(
        "logarithm of base two",
        HERE,
        "light",
        ("wrong_function", "scale"),
        (LIGHT, "log(1.0 + irradiance)", "log2(1.0 + irradiance)"),
    ),
    fault(
        "offset is half of another kernel",
        HERE,
        "enc0",
        ("shift", "filter_offset"),
        (ENC0, "- K / 2, f)", "- 1, f)"),
    ),
    fault(
        "depth comes first",
        HERE,
        "enc0",
        ("channel_permutation", "wrong_partner"),
        (ENC0, "f[0] = light.r; f[1] = light.g; f[2] = light.b;", "f[1] = light.r; f[2] = light.g; f[3] = light.b;"),
        (
            ENC0,
            "f[3] = normal.x; f[4] = normal.y; f[5] = normal.z;",
            "f[4] = normal.x; f[5] = normal.y; f[6] = normal.z;",
        ),
        (ENC0, "f[6] = load", "f[0] = load"),
    ),
    fault(
        "weights by features and then columns",
        HERE,
        "enc0",
        ("wrong_layout", "wrong_partner", "filter_offset", "index_map"),
        (ENC0, "int2(IN * kx + i, ", "int2(K * i + kx, "),
    ),
    fault(
        "normals as if they were bytes",
        HERE,
        "enc0",
        ("affine",),
        (ENC0, "load(gNormal, p, 0, gSize).xyz;", "load(gNormal, p, 0, gSize).xyz * 2.0 - 1.0;"),
    ),
    fault(
        "weights from the start in every row",
        HERE,
        "enc1",
        ("filter_offset", "wrong_partner", "index_map"),
        (
            ENC1,
            "    int x = 0;\n    for (int dy = -1; dy <= 1; ++dy) {\n",
            "    for (int dy = -1; dy <= 1; ++dy) {\n        int x = 0;\n",
        ),
    ),
    fault(
        "bend at a tenth and not by a tenth",
        HERE,
        "enc1",
        ("wrong_function",),
        (ENC1, "max(sum, 0.1 * sum)", "max(sum, 0.1)"),
    ),
    fault(
        "steps of one texel",
        HERE,
        "enc1",
        ("stride",),
        (ENC1, "2 * q + int2(dx, dy)", "q + int2(dx, dy)"),
    ),
    fault(
        "steps on the taps too",
        HERE,
        "enc1",
        ("dilation",),
        (ENC1, "2 * q + int2(dx, dy)", "2 * (q + int2(dx, dy))"),
    ),
    fault(
        "bias in the loop of taps",
        HERE,
        "mid",
        ("bias_doubled",),
        (MID, "float4 s = gBias[quad];", "float4 s = float4(0.0);"),
        (
            MID,
            "        int k = (quad * 9 + t) * QUADS;\n",
            "        int k = (quad * 9 + t) * QUADS;\n        s += gBias[quad];\n",
        ),
    ),
    fault(
        "self is bent as well",
        HERE,
        "mid",
        ("wrong_function", "activation_extra", "activation_missing"),
        (MID, "Out = self + max(s, 0.0);", "Out = max(self + s, 0.0);"),
    ),
    fault(
        "kernels by columns",
        HERE,
        "mid",
        ("kernel_transpose", "wrong_layout"),
        (FILE, "o/4, ky kx, i/4", "o/4, kx ky, i/4"),
        in_text=False,
    ),
    fault(
        "matrix before vector",
        HERE,
        "mid",
        ("filter_io_swap", "wrong_partner"),
        (MID, "mul(load(gMap, tap, i, gSize), gKernel[k + i])", "mul(gKernel[k + i], load(gMap, tap, i, gSize))"),
    ),
    fault(
        "halves of negative places",
        HERE,
        "dec0",
        ("padding_mode", "index_map"),
        (DEC0, "p >> 1", "p / 2"),
    ),
    fault(
        "skip before what comes from below",
        HERE,
        "dec0",
        ("channel_permutation", "wrong_partner", "wrong_input"),
        (
            DEC0,
            "    if (slice < 3) return load(gLow, p >> 1, slice, gSize / 2);\n"
            "    return load(gSkip, p, slice - 3, gSize);",
            "    if (slice < 2) return load(gSkip, p, slice, gSize);\n"
            "    return load(gLow, p >> 1, slice - 2, gSize / 2);",
        ),
    ),
    fault(
        "low map at full places",
        HERE,
        "dec0",
        ("index_map", "stride"),
        (DEC0, "load(gLow, p >> 1, slice, gSize / 2)", "load(gLow, p, slice, gSize / 2)"),
    ),
    fault(
        "empty lanes have a share",
        HERE,
        "kern",
        ("extra_channels",),
        (KERN, "float l2 = logits(a, b, 2).x;", "float4 l2 = logits(a, b, 2);"),
        (KERN, "hmax(l1)), l2);", "hmax(l1)), l2.x);"),
        (KERN, "hsum(l1) + l2;", "hsum(l1) + hsum(l2);"),
        (KERN, "float4(l2, 0.0, 0.0, 0.0)", "l2"),
    ),
    fault(
        "half the way to the next weights",
        HERE,
        "kern",
        ("filter_offset", "wrong_partner"),
        (KERN, "int w = 8 * quad;", "int w = 4 * quad;"),
    ),
    fault(
        "kernel seen from its taps",
        HERE,
        "clean",
        ("kernel_flip", "wrong_partner"),
        (CLEAN, "p + int2(k % 3 - 1, k / 3 - 1)", "p - int2(k % 3 - 1, k / 3 - 1)"),
    ),
    fault(
        "edge fades to black",
        HERE,
        "clean",
        ("padding_mode",),
        (CLEAN, "clamp(p + int2(k % 3 - 1, k / 3 - 1), int2(0), size - 1)", "p + int2(k % 3 - 1, k / 3 - 1)"),
        (CLEAN, "texelFetch(gLight, tap, 0).rgb", "load(gLight, tap, 0, size).rgb"),
    ),
    fault(
        "one is left",
        HERE,
        "beauty",
        ("affine", "wrong_function"),
        (BEAUTY, "exp(texelFetch(gClean, p, 0).rgb) - 1.0", "exp(texelFetch(gClean, p, 0).rgb)"),
    ),
    fault(
        "light that was not cleaned",
        HERE,
        "beauty",
        ("wrong_input",),
        (FILE, 'textures.gClean = "clean"', 'textures.gClean = "light"'),
        in_text=False,
    ),
)

PAIRS = (
    pair(
        "kernel from behind, without threshold",
        HERE,
        "enc0",
        ("kernel_flip",),
        ("activation_missing",),
        (ENC0, "features(p + int2(kx, ky) - K / 2, f)", "features(p - int2(kx, ky) + K / 2, f)"),
        (ENC0, "Out = max(acc, 0.0);", "Out = acc;"),
    ),
    pair(
        "window one to the side, a flatter leak",
        HERE,
        "enc1",
        ("shift",),
        ("alpha",),
        (ENC1, "2 * q + int2(dx, dy)", "2 * q + int2(dx + 1, dy)"),
        (ENC1, "max(sum, 0.1 * sum)", "max(sum, 0.01 * sum)"),
    ),
    pair(
        "softer shares from one bias",
        HERE,
        "kern",
        ("bias_offset",),
        ("wrong_function", "scale"),
        (KERN, "return gB[quad] +", "return gB[0] +"),
        (
            KERN,
            "    l0 = exp(l0 - top);\n    l1 = exp(l1 - top);\n",
            "    l0 = exp2(l0 - top);\n    l1 = exp2(l1 - top);\n",
        ),
        (KERN, "l2 = exp(l2 - top);", "l2 = exp2(l2 - top);"),
    ),
)

HEALTHY = (
    healthy(
        "taps outside are skipped",
        HERE,
        (
            ENC0,
            "            features(p + int2(kx, ky) - K / 2, f);",
            "            int2 at = p + int2(kx, ky) - int2(2);\n            if (outside(at, gSize)) continue;\n"
            "            features(at, f);",
        ),
        (LIGHT, "log(1.0 + irradiance)", "log(irradiance + float3(1.0))"),
    ),
    healthy(
        "slices in the outer loop",
        HERE,
        (
            MID,
            "    for (int t = 0; t < 9; t++) {\n        int2 tap",
            "    for (int i = 0; i < QUADS; i++) {\n        for (int t = 0; t < 9; t++) {\n        int2 tap",
        ),
        (MID, "        for (int i = 0; i < QUADS; i++) {\n            s +=", "        {\n            s +="),
        (MID, "    }\n    float4 self", "    }\n    }\n    float4 self"),
    ),
    healthy(
        "shares by one division",
        HERE,
        (KERN, "    float total = hsum(l0) + hsum(l1) + l2;\n", "    float share = 1.0 / (hsum(l0 + l1) + l2);\n"),
        (KERN, "float4(l2, 0.0, 0.0, 0.0)) / total", "float4(l2, float3(0.0))) * share"),
        (CLEAN, "[k % 4]", "[k & 3]"),
    ),
    healthy(
        "low map by halves after a test",
        HERE,
        (
            DEC0,
            "    if (slice < 3) return load(gLow, p >> 1, slice, gSize / 2);\n",
            "    if (outside(p, gSize)) return float4(0.0);\n"
            "    if (slice < 3) return texelFetch(gLow, p / 2 + int2(0, slice * gSize.y / 2), 0);\n",
        ),
    ),
)
