"""Plants further bugs in attention: by channel, across, causal, rotary, in windows and plain."""

from __future__ import annotations

from tests.faults.fresh.case import Planted, Swap

FAULTS: tuple[Planted, ...] = (
    Planted(
        "kernels of the channels turned around",
        "channel_mixing",
        "local",
        (Swap("local.frag", "ivec2(dx + 1, dy + 1)", "ivec2(1 - dx, 1 - dy)"),),
        (
            "kernel_flip",
            "index_map",
        ),
    ),
    Planted(
        "lengths squared under the cosine",
        "channel_mixing",
        "mixing",
        (Swap("mixing.frag", "max(sqrt(qq), 1e-3) * max(sqrt(kk), 1e-3)", "max(qq, 1e-3) * max(kk, 1e-3)"),),
        (
            "activation_missing",
            "wrong_function",
        ),
    ),
    Planted(
        "cosines with the values",
        "channel_mixing",
        "mixing",
        (Swap("mixing.frag", "corner(CHANNELS + kc)", "corner(2 * CHANNELS + kc)"),),
        (
            "wrong_partner",
            "index_map",
            "wrong_input",
        ),
    ),
    Planted(
        "divided by the temperature",
        "channel_mixing",
        "mixing",
        (
            Swap(
                "mixing.frag",
                "exp(sharp * cosine(head * PER_HEAD + i, head * PER_HEAD + c))",
                "exp(cosine(head * PER_HEAD + i, head * PER_HEAD + c) / sharp)",
            ),
        ),
        ("wrong_function",),
    ),
    Planted(
        "tiles of the picture six a row",
        "channel_mixing",
        "qkv",
        (Swap("qkv.frag", "ivec2(i % 4, i / 4)", "ivec2(i % 6, i / 6)"),),
        (
            "index_map",
            "channel_permutation",
        ),
    ),
    Planted(
        "weights of the dense layers by input",
        "cross_flat",
        "query",
        (Swap("dense.frag", "weightSize, o * float(INPUTS) + float(i))", "weightSize, float(i) * outputs + o)"),),
        (
            "filter_io_swap",
            "index_map",
        ),
    ),
    Planted(
        "distance's bias under the root too",
        "cross_flat",
        "logits",
        (Swap("logits.frag", "sum / sqrt(DEPTH) + near + hidden", "(sum + near) / sqrt(DEPTH) + hidden"),),
        ("scale",),
    ),
    Planted(
        "keys mixed for values",
        "cross_flat",
        "context",
        (
            Swap(
                "context.frag", "float(j) * 2.0 * FEATURES + FEATURES + feature", "float(j) * 2.0 * FEATURES + feature"
            ),
        ),
        (
            "index_map",
            "wrong_partner",
            "wrong_input",
        ),
    ),
    Planted(
        "thousandth beside the root",
        "cross_flat",
        "norm1",
        (Swap("norm.frag", "sqrt(squares / float(FEATURES) + 0.001)", "sqrt(squares / float(FEATURES)) + 0.001"),),
        ("epsilon",),
    ),
    Planted(
        "query on top of the projection",
        "cross_flat",
        "attended",
        (Swap("pipeline.toml", 'textures.skip = "target"', 'textures.skip = "query"'),),
        (
            "wrong_input",
            "wrong_partner",
        ),
        in_text=False,
    ),
    Planted(
        "wide layer without its define",
        "cross_flat",
        "wide",
        (Swap("pipeline.toml", "defines.RELU = true\n", ""),),
        (
            "activation_missing",
            "wrong_function",
        ),
        in_text=False,
    ),
    Planted(
        "positions multiplied in",
        "gpt_packed",
        "embedded",
        (
            Swap(
                "embed.frag", "texelFetch(token_table, p, 0) + texelFetch", "texelFetch(token_table, p, 0) * texelFetch"
            ),
        ),
        ("wrong_function",),
    ),
    Planted(
        "normalised over the keys to come",
        "gpt_packed",
        "probs",
        (Swap("causal_probs.frag", "for (int k = 0; k <= i; k++) z +=", "for (int k = 0; k < N_CTX; k++) z +="),),
        ("extra_channels",),
    ),
    Planted(
        "heads inside tokens",
        "gpt_packed",
        "context",
        (Swap("mix_values.frag", "(head * N_CTX + i) * N_CTX + j", "(i * N_HEAD + head) * N_CTX + j"),),
        (
            "index_map",
            "wrong_partner",
        ),
    ),
    Planted(
        "gate falling for rising",
        "gpt_packed",
        "up",
        (Swap("up.frag", "exp(-1.702 * v)", "exp(1.702 * v)"),),
        ("wrong_function",),
    ),
    Planted(
        "narrow layer as long as the others",
        "gpt_packed",
        "y",
        (Swap("pipeline.toml", "uniforms.quads = 10", "uniforms.quads = 4"),),
        ("missing_channels",),
        in_text=False,
    ),
    Planted(
        "squares not averaged",
        "llama_rope",
        "norm_in",
        (Swap("rms_norm.frag", "sqrt(squares / float(dim) + eps)", "sqrt(squares + eps)"),),
        ("average_count",),
    ),
    Planted(
        "upper half turned back",
        "llama_rope",
        "q_rot",
        (Swap("rope.frag", "hi * c + lo * s", "hi * c - lo * s"),),
        (
            "wrong_function",
            "scale",
        ),
    ),
    Planted(
        "gate and value exchanged",
        "llama_rope",
        "gated",
        (Swap("swiglu.frag", "y = silu(gate) * up;", "y = silu(up) * gate;"),),
        (
            "wrong_partner",
            "wrong_function",
        ),
    ),
    Planted(
        "normed stream carried on",
        "llama_rope",
        "after_attention",
        (Swap("pipeline.toml", 'textures.stream = "x"', 'textures.stream = "norm_in"'),),
        (
            "wrong_input",
            "wrong_partner",
        ),
        in_text=False,
    ),
    Planted(
        "columns rolled the other way",
        "shifted_windows",
        "q",
        (Swap("project.frag", "(p.x % W + SHIFT) % W", "(p.x % W + W - SHIFT) % W"),),
        (
            "shift",
            "index_map",
        ),
    ),
    Planted(
        "windows counted by columns",
        "shifted_windows",
        "context",
        (
            Swap(
                "window_context.frag",
                "y / WINDOW * WINDOWS_ACROSS + x / WINDOW;",
                "x / WINDOW * (H / WINDOW) + y / WINDOW;",
            ),
        ),
        (
            "index_map",
            "transpose_xy",
            "wrong_partner",
        ),
    ),
    Planted(
        "square for cube",
        "shifted_windows",
        "wide",
        (Swap("pointwise_gelu.frag", "0.044715 * x * x * x", "0.044715 * x * x"),),
        ("wrong_function",),
    ),
    Planted(
        "scores by the whole depth",
        "vit_block",
        "scores",
        (Swap("scores.frag", "dotted / sqrt(float(uHeadDim))", "dotted / float(uHeadDim)"),),
        (
            "scale",
            "wrong_function",
            "activation_missing",
        ),
    ),
    Planted(
        "powers of two above",
        "vit_block",
        "probs",
        (Swap("softmax.frag", "vec4(exp(texelFetch", "vec4(exp2(texelFetch"),),
        ("wrong_function",),
    ),
    Planted(
        "heads' tiles by columns",
        "vit_block",
        "context",
        (Swap("context.frag", "ivec2(head % uAcross, head / uAcross)", "ivec2(head / uAcross, head % uAcross)"),),
        (
            "index_map",
            "wrong_partner",
        ),
    ),
    Planted(
        "mean kept in the rows",
        "vit_block",
        "norm1",
        (Swap("layer_norm.frag", "(tok(t, d) - mean) * inversesqrt", "tok(t, d) * inversesqrt"),),
        ("bias_missing",),
    ),
    Planted(
        "bias of the wide layer outside",
        "vit_block",
        "hidden",
        (
            Swap(
                "fc1_gelu.frag",
                "vec4(gelu(acc + texelFetch(uBias, ivec2(at.x, 0), 0).r))",
                "vec4(gelu(acc) + texelFetch(uBias, ivec2(at.x, 0), 0).r)",
            ),
        ),
        (
            "activation_before_bias",
            "wrong_function",
        ),
    ),
    Planted(
        "sine for cosine of the keys",
        "llama_rope",
        "k_rot",
        (
            Swap(
                "pipeline.toml",
                'textures.x = "k_proj"\ntextures.cos_table = { tensor = "rope.cos"',
                'textures.x = "k_proj"\ntextures.cos_table = { tensor = "rope.sin"',
            ),
        ),
        (
            "wrong_input",
            "wrong_partner",
        ),
        in_text=False,
    ),
    Planted(
        "projection back by its other axis",
        "channel_mixing",
        "y",
        (Swap("back.frag", "texelFetch(weight, ivec2(i, o), 0)", "texelFetch(weight, ivec2(o, i), 0)"),),
        (
            "filter_io_swap",
            "index_map",
        ),
    ),
    Planted(
        "context on top of itself",
        "vit_block",
        "attended",
        (Swap("linear_residual.frag", "texelFetch(uResidual, at, 0)", "texelFetch(uTokens, at, 0)"),),
        (
            "wrong_input",
            "wrong_partner",
        ),
    ),
    Planted(
        "skip of the first tile",
        "shifted_windows",
        "mixed",
        (Swap("pointwise_skip.frag", "texelFetch(skip, p, 0)", "texelFetch(skip, at, 0)"),),
        (
            "index_map",
            "wrong_partner",
        ),
    ),
    Planted(
        "stream from before the attention",
        "gpt_packed",
        "y",
        (Swap("pipeline.toml", 'textures.stream = "attended"', 'textures.stream = "embedded"'),),
        (
            "wrong_input",
            "wrong_partner",
        ),
        in_text=False,
    ),
    Planted(
        "new peak forgets the old",
        "llama_rope",
        "mixed",
        (Swap("attend.frag", "        peak = new_peak;", "        peak = s;"),),
        ("wrong_partner",),
    ),
)
