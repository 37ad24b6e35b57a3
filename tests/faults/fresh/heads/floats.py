"""Slips in a vision transformer of coordinates from 0 to 1: patches, a class token, one loop of attention, pooling."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

_PIXEL = "(tile + corner + vec2(x, y) + 0.5) / atlas_size"
_TAP = "float tap = c * taps + y * patch_size.x + x;"
_COLUMN = "float column = head * 3.0 * HEAD + which * HEAD + d;"
_PROJECTED = "result = texture(tokens, uv).r + texture(layer_scale, own).r * sum;"
_GAMMA_BETA = """    float gamma = texture(ln, vec2(uv.x, 0.25)).r;
    float beta = texture(ln, vec2(uv.x, 0.75)).r;
"""
_LOOP = """        float next = max(top, score);
        float fade = exp(top - next);
        float share = exp(score - next);
        total = total * fade + share;
        sum = sum * fade + share * part(head, 2.0, d, key);
        top = next;
"""
_WITHOUT_TOP = """        float share = exp(score);
        total += share;
        sum += share * part(head, 2.0, d, key);
"""
_QKV_LOOP = """    for (float i = 0.5; i < DEPTH; i += 1.0) {
        float x = i / DEPTH;
        // output o of the weight is row o: what lies across in the target lies down there
        sum += texture(normed, vec2(x, uv.y)).r * texture(weight, vec2(x, uv.x)).r;
    }
"""
_QKV_FETCHES = """    ivec2 at = ivec2(gl_FragCoord.xy);
    for (int i = 13; i >= 0; --i) {
        sum += texelFetch(normed, ivec2(i, at.y), 0).r * texelFetch(weight, ivec2(i, at.x), 0).r;
    }
