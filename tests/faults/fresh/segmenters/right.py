"""The right pipelines as they are, and the same written differently."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Swap

_AS_THEY_ARE = tuple(Healthy(f"as it is: {folder}", folder) for folder in ("aspp", "linknet", "psp", "unet", "yolo"))

_OTHERWISE = (
    Healthy(
        "biases after the sum",
        "unet",
        (
            Swap("conv3.frag", "vec4 a = texelFetch(b, ivec2(f, 0), 0);", "vec4 a = vec4(0.0);"),
            Swap("conv3.frag", "o = max(a, 0.0);", "o = max(texelFetch(b, ivec2(f, 0), 0) + a, 0.0);"),
        ),
    ),
    Healthy(
        "a batch norm folded to a factor and an addend",
        "unet",
        (
            Swap(
                "conv3_bn.frag",
                "    a = (a - texelFetch(mu, i, 0)) * inversesqrt(texelFetch(va, i, 0) + 1e-3);\n"
                "    a = a * texelFetch(ga, i, 0) + texelFetch(be, i, 0);\n",
                "    vec4 k = texelFetch(ga, i, 0) * inversesqrt(texelFetch(va, i, 0) + 1e-3);\n"
                "    a = a * k + (texelFetch(be, i, 0) - texelFetch(mu, i, 0) * k);\n",
            ),
        ),
    ),
    Healthy(
        "exponentials to the base of two",
        "unet",
        (Swap("prob.frag", "exp(l[c] - top)", "exp2((l[c] - top) * 1.4426950408889634)"),),
    ),
    Healthy(
        "a pool in a loop",
        "unet",
        (
            Swap(
                "pool.frag",
                "    m = max(m, texelFetch(x, p + ivec2(1, 0), 0));\n"
                "    m = max(m, texelFetch(x, p + ivec2(0, 1), 0));\n"
                "    m = max(m, texelFetch(x, p + ivec2(1, 1), 0));\n",
                "    for (int j = 3; j > 0; j--) m = max(texelFetch(x, p + ivec2(j & 1, j >> 1), 0), m);\n",
            ),
        ),
    ),
    Healthy(
        "a concatenation without dots",
        "unet",
        (
            Swap(
                "dec.frag",
                "                a[k] += dot(v, texelFetch(w, ivec2(n % wc, n / wc) * 3 + d, 0));",
                "                vec4 u = v * texelFetch(w, ivec2(n % wc, n / wc) * 3 + d, 0);\n"
                "                a[k] += (u.x + u.y) + (u.z + u.w);",
            ),
        ),
    ),
    Healthy(
        "a mean column by column",
        "aspp",
        (
            Swap("context.frag", "for (int y = 0; y < uSize.y; ++y)", "for (int x = uSize.x - 1; x >= 0; --x)"),
            Swap("context.frag", "for (int x = 0; x < uSize.x; ++x)", "for (int y = 0; y < uSize.y; ++y)"),
        ),
    ),
    Healthy(
        "corners weighted and summed",
        "aspp",
        (
            Swap(
                "enlarged.frag",
                "    outLogit = mix(top, bottom, blend.y);",
                "    vec2 rest = 1.0 - blend;\n"
                "    outLogit = topLeft * rest.x * rest.y + topRight * blend.x * rest.y\n"
                "             + bottomLeft * rest.x * blend.y + bottomRight * blend.x * blend.y;",
            ),
        ),
    ),
    Healthy(
        "inputs in the innermost loop",
        "aspp",
        (
            Swap(
                "stem.frag",
                "    for (int inputChannel = 0; inputChannel < uInputChannels; ++inputChannel) {\n"
                "        for (int tapY = 0; tapY < KERNEL.y; ++tapY) {\n"
                "            for (int tapX = 0; tapX < KERNEL.x; ++tapX) {\n",
                "    for (int tapX = 0; tapX < KERNEL.x; ++tapX) {\n"
                "        for (int tapY = 0; tapY < KERNEL.y; ++tapY) {\n"
                "            for (int inputChannel = uInputChannels - 1; inputChannel >= 0; --inputChannel) {\n",
            ),
        ),
    ),
    Healthy(
        "squares less the square of the mean",
        "linknet",
        (
            Swap("normed.frag", ").r - mean;", ").r;"),
            Swap(
                "normed.frag",
                "    variance /= u_tile.x * u_tile.y;",
                "    variance = variance / (u_tile.x * u_tile.y) - mean * mean;",
            ),
        ),
    ),
    Healthy(
        "a window that skips what is outside",
        "linknet",
        (
            Swap(
                "halved.frag",
                "            float inside = step(0.0, at.x) * step(0.0, at.y) * step(at.x, 1.0) * step(at.y, 1.0);\n"
                "            total += inside * texture(u_map, (tile + at) / u_grid).r;\n"
                "            count += inside;\n",
                "            if (at != clamp(at, 0.0, 1.0)) continue;\n"
                "            total += texture(u_map, (tile + at) / u_grid).r;\n"
                "            count += 1.0;\n",
            ),
        ),
    ),
    Healthy(
        "a gate by the hyperbolic tangent",
        "psp",
        (Swap("gated.frag", "/ (1.0 + exp(-logit))", "* (0.5 + 0.5 * tanh(0.5 * logit))"),),
    ),
    Healthy(
        "entropy by logarithms of two",
        "psp",
        (
            Swap("unsure.frag", "float nats = -dot(p, log(p + TINY));", "float bits = -dot(p, log2(p + TINY));"),
            Swap("unsure.frag", "nats / LN2", "bits"),
        ),
    ),
    Healthy(
        "boxes of other classes left early",
        "yolo",
        (
            Swap("overlap.frag", "    if (CLASS(t.x) != CLASS(t.y)) r = 0.0;\n", ""),
            Swap(
                "overlap.frag",
                "    vec4 a = BOX(t.y)",
                "    r = 0.0;\n    if (CLASS(t.x) != CLASS(t.y)) return;\n    vec4 a = BOX(t.y)",
            ),
        ),
    ),
    Healthy(
        "sizes by the square of twice",
        "yolo",
        (
            Swap("boxes.frag", "r = 4.0 * s * s * anchors[a].x;", "r = pow(s + s, 2.0) * anchors[a].x;"),
            Swap("boxes.frag", "case 3: r = 4.0 * s * s *", "case 3: s *= 2.0; r = s * s *"),
        ),
    ),
)

HEALTHY = _AS_THEY_ARE + _OTHERWISE
