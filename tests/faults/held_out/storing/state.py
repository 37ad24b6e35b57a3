"""Plants bugs in GL state that another pass left behind: blending, scissors, viewports."""

from __future__ import annotations

import moderngl

from tests.faults.changes import Edit, OnBindDo, Vertex
from tests.faults.fault import Fault
from tests.faults.held_out.subjects import convolutions, elements, pictures
from tests.faults.states import blend, scissor, viewport

FAULTS: tuple[Fault, ...] = (
    Fault(
        "blending over what was there, packed",
        "blend_enabled",
        pictures.avgpool_rgba,
        (OnBindDo(blend(moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA)),),
        runs=2,
    ),
    Fault(
        "means added to those of the draw before",
        "blend_enabled",
        pictures.avgpool_linear,
        (OnBindDo(blend(moderngl.ONE, moderngl.ONE)),),
        runs=2,
    ),
    Fault(
        "one tile's corner left out by a scissor",
        "unwritten_texels",
        convolutions.deconv_fetch,
        (OnBindDo(scissor(0.0, 0.0, 0.9, 0.8)),),
    ),
    Fault(
        "odd columns discarded",
        "unwritten_texels",
        elements.instance_norm,
        (Edit("    float mean = 0.0;\n", "    if (here.x % 2 == 1) discard;\n    float mean = 0.0;\n"),),
    ),
    Fault(
        "the right side of folded blocks outside of a scissor",
        "unwritten_texels",
        pictures.fold_tiles,
        (OnBindDo(scissor(0.0, 0.0, 0.7, 1.0)),),
    ),
    Fault(
        "the tiles of the last output never drawn",
        "unwritten_texels",
        convolutions.conv_rows_uv,
        (Edit("    float total = 0.0;\n    for", "    if (feature > 3.5) discard;\n    float total = 0.0;\n    for"),),
    ),
    Fault(
        "half of the slots of the target in view",
        "viewport_mismatch",
        elements.subtract_uv,
        (OnBindDo(viewport(1.0, 0.5)),),
    ),
    Fault(
        "a triangle that covers three quarters",
        "viewport_mismatch",
        lambda: elements.subtract_uv((1, 4, 8, 8)),
        (Vertex("held_out/place_shrunk.vert"),),
        alternatives=("unwritten_texels",),  # the cause is in the vertex shader; both are seen
    ),
    Fault(
        "a padded picture in the viewport of the one without a border",
        "viewport_mismatch",
        pictures.mirror_pad,
        (OnBindDo(viewport(0.6, 0.56)),),
        alternatives=("unwritten_texels",),  # a shader that counts texels computes the rest right
    ),
    Fault(
        "an activation in the viewport of half its width",
        "viewport_mismatch",
        lambda: elements.hardswish_uv((1, 4, 6, 10)),
        (OnBindDo(viewport(0.5, 1.0)),),
    ),
)
