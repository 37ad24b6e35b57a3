"""Slips in a denoiser: edges, predicted kernels, film."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

_TAP = "s.r*T(w,ivec2(x,n*9+y)).r + s.g*T(w,ivec2(x,n*9+3+y)).r + s.b*T(w,ivec2(x,n*9+6+y)).r"

FAULTS = (
    Planted(
        "paint that is held far from zero",
        "grain",
        "logs",
        (Swap("logs.frag", "T(albedo,p) + .05", "T(albedo,p) + .5"),),
        ("epsilon", "wrong_literal"),
    ),
    Planted(
        "light in powers of two",
        "grain",
        "logs",
        (Swap("logs.frag", "o = log(", "o = log2("),),
        ("scale", "wrong_function"),
    ),
    Planted(
        "a filter without its holes",
        "grain",
        "atrous",
        (Swap("atrous.frag", "#define STEP 2", "#define STEP 1"),),
        ("dilation", "index_map", "wrong_literal"),
    ),
    Planted(
        "a sum of weights that nothing is divided by",
        "grain",
        "atrous",
        (Swap("atrous.frag", "vec4(sum / wsum, 1)", "vec4(sum, 1)"),),
        ("average_count", "scale"),
    ),
    Planted(
        "normals of two components",
        "grain",
        "atrous",
        (Swap("atrous.frag", "vec3 dn = gq.xyz - gp.xyz;", "vec2 dn = gq.xy - gp.xy;"),),
        ("missing_channels", "dropped_lane"),
    ),
    Planted(
        "depth compared with the first component of the normal",
        "grain",
        "atrous",
        (Swap("atrous.frag", "abs(gq.w - gp.w)", "abs(gq.w - gp.x)"),),
        ("index_map", "channel_permutation", "wrong_partner"),
    ),
    Planted(
        "a window one tap short on the right",
        "grain",
        "atrous",
        (Swap("atrous.frag", "x <= 1", "x < 1"),),
        ("missing_taps",),
    ),
    Planted(
        "the fifth of five features from the first tile",
        "grain",
        "taps",
        (Swap("taps.frag", "T(g, p + ivec2(SZ.x,0)).r", "T(g, p).r"),),
        ("index_map", "channel_permutation", "wrong_partner"),
    ),
    Planted(
        "a softmax over the lanes of a texel",
        "grain",
        "taps",
        (
            Swap(
                "taps.frag",
                "    for (int n = 0; n < 9; n++) { l[n] = exp(l[n] - m); z += l[n]; }\n    int n = 4*(t.y*2 + t.x);\n",
                "    int n = 4*(t.y*2 + t.x);\n"
                "    for (int i = 0; i < 4; i++) if (n + i < 9) { l[n + i] = exp(l[n + i] - m); z += l[n + i]; }\n",
            ),
        ),
        ("missing_channels",),
    ),
    Planted(
        "kernels turned around in the weights of kernels",
        "grain",
        "taps",
        (
            Swap(
                "taps.frag",
                _TAP,
                "s.r*T(w,ivec2(2-x,n*9+2-y)).r + s.g*T(w,ivec2(2-x,n*9+5-y)).r + s.b*T(w,ivec2(2-x,n*9+8-y)).r",
            ),
        ),
        ("kernel_flip", "index_map"),
    ),
    Planted(
        "red weighed as blue is",
        "grain",
        "taps",
        (Swap("taps.frag", "vec3 s = T(c,q).rgb;", "vec3 s = T(c,q).bgr;"),),
        ("channel_permutation", "wrong_partner", "index_map"),
    ),
    Planted(
        "two taps of nine exchanged",
        "grain",
        "gathered",
        (Swap("gathered.frag", "b.x*C(0,0) + b.y*C(1,0)", "b.y*C(0,0) + b.x*C(1,0)"),),
        ("wrong_partner", "index_map", "channel_permutation"),
    ),
    Planted(
        "nothing beyond the border of what is gathered",
        "grain",
        "gathered",
        (
            Swap(
                "gathered.frag",
                "T(c, EDGE(p + ivec2(x,y))).rgb",
                "(IN(p + ivec2(x,y)) ? T(c, p + ivec2(x,y)).rgb : vec3(0))",
            ),
        ),
        ("padding_mode",),
    ),
    Planted(
        "a middle row that is summed anew",
        "grain",
        "gathered",
        (Swap("gathered.frag", "    s += a.w*C(-1,0)", "    s = a.w*C(-1,0)"),),
        ("missing_taps", "missing_channels"),
    ),
    Planted(
        "the seventh tap from the tile of the ninth",
        "grain",
        "gathered",
        (Swap("gathered.frag", "s += b.z*C(-1,1)", "s += e.x*C(-1,1)"),),
        ("index_map", "wrong_partner", "channel_permutation"),
    ),
    Planted(
        "a curve of film with two digits exchanged",
        "grain",
        "film",
        (Swap("film.frag", "2.43", "2.34"),),
        ("wrong_literal", "alpha"),
    ),
    Planted(
        "film for a monitor",
        "grain",
        "film",
        (
            Swap(
                "film.frag",
                "o = vec4(aces(exposure * v), 1);",
                "o = vec4(pow(aces(exposure * v), vec3(1./2.2)), 1);",
            ),
        ),
        ("activation_extra", "srgb_encoded", "wrong_function"),
    ),
    Planted(
        "exposure after the film",
        "grain",
        "film",
        (Swap("film.frag", "aces(exposure * v)", "exposure * aces(v)"),),
        ("scale", "wrong_function"),
    ),
    Planted(
        "red paint for every colour",
        "grain",
        "film",
        (Swap("film.frag", "T(albedo,p).rgb", "T(albedo,p).rrr"),),
        ("index_map", "wrong_partner", "channel_permutation"),
    ),
)

PAIRS = (
    Planted(
        "a kernel's weights with x for y, and no bias",
        "grain",
        "taps",
        (
            Swap(
                "taps.frag",
                _TAP,
                "s.r*T(w,ivec2(y,n*9+x)).r + s.g*T(w,ivec2(y,n*9+3+x)).r + s.b*T(w,ivec2(y,n*9+6+x)).r",
            ),
            Swap("taps.frag", "float a = T(b, ivec2(n,0)).r;", "float a = 0.;"),
        ),
        ("kernel_transpose", "index_map"),
        ("bias_missing",),
    ),
)

HEALTHY = (
    Healthy(
        "weights of nothing instead of a jump, by powers of two",
        "grain",
        (
            Swap(
                "atrous.frag",
                "        if (!IN(q)) continue;\n",
                "        float inside = IN(q) ? 1. : 0.;\n        q = EDGE(q);\n",
            ),
            Swap(
                "atrous.frag",
                "exp(-dot(dn,dn)/sn - dz/sz)",
                "inside * exp2(-1.4426950408889634*(dot(dn,dn)/sn + dz/sz))",
            ),
        ),
    ),
    Healthy(
        "a softmax that divides once",
        "grain",
        (
            Swap("taps.frag", "    o = vec4(0);\n", "    o = vec4(0);\n    float share = 1. / z;\n"),
            Swap("taps.frag", "o[i] = l[n + i] / z;", "o[i] = share * l[n + i];"),
        ),
    ),
    Healthy(
        "gathering from below",
        "grain",
        (
            Swap(
                "gathered.frag",
                "vec3 s = a.x*C(-1,-1) + a.y*C(0,-1) + a.z*C(1,-1);",
                "vec3 s = e.x*C(1,1) + b.w*C(0,1) + b.z*C(-1,1);",
            ),
            Swap(
                "gathered.frag",
                "s += b.z*C(-1,1) + b.w*C(0,1) + e.x*C(1,1);",
                "s += C(1,-1)*a.z + C(0,-1)*a.y + C(-1,-1)*a.x;",
            ),
        ),
    ),
)
