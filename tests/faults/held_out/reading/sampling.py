"""Planted bugs in samples: filters left on, half texels, coordinates on the edge of a texel."""

from __future__ import annotations

from tests.faults.changes import Edit, Sampled
from tests.faults.fault import Fault
from tests.faults.held_out.subjects import elements, pictures

FAULTS: tuple[Fault, ...] = (
    Fault(
        "halving with a filter on",
        "linear_filtering",
        pictures.halve_uv,
        (Sampled("picture", filter="linear"),),
        where=("kept = texture(picture",),
    ),
    Fault(
        "a picture three times as large, filtered",
        "linear_filtering",
        pictures.triple_rgba,
        (Sampled("picture", filter="linear"),),
        where=("repeated = texture(picture",),
    ),
    Fault(
        "enlarging from corners",
        "half_texel",
        pictures.lerp_fetch,
        (Edit("(vec2(texel % size) + 0.5) / float(factor) - 0.5", "vec2(texel % size) / float(factor)"),),
        where=("total += part * texelFetch",),
    ),
    Fault(
        "coordinates of corners, filtered",
        "half_texel",
        lambda: elements.prelu_tiles((1, 4, 7, 9)),
        (
            Edit("vec2 uv = (vec2(texel) + 0.5)", "vec2 uv = vec2(texel)"),
            Sampled("features", filter="linear"),
        ),
        where=("float x = texture(features, uv)",),
        alternatives=("linear_filtering",),  # it takes both: without the filter there is no average
    ),
    Fault(
        "a mean of four sampled at the first one's centre",
        "half_texel",
        pictures.avgpool_linear,
        (Edit("(corner + 1.0) / u_image_texels", "(corner + 0.5) / u_image_texels"),),
        where=("mean = texture(u_image",),
        alternatives=("missing_taps",),  # three of the four texels are no longer seen
    ),
    Fault(
        "pixel centres where corners were meant",
        "half_texel",
        pictures.stretch_getx,
        (Edit("vec2 sourceRC = rc * 0.5;", "vec2 sourceRC = max((rc + 0.5) * 0.5 - 0.5, 0.0);"),),
        where=("return texelFetch(x", "float topLeft ="),
    ),
    Fault(
        "reads half a texel back at 36 by 20",
        "texel_edge",
        lambda: elements.subtract_uv((1, 4, 10, 18)),
        (Edit("texture(left, place)", "texture(left, place - 0.5 / vec2(textureSize(left, 0)))"),),
        alternatives=("half_texel",),  # the missing half is why the samples lie on the edge
    ),
    Fault(
        "a picture enlarged from the corners of its texels",
        "texel_edge",
        pictures.triple_rgba,
        (Edit("gl_FragCoord.xy / 3.0 / texels;", "(floor(gl_FragCoord.xy / 3.0) + 0.5) / texels - 0.5 / texels;"),),
        where=("repeated = texture(picture",),
        alternatives=("half_texel",),  # the missing half is why the samples lie on the edge
    ),
)
