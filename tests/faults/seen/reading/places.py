"""Plants bugs in a picture read one place off, mirrored, or with rows and columns exchanged."""

from __future__ import annotations

from tests.faults import models
from tests.faults.changes import Edit, Uniform, Vertex
from tests.faults.fault import Fault
from tests.faults.models import conv_of, single
from tests.faults.seen.subjects import convolutions, elements, pictures, rows
from tests.faults.subjects import FLAT, RGBA, UNPACKED, generated

CONV_READ = "sum += X(ivec4("
TILES_READ = "float value = texture(u_image"
FETCH_READ = "acc += texelFetch(u_x"

FAULTS: tuple[Fault, ...] = (
    Fault(
        "a convolution padded by one on the right only",
        "shift",
        lambda: generated(models.conv()),
        (Edit("const int PAD_LEFT = 1;", "const int PAD_LEFT = 0;"),),
        {"dx": 1, "dy": 0},
        (CONV_READ,),
    ),
    Fault(
        "padding of a strided convolution forgotten at the head",
        "shift",
        convolutions.conv_tiles,
        (Uniform("u_pad", 0.0),),
        {"dx": 1, "dy": 1},
        (TILES_READ, "vec2 at = pixel"),
        seen_at="onnxruntime#26734",
    ),
    Fault(
        "a transposed convolution one pixel up and left",
        "shift",
        convolutions.deconv_tiles,
        (Edit("const float PAD = 1.0;", "const float PAD = 2.0;"),),
        where=("sum += texture(u_image", "vec2 scattered = pixel"),
        seen_at="MNN#951",
    ),
    Fault(
        "a pool's window one too early",
        "shift",
        pictures.maxpool_rgba,
        (Uniform("u_margin", 2),),
        {"dx": -1, "dy": -1},
        ("best = max(best, texelFetch", "ivec2 origin ="),
    ),
    Fault(
        "a ReLU that reads its neighbour",
        "shift",
        lambda: generated(models.pointwise("LeakyRelu", alpha=0.1), "tfjs_unpacked"),
        (Edit("return unary(X(at));", "return unary(X(at + ivec4(0, 0, 0, 1)));"),),
        {"dx": 1, "dy": 0},
    ),
    Fault(
        "the padding of a large window forgotten",
        "shift",
        lambda: generated(models.conv((1, 2, 12, 14), 2, 9)),
        (Edit(" - ivec2(PAD_TOP, PAD_LEFT)", ""),),
        {"dx": 4, "dy": 4},
        (CONV_READ,),
    ),
    Fault(
        "a window one texel too far left, written out",
        "shift",
        convolutions.depthwise_unrolled,
        (Edit("ivec2 at = texel % SIZE;", "ivec2 at = texel % SIZE - ivec2(1, 0);"),),
        {"dx": -1, "dy": 0},
        ("texelFetch(u_image", "acc += pixel("),
    ),
    Fault(
        "a transposed convolution without its padding",
        "shift",
        convolutions.deconv_gather,
        (Edit("texel % OUT + PAD;", "texel % OUT;"),),
        {"dx": -1, "dy": -1},
        ("sum += input_value(", "return texelFetch(u_x"),
    ),
    Fault(
        "pads of a depthwise convolution taken in the order left, top",
        "shift",
        lambda: generated(conv_of((1, 4, 8, 9), (4, 1, 3, 3), pads=(2, 0, 0, 2), group=4), "tfjs_unpacked"),
        (Edit("- ivec2(PAD_TOP, PAD_LEFT)", "- ivec2(PAD_LEFT, PAD_TOP)"),),
        {"dx": -2, "dy": 2},
        (CONV_READ, "ivec2 origin ="),
    ),
    Fault(
        "columns of the image counted from the right",
        "flip_x",
        convolutions.conv_relu_fetch,
        (
            Edit(
                "ivec2 from = tile_texel(", "src.x = u_x_shape.w - 1 - src.x;\n                ivec2 from = tile_texel("
            ),
        ),
        where=(FETCH_READ,),
    ),
    Fault(
        "a picture mirrored by its vertex shader",
        "flip_x",
        elements.leaky_uv,
        (Vertex("seen/uv_mirrored.vert"),),
    ),
    Fault(
        "a pool of mirrored pictures",
        "flip_x",
        lambda: generated(models.pool("MaxPool", (1, 3, 7, 8), 3, stride=1), UNPACKED),
        (Edit("see(X(ivec4(at.xy, y, x)),", "see(X(ivec4(at.xy, y, X_shape.w - 1 - x)),"),),
    ),
    Fault(
        "a sum with one picture mirrored",
        "flip_x",
        lambda: generated(models.binary("Add"), FLAT),
        (Edit("B(min(at, B_shape - 1))", "B(ivec4(at.xyz, B_shape.w - 1 - at.w))"),),
    ),
    Fault(
        "columns written from the right, packed",
        "flip_x",
        lambda: generated(models.pointwise("Tanh", (1, 3, 6, 8)), RGBA),
        (Edit("texel.y % 6, texel.x % 8", "texel.y % 6, 7 - texel.x % 8"),),
    ),
    Fault(
        "a pool that looks at the picture from the right",
        "flip_x",
        lambda: generated(models.pool("MaxPool", (1, 3, 8, 9), 2, pads=(0, 0, 1, 1)), "tfjs_packed"),
        (Edit("see(X(ivec4(at.xy, y, x))", "see(X(ivec4(at.xy, y, X_shape.w - 1 - x))"),),
    ),
    Fault(
        "a framebuffer upside down",
        "flip_y",
        lambda: elements.leaky_uv((1, 4, 6, 7)),
        (Vertex("seen/uv_flipped.vert"),),
        seen_at="openFrameworks#3353, tfjs#5757",
    ),
    Fault(
        "every channel's rows written from the bottom",
        "flip_y",
        lambda: generated(models.conv((1, 3, 7, 6), 5)),
        (Edit("texel.y % 7, texel.x % 6", "6 - texel.y % 7, texel.x % 6"),),
    ),
    Fault(
        "an enlargement upside down",
        "flip_y",
        lambda: generated(models.resize((1, 3, 4, 5)), UNPACKED),
        (
            Edit(
                "return X(at * X_shape / Y_shape);",
                "return X((at * X_shape / Y_shape) * ivec4(1, 1, -1, 1) + ivec4(0, 0, X_shape.z - 1, 0));",
            ),
        ),
    ),
    Fault(
        "a convolution of pictures upside down, four lanes",
        "flip_y",
        lambda: generated(conv_of((1, 5, 7, 6), (6, 5, 3, 3), pads=(1, 1, 1, 1)), RGBA),
        (Edit("X_group(at.x, first + i, y, x)", "X_group(at.x, first + i, X_shape.z - 1 - y, x)"),),
        where=("vec4 v = of_channels(",),
    ),
    Fault(
        "features upside down",
        "flip_y",
        rows.flatten_dense,
        (Edit("c / 2 * H + h)", "c / 2 * H + (H - 1 - h))"),),
        where=("total += feature(",),
    ),
    Fault(
        "an image read with its texture upside down",
        "flip_y",
        lambda: generated(models.pointwise("Tanh", (1, 1, 7, 9))),
        (Edit("texelFetch(t_X, p.xy, 0).r", "texelFetch(t_X, ivec2(p.x, textureSize(t_X, 0).y - 1 - p.y), 0).r"),),
        where=("return unary(X(at));",),
    ),
    Fault(
        "an enlargement whose rows start from the bottom of the picture",
        "flip_y",
        pictures.corners_tiles,
        (Edit("corner + min(at, IN - 1)", "corner + ivec2(min(at.x, IN.x - 1), IN.y - 1 - min(at.y, IN.y - 1))"),),
    ),
    Fault(
        "x and y of the image swapped",
        "transpose_xy",
        lambda: convolutions.conv_rgba(models.conv((1, 6, 7, 7), 9, 3)),
        (Edit("texelFetch(u_src, corner + p, 0)", "texelFetch(u_src, corner + p.yx, 0)"),),
    ),
    Fault(
        "rows taken for columns",
        "transpose_xy",
        lambda: generated(models.pointwise("Tanh", (2, 3, 6, 6)), "row_major_rgba"),
        (Edit("return unary(X(at));", "return unary(X(at.xywz));"),),
    ),
    Fault(
        "a normalisation of rows as columns",
        "transpose_xy",
        lambda: generated(models.batch_norm((1, 4, 6, 6)), UNPACKED),
        (Edit("(X(at) - MEAN", "(X(at.xywz) - MEAN"),),
    ),
    Fault(
        "a sum written by columns",
        "transpose_xy",
        lambda: generated(models.binary("Mul", (1, 3, 7, 7))),
        (Edit("texel.y % 7, texel.x % 7", "texel.x % 7, texel.y % 7"),),
    ),
    Fault(
        "height and width not exchanged",
        "transpose_xy",
        lambda: generated(single("Transpose", (1, 2, 4, 4), perm=(0, 1, 3, 2)), "tfjs_unpacked"),
        (Edit("int[3](16, 1, 4)", "int[3](16, 4, 1)"),),
        where=("return X_linear(from);",),
    ),
)
