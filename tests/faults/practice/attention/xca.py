"""Plants bugs of `channel_mixing`: attention between channels by cosines, after a window of each channel alone."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

TARGET = "channel_mixing"

FAULTS: tuple[Planted, ...] = (
    Planted(
        "one column and row beyond the tile",
        TARGET,
        "local",
        (Swap("local.frag", "any(greaterThanEqual(from, tile))", "any(greaterThan(from, tile))"),),
        ("tile_bleed", "padding_mode"),
    ),
    Planted(
        "the first head's temperature for both",
        TARGET,
        "mixing",
        (Swap("mixing.frag", "texelFetch(temperature, ivec2(head, 0), 0)", "texelFetch(temperature, ivec2(0), 0)"),),
        ("wrong_partner", "index_map", "group_ignored"),
    ),
    Planted(
        "shares read across instead of down",
        TARGET,
        "mixed",
        (Swap("mix.frag", "ivec2(head * 5 + j, i)", "ivec2(head * 5 + i, j)"),),
        ("transpose_xy", "index_map", "wrong_partner"),
    ),
    Planted(
        "a bias by the column of the tile",
        TARGET,
        "y",
        (Swap("back.frag", "texelFetch(bias, ivec2(o, 0), 0)", "texelFetch(bias, ivec2(slot.x, 0), 0)"),),
        ("bias_offset", "index_map"),
    ),
)

PAIRS: tuple[Planted, ...] = (
    Planted(
        "no bias, and the picture on top twice",
        TARGET,
        "y",
        (
            Swap("back.frag", "+ sum + texelFetch(bias, ivec2(o, 0), 0).r;", "+ sum;"),
            Swap("back.frag", "    float sum = 0.0;", "    float sum = texelFetch(x, p, 0).r;"),
        ),
        ("bias_missing",),
        ("double_counted",),
    ),
)

HEALTHY: tuple[Healthy, ...] = (
    Healthy(
        "products over all places in one loop, backwards, one root for both",
        TARGET,
        (
            Swap(
                "mixing.frag",
                """\
    for (int v = 0; v < tile.y; v++) {
        for (int u = 0; u < tile.x; u++) {
            float s = texelFetch(qkv, a + ivec2(u, v), 0).r;
            float t = texelFetch(qkv, b + ivec2(u, v), 0).r;
            both += s * t;
            qq += s * s;
            kk += t * t;
        }
    }
    return both / (max(sqrt(qq), 1e-3) * max(sqrt(kk), 1e-3));
""",
                """\
    vec3 sums = vec3(0.0);
    for (int n = tile.x * tile.y - 1; n >= 0; n--) {
        ivec2 at = ivec2(n % tile.x, n / tile.x);
        vec2 st = vec2(texelFetch(qkv, a + at, 0).r, texelFetch(qkv, b + at, 0).r);
        sums += vec3(st, st.x) * vec3(st, st.y);
    }
    qq = sums.x;
    kk = sums.y;
    both = sums.z;
    return both * inversesqrt(max(qq, 1e-6) * max(kk, 1e-6));
""",
            ),
        ),
    ),
)
