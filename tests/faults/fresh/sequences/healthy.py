"""What is right: the folders as they are, and the same maths written in other ways."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Swap

FOLDERS = ("lstm", "convgru", "tcn", "norms", "ssm", "linattn")

_LSE = """    float m = texelFetch(s, ivec2(0, r), 0).r, t = 0.;
    for (int k = 1; k < n; k++) m = max(m, texelFetch(s, ivec2(k, r), 0).r);
    for (int k = 0; k < n; k++) t += exp(texelFetch(s, ivec2(k, r), 0).r - m);
"""

_ONLINE_LSE = """    float m = texelFetch(s, ivec2(0, r), 0).r, t = 1.;
    for (int k = 1; k < n; k++) {
        float v = texelFetch(s, ivec2(k, r), 0).r, up = max(m, v);
        t = t * exp(m - up) + exp(v - up);
        m = up;
    }
"""

_SQUARES = """            vec4 away = feature(tex_h, group, ivec2(x, y)) - mean;
            squares += dot(away, away);
"""

_RAW_SQUARES = """            vec4 value = feature(tex_h, group, ivec2(x, y));
            squares += dot(value, value);
"""

_TWO_LOOPS = """    float sum = 0.0;
    for (int frame = 0; frame < uFrames; frame++) {
        sum += texelFetch(uSequence, ivec2(frame, channel), 0).r;
    }
    float mean = sum / float(uFrames);

    float squares = 0.0;
    for (int frame = 0; frame < uFrames; frame++) {
        float difference = texelFetch(uSequence, ivec2(frame, channel), 0).r - mean;
        squares += difference * difference;
    }
"""

_WELFORD = """    float mean = 0.0;
    float squares = 0.0;
    for (int frame = 0; frame < uFrames; frame++) {
        float value = texelFetch(uSequence, ivec2(frame, channel), 0).r;
        float before = value - mean;
        mean += before / float(frame + 1);
        squares += before * (value - mean);
    }
"""

_NORMALIZE = """    float normalized = (value - mean) / sqrt(variance + EPSILON);
    return normalized * getParameter(uBnGain, channel) + getParameter(uBnShift, channel);
"""

_FOLDED = """    float factor = getParameter(uBnGain, channel) * inversesqrt(variance + EPSILON);
    return value * factor + (getParameter(uBnShift, channel) - mean * factor);
"""

_ATTEND = """  for (int i = 0; i < DK; i++) {
    float q = texelFetch(t_q, ivec2(i, row), 0).x;
"""

_ATTEND_BACK = """  for (int i = DK - 1; i >= 0; --i) {
    float q = texture(t_q, (vec2(float(i), float(row)) + 0.5) / vec2(textureSize(t_q, 0))).x;
"""

HEALTHY = (
    *(Healthy(f"as it is: {folder}", folder) for folder in FOLDERS),
    Healthy("a largest value and a sum in one loop", "lstm", (Swap("lse.frag", _LSE, _ONLINE_LSE),)),
    Healthy(
        "the recurrent part first, from the end",
        "lstm",
        (
            Swap("gates.frag", "for (int k = 0; k < nh; k++)", "for (int k = nh - 1; k >= 0; k--)"),
            Swap("gates.frag", "float a = texelFetch(b, ivec2(p.x, 0), 0).r;", "float a = 0.;"),
            Swap("gates.frag", "    o = a;", "    o = texelFetch(b, ivec2(p.x, 0), 0).r + a;"),
        ),
    ),
    Healthy(
        "a sigmoid by way of a hyperbolic tangent",
        "convgru",
        (Swap("zr.frag", "1.0 / (1.0 + exp(-acc))", "0.5 * tanh(0.5 * acc) + 0.5"),),
    ),
    Healthy(
        "old and new each with a factor of its own",
        "convgru",
        (Swap("hnew.frag", "keep + z * (fresh - keep)", "(1.0 - z) * keep + z * fresh"),),
    ),
    Healthy(
        "the mean of squares less the square of the mean",
        "convgru",
        (
            Swap("moments.frag", _SQUARES, _RAW_SQUARES),
            Swap("moments.frag", "squares / count", "squares / count - mean * mean"),
        ),
    ),
    Healthy(
        "an inverse root times the gain",
        "tcn",
        (Swap("weight_scale.frag", "gain / sqrt(sumOfSquares)", "gain * inversesqrt(sumOfSquares)"),),
    ),
    Healthy("moments as Welford has them", "tcn", (Swap("pooled.frag", _TWO_LOOPS, _WELFORD),)),
    Healthy("batch normalisation folded into a factor and an addend", "tcn", (Swap("tdnn.frag", _NORMALIZE, _FOLDED),)),
    Healthy(
        "a ternary where the beginning returned early",
        "tcn",
        (
            Swap("causal.frag", "    if (frame < 0) {\n        return 0.0;\n    }\n", ""),
            Swap(
                "causal.frag",
                "    return texelFetch(uSequence, ivec2(frame, channel), 0).r;",
                "    return frame < 0 ? 0.0 : texelFetch(uSequence, ivec2(max(frame, 0), channel), 0).r;",
            ),
        ),
    ),
    Healthy(
        "a power by way of base two",
        "norms",
        (Swap("lrn.frag", "pow(k + alpha / SIZE * sq, -beta)", "exp2(-beta * log2(k + alpha / SIZE * sq))"),),
    ),
    Healthy(
        "a leaky slope as the larger of two",
        "norms",
        (Swap("bn.frag", "v < 0.0 ? 0.15 * v : v", "max(v, 0.15 * v)"),),
    ),
    Healthy(
        "decay by way of base two",
        "ssm",
        (Swap("scan.frag", "exp(dt * A) * h", "exp2(dt * A * 1.4426950408889634) * h"),),
    ),
    Healthy(
        "running sums from the frame backwards",
        "ssm",
        (Swap("cumsum.frag", "int i = e % D; i <= e; i += D", "int i = e; i >= 0; i -= D"),),
    ),
    Healthy("queries sampled at texel centres, backwards", "linattn", (Swap("attend.frag", _ATTEND, _ATTEND_BACK),)),
)
