"""Planted bugs in samples: filters left on, half texels, coordinates on the edge of a texel."""

from __future__ import annotations

from tests.faults import models
from tests.faults.changes import Edit, Sampled
from tests.faults.fault import Fault
from tests.faults.seen.subjects import convolutions, elements, pictures

TILES_READ = "float value = texture(u_image"

FAULTS: tuple[Fault, ...] = (
    Fault(
        "enlarging with a filter on",
        "linear_filtering",
        pictures.upsample_uv,
        (Sampled("u_picture", filter="linear"),),
        where=("texture(u_picture, uv)",),
    ),
    Fault(
        "enlarging by three with a filter on",
        "linear_filtering",
        lambda: pictures.upsample_uv(3),
        (Sampled("u_picture", filter="linear"),),
        where=("texture(u_picture, uv)",),
    ),
    Fault(
        "a batch of pictures three times as large, filtered",
        "linear_filtering",
        pictures.triple_tiles,
        (Sampled("u_pixels", filter="linear"),),
        where=("color = texture(u_pixels",),
    ),
    Fault(
        "pixel corners taken for pixel centres",
        "half_texel",
        pictures.bilinear_tiles,
        (Edit("vec2 source = local * 0.5 - 0.5;", "vec2 source = local * 0.5 - 0.25;"),),
        where=("return texture(u_image",),
    ),
    Fault(
        "half a texel missing under a linear filter",
        "half_texel",
        convolutions.conv_tiles,
        (Edit("(image_corner + at + 0.5)", "(image_corner + at)"), Sampled("u_image", filter="linear")),
        where=(TILES_READ,),
        alternatives=("linear_filtering",),  # it takes both: without the filter there is no average
    ),
    Fault(
        "an enlargement from the corners of pixels",
        "half_texel",
        pictures.enlarge_rgba,
        (Edit("gl_FragCoord.xy / u_target;", "(gl_FragCoord.xy - 0.5) / u_target;"),),
        where=("color = texture(",),
    ),
    Fault(
        "corners that are not aligned",
        "half_texel",
        pictures.corners_tiles,
        (Edit("vec2(IN - 1) / vec2(OUT - 1)", "vec2(IN) / vec2(OUT)"),),
        {"got": "asymmetric"},
        ("return texelFetch(u_image",),
    ),
    Fault(
        "samples on texel corners of 24 by 20",
        "texel_edge",
        lambda: convolutions.conv_tiles(models.conv((1, 4, 10, 12), 3, 3), 1, 1),
        (
            Edit(
                "vec2 image_uv = (image_corner + at + 0.5) / (u_in_tile * u_in_grid);",
                "vec2 image_uv = (image_corner + at + 0.5) / (u_in_tile * u_in_grid) - 0.5 / (u_in_tile * u_in_grid);",
            ),
        ),
        where=(TILES_READ,),
        alternatives=("half_texel",),  # the missing half is why the samples lie on the edge
    ),
    Fault(
        "joined pictures sampled at texel corners",
        "texel_edge",
        lambda: elements.concat_tiles((3, 5, 4)),
        (
            Edit(
                "return texture(image, at / vec2(textureSize(image, 0))).r;",
                "vec2 texel = 1.0 / vec2(textureSize(image, 0));\n"
                "    return texture(image, at * texel - texel * 0.5).r;",
            ),
        ),
        where=("return texture(image", "color = read("),
        alternatives=("half_texel",),  # as above
    ),
    Fault(
        "a depthwise convolution that samples the corners of texels",
        "texel_edge",
        convolutions.depthwise_es,
        (
            Edit(
                "(tile * inSize + at + 0.5) / (grid * inSize)",
                "(tile * inSize + at + 0.5) / (grid * inSize) - 0.5 / (grid * inSize)",
            ),
        ),
        where=("float x = texture(image",),
        alternatives=("half_texel",),  # the missing half is why the samples lie on the edge
    ),
)
