"""Slips where quads of values become pixels, in slopes and residuals, and in a blur and what it is for."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap
from tests.faults.practice.video_passes.lines import line_that_ends, rewritten

SHUFFLE = "depth_to_space.glsl"
GREEN = "    float c1 = conv2d_last_tf1_tex(at)[i0.y * 2 + i0.x];"
COLOUR = "    return vec4(c0, c1, c2, 0.0) + MAIN_tex(pos);"
QUAD = "    return vec4(res[fcoord.y * 2 + fcoord.x], 0.0, 0.0, 1.0);"
RESIDUAL = "    res += FEATURE1_texOff(vec2(0));\n"
SLOPED = "* min(res, vec4(0.0));"


def _turned() -> tuple[Swap, ...]:
    lines = [line_that_ends("upscale", SHUFFLE, f"{name}_tex(at)[i0.y * 2 + i0.x];") for name in
             ("conv2d_last_tf", "conv2d_last_tf1", "conv2d_last_tf2")]  # fmt: skip
    return tuple(Swap(SHUFFLE, line, line.replace("i0.y * 2 + i0.x", "i0.x * 2 + i0.y")) for line in lines)


def _tail() -> str:
    return (line_that_ends("luma", "map2.glsl", SLOPED)) + "\n"


FAULTS = (
    Planted("quads counted down, then across", "upscale", "depth_to_space", _turned(),
            ("index_map", "channel_permutation")),
    Planted("one colour's quads counted down, then across", "upscale", "depth_to_space",
            (Swap(SHUFFLE, GREEN, GREEN.replace("i0.y * 2 + i0.x", "i0.x * 2 + i0.y")),),
            ("index_map", "channel_permutation")),
    Planted("green from the texture of red", "upscale", "depth_to_space",
            (Swap(SHUFFLE, GREEN, GREEN.replace("tf1", "tf")),), ("wrong_input", "index_map")),
    Planted("green and blue exchanged", "upscale", "depth_to_space",
            (Swap(SHUFFLE, COLOUR, COLOUR.replace("c1, c2", "c2, c1")),),
            ("channel_permutation", "index_map", "wrong_input")),
    Planted("texel corners for centres", "upscale", "depth_to_space",
            (Swap(SHUFFLE, "(vec2(0.5) - f0) * conv2d", "-f0 * conv2d"),), ("texel_edge", "half_texel")),
    Planted("the picture subtracted", "upscale", "depth_to_space",
            (Swap(SHUFFLE, COLOUR, COLOUR.replace("+ MAIN", "- MAIN")),),
            ("scale", "activation_extra", "wrong_function")),
    Planted("colours held between 0 and 1", "upscale", "depth_to_space",
            (Swap(SHUFFLE, COLOUR, "    return clamp(vec4(c0, c1, c2, 0.0) + MAIN_tex(pos), 0.0, 1.0);"),),
            ("clamped_0_1", "activation_extra")),
    Planted("a grey picture of red alone", "upscale", "depth_to_space",
            (Swap(SHUFFLE, COLOUR, "    return vec4(c0, c0, c0, 0.0) + MAIN_tex(pos);"),),
            ("wrong_input", "index_map")),
    Planted("pixels of a quad from below", "luma", "output",
            (Swap("output.glsl", QUAD, QUAD.replace("fcoord.y * 2", "(1 - fcoord.y) * 2")),),
            ("index_map", "channel_permutation")),
    Planted("offsets in texels of the large picture", "luma", "feature1",
            (Swap("pipeline.toml", 'output = { shape = [1, 4, 11, 9], layout = "channel_tiles_rgba" }\n'
                  'textures.LUMA = "LUMA"\nuniforms.LUMA_pt = "texel_size(LUMA)"\n\n[[pass]]\nname = "feature2"',
                  'output = { shape = [1, 4, 11, 9], layout = "channel_tiles_rgba" }\n'
                  'textures.LUMA = "LUMA"\nuniforms.LUMA_pt = "texel_size(output)"\n\n[[pass]]\nname = "feature2"'),),
            ("texel_edge", "dilation", "half_texel"), in_text=False),
    Planted("a tap pasted twice", "luma", "feature2",
            (rewritten("luma", "feature2.glsl", "vec2(0,1)));", lambda line: f"{line}\n{line}"),), ("double_counted",)),
    Planted("a sum begun again in the middle", "luma", "feature1",
            (rewritten("luma", "feature1.glsl", "vec2(0,-1)));", lambda line: line.replace("+=", "=", 1)),),
            ("missing_taps", "bias_missing")),
    Planted("the bias in reverse", "luma", "map1",
            (rewritten("luma", "map1.glsl", "0.229739);", lambda line: line.replace(");", ").wzyx;")),),
            ("bias_offset", "wrong_literal")),
    Planted("one lane without its slope", "luma", "map1",
            (rewritten("luma", "map1.glsl", SLOPED,
                       lambda line: line.replace("res =", "res.xyz =", 1).replace("min(res, vec4(0.0));",
                                                                                  "min(res, vec4(0.0))).xyz;")
                       .replace("max(res", "(max(res", 1)),),
            ("activation_missing", "wrong_function")),
    Planted("slopes for what is positive", "luma", "map1",
            (rewritten("luma", "map1.glsl", SLOPED,
                       lambda line: line.replace("min", "m_x").replace("max", "min").replace("m_x", "max")),),
            ("wrong_function",)),
    Planted("a slope without its sign", "luma", "map1",
            (rewritten("luma", "map1.glsl", SLOPED, lambda line: line.replace("vec4(0.012471, -", "vec4(0.012471, ")),),
            ("alpha", "wrong_literal")),
    Planted("a texture read for both", "luma", "map1",
            tuple(rewritten("luma", "map1.glsl", f"FEATURE2_texOff(vec2({x},{y}));",
                            lambda line: line.replace("FEATURE2", "FEATURE1"))
                  for x in (-1, 0, 1) for y in (-1, 0, 1)),
            ("wrong_input", "index_map", "wrong_partner")),
    Planted("the residual after the slope", "luma", "map2",
            (Swap("map2.glsl", RESIDUAL, ""), Swap("map2.glsl", _tail(), f"{_tail()}{RESIDUAL}")),
            ("activation_before_bias",)),
    Planted("the layer's own input as the residual", "luma", "map2",
            (Swap("map2.glsl", RESIDUAL, RESIDUAL.replace("FEATURE1", "MAP1")),), ("wrong_input",)),
    Planted("the residual's texture bound to the neighbour", "luma", "map2",
            (Swap("pipeline.toml", 'textures.MAP1 = "map1"\ntextures.FEATURE1 = "feature1"',
                  'textures.MAP1 = "map1"\ntextures.FEATURE1 = "feature2"'),), ("wrong_input",), in_text=False),
    Planted("an opaque alpha", "luma", "map2",
            (Swap("map2.glsl", "    return res;", "    return vec4(res.rgb, 1.0);"),), ("dropped_lane",)),
    Planted("blue weighted as red", "dog", "LINELUMA",
            (Swap("luma.glsl", "vec4(0.299, 0.587, 0.114, 0.0)", "vec4(0.114, 0.587, 0.299, 0.0)"),),
            ("channel_permutation", "wrong_literal", "index_map")),
    Planted("a blur of its middle alone", "dog", "GAUSS_X",
            (Swap("kernel_x.glsl", "g = g + (L_tex(p).x)", "g = (L_tex(p).x)"),), ("missing_taps",)),
    Planted("a blur along rows again", "dog", "GAUSS_Y",
            (Swap("kernel_y.glsl", "vec2(0.0, GAUSS_X_pt.y)", "vec2(GAUSS_X_pt.x, 0.0)"),),
            ("kernel_transpose", "index_map")),
    Planted("the most of what is least", "dog", "GAUSS_Y",
            (Swap("kernel_y.glsl", "	float b1 = L_tex(p).z;", "	float b1 = L_tex(p).y;"),), ("index_map",)),
    Planted("no upper bound", "dog", "deblurred",
            (Swap("apply.glsl", "clamp(c + L_tex(pos).x, GAUSS_tex(pos).y, GAUSS_tex(pos).z)",
                  "max(c + L_tex(pos).x, GAUSS_tex(pos).y)"),), ("wrong_function", "activation_missing")),
    Planted("a tenth of the strength", "dog", "deblurred",
            (Swap("apply.glsl", "STRENGTH 0.6", "STRENGTH 0.06"),), ("wrong_literal", "scale", "alpha")),
)  # fmt: skip

PAIRS = (
    Planted("no residual, two digits of a slope exchanged", "luma", "map2",
            (Swap("map2.glsl", RESIDUAL, ""),
             rewritten("luma", "map2.glsl", SLOPED, lambda line: line.replace("0.328181", "0.238181"))),
            ("bias_missing",), ("alpha", "wrong_literal")),
    Planted("quads turned, colours held", "upscale", "depth_to_space",
            (*_turned(), Swap(SHUFFLE, COLOUR, "    return clamp(vec4(c0, c1, c2, 0.0) + MAIN_tex(pos), 0.0, 1.0);")),
            ("index_map", "channel_permutation"), ("clamped_0_1", "activation_extra")),
)  # fmt: skip

HEALTHY = (
    Healthy("anywhere in the texel", "upscale",
            (Swap(SHUFFLE, "    vec2 at = (vec2(0.5) - f0) * conv2d_last_tf_pt + pos;", "    vec2 at = pos;"),)),
    Healthy("the neighbours of the pixel's own place", "luma",
            (Swap("output.glsl", "(quad + vec2(0.5) + vec2(x, y)) / MAP2_size",
                  "pos + vec2(x, y) / MAP2_size"),)),
    Healthy("a blur by fractions", "dog",
            (Swap("kernel_y.glsl", "	g = g + (L_tex(p).x) * 0.38774;",
                  "	g = g + (L_tex(p).x) * (38774.0 / 100000.0);"),)),
    Healthy("no picture where the alpha is", "luma",
            (Swap("feature2.glsl", "    return res;", "    return vec4(res.rgb, 0.0);"),)),
)  # fmt: skip