"""

FAULTS = (
    Planted(
        "a picture with its first row below",
        "vit",
        "embed",
        (
            Swap(
                "embed.frag",
                _PIXEL,
                "(tile + vec2(corner.x + x, image_size.y - 1.0 - corner.y - y) + 0.5) / atlas_size",
            ),
        ),
        ("flip_y", "index_map"),
    ),
    Planted(
        "taps of a patch counted down its columns",
        "vit",
        "embed",
        (Swap("embed.frag", _TAP, "float tap = c * taps + x * patch_size.y + y;"),),
        ("kernel_transpose", "index_map", "wrong_layout"),
    ),
    Planted(
        "filters with their channels last",
        "vit",
        "embed",
        (Swap("embed.frag", _TAP, "float tap = (y * patch_size.x + x) * 3.0 + c;"),),
        ("wrong_layout", "index_map"),
    ),
    Planted(
        "a class token without a place",
        "vit",
        "embed",
        (Swap("embed.frag", "vec2(uv.x, 0.5)).r + position;", "vec2(uv.x, 0.5)).r;"),),
        ("bias_missing",),
    ),
    Planted(
        "as many patches across as there are down",
        "vit",
        "embed",
        (Swap("embed.frag", "image_size.x / patch_size.x;", "image_size.y / patch_size.y;"),),
        ("index_map", "tile_bleed"),
    ),
    Planted(
        "the patch of the token's own number",
        "vit",
        "embed",
        (Swap("embed.frag", "float patch_index = token - 1.0;", "float patch_index = mod(token, 15.0);"),),
        ("index_map", "shift"),
    ),
    Planted(
        "absolute deviations under the root",
        "vit",
        "norm",
        (Swap("norm.frag", "pow(abs(at(d) - mean), 2.0)", "abs(at(d) - mean)"),),
        ("wrong_function", "activation_missing"),
    ),
    Planted(
        "gamma and beta in each other's row",
        "vit",
        "norm",
        (
            Swap(
                "norm.frag",
                _GAMMA_BETA,
                _GAMMA_BETA.replace("gamma =", "shift =").replace("beta =", "gamma =").replace("shift =", "beta ="),
            ),
        ),
        ("wrong_input", "index_map", "wrong_partner", "flip_y"),
    ),
    Planted(
        "coordinates of the weights in the wrong order",
        "vit",
        "qkv",
        (Swap("qkv.frag", "texture(weight, vec2(x, uv.x))", "texture(weight, vec2(uv.x, x))"),),
        ("transpose_xy", "filter_io_swap", "index_map", "wrong_layout"),
    ),
    Planted(
        "all queries first, then all keys, then all values",
        "vit",
        "attend",
        (Swap("attend.frag", _COLUMN, "float column = which * 2.0 * HEAD + head * HEAD + d;"),),
        ("index_map", "channel_permutation", "wrong_partner", "wrong_layout"),
    ),
    Planted(
        "a running sum that does not fade",
        "vit",
        "attend",
        (Swap("attend.frag", "sum = sum * fade + share *", "sum = sum + share *"),),
        ("unexplained", "scale"),
    ),
    Planted(
        "scores by the width of a head without the root",
        "vit",
        "attend",
        (Swap("attend.frag", "1.0 / sqrt(HEAD)", "1.0 / HEAD"),),
        ("scale", "activation_missing", "wrong_function"),
    ),
    Planted(
        "patches that look back only",
        "vit",
        "attend",
        (Swap("attend.frag", "key < TOKENS;", "key <= query;"),),
        ("missing_channels",),
    ),
    Planted(
        "a layer scale over tokens and branch",
        "vit",
        "project",
        (Swap("project.frag", _PROJECTED, "result = texture(layer_scale, own).r * (texture(tokens, uv).r + sum);"),),
        ("wrong_partner",),
    ),
    Planted(
        "the layer scale of the token's number",
        "vit",
        "project",
        (Swap("project.frag", "texture(layer_scale, own)", "texture(layer_scale, uv.yx)"),),
        ("index_map", "wrong_partner", "transpose_xy"),
    ),
    Planted(
        "silu for the quick gelu",
        "vit",
        "hidden",
        (Swap("hidden.frag", "exp(-1.702 * v)", "exp(-v)"),),
        ("alpha", "wrong_function", "scale"),
    ),
    Planted(
        "a bias after the curve",
        "vit",
        "hidden",
        (
            Swap("hidden.frag", "float v = texture(bias, vec2(uv.x, 0.5)).r;", "float v = 0.0;"),
            Swap(
                "hidden.frag",
                "result = v / (1.0 + exp(-1.702 * v));",
                "result = v / (1.0 + exp(-1.702 * v)) + texture(bias, vec2(uv.x, 0.5)).r;",
            ),
        ),
        ("activation_before_bias", "wrong_function"),
    ),
    Planted(
        "a branch without its bias",
        "vit",
        "lowered",
        (Swap("lowered.frag", "sum + texture(bias, vec2(uv.x, 0.5)).r + ", "sum + "),),
        ("bias_missing",),
    ),
    Planted(
        "the class token in the mean of the patches",
        "vit",
        "pooled",
        (Swap("pooled.frag", "float token = 1.0;", "float token = 0.0;"),),
        ("extra_channels",),
    ),
    Planted(
        "patches divided by the number of tokens",
        "vit",
        "pooled",
        (Swap("pooled.frag", "(TOKENS - 1.0)", "TOKENS"),),
        ("average_count", "scale"),
    ),
)

PAIRS = (
    Planted(
        "taps down the columns and patches without a bias",
        "vit",
        "embed",
        (
            Swap("embed.frag", _TAP, "float tap = c * taps + x * patch_size.y + y;"),
            Swap("embed.frag", "float sum = texture(filter_bias, vec2(uv.x, 0.5)).r;", "float sum = 0.0;"),
        ),
        ("kernel_transpose", "index_map", "wrong_layout"),
        ("bias_missing",),
    ),
    Planted(
        "no bias and another slope in the curve",
        "vit",
        "hidden",
        (
            Swap("hidden.frag", "float v = texture(bias, vec2(uv.x, 0.5)).r;", "float v = 0.0;"),
            Swap("hidden.frag", "exp(-1.702 * v)", "exp(-1.2 * v)"),
        ),
        ("bias_missing",),
        ("alpha", "wrong_literal", "wrong_function", "scale"),
    ),
)

HEALTHY = (
    Healthy("whole numbers for coordinates", "vit", (Swap("qkv.frag", _QKV_LOOP, _QKV_FETCHES),)),
    Healthy("exponentials of scores as they are", "vit", (Swap("attend.frag", _LOOP, _WITHOUT_TOP),)),
    Healthy(
        "a layer scale inside the sum",
        "vit",
        (
            Swap(
                "project.frag",
                "float sum = texture(bias, own).r;",
                "float ls = texture(layer_scale, own).r, sum = ls * texture(bias, own).r;",
            ),
            Swap("project.frag", "sum += texture(attended", "sum += ls * texture(attended"),
            Swap("project.frag", _PROJECTED, "result = sum + texture(tokens, uv).r;"),
        ),
    ),
)
