"""Small shaders in ncnn's dialect, written for the tests: the words of the dialect, in files as ncnn names them."""

from __future__ import annotations

from pathlib import Path

# By pack: the storage type, the arithmetic type, and of how many lanes an image's texel is.
TYPES = {1: ("sfp", "afp", 1), 4: ("sfpvec4", "afpvec4", 4), 8: ("sfpvec8", "afpvec8", 4)}

SIZES = """layout (constant_id = 1 + 0) const int w = 0;
layout (constant_id = 1 + 1) const int h = 0;
layout (constant_id = 1 + 2) const int c = 0;
layout (constant_id = 1 + 3) const int cstep = 0;
"""
PUSHED = "layout (push_constant) uniform parameter\n{\n    int w;\n    int h;\n    int c;\n    int cstep;\n} p;\n"

PUSHED_OF_TWO = PUSHED.replace("cstep;", "cstep;\n    int outc;\n    int outcstep;")

_RELU = {
    1: "v = max(v, afp(0.f));", 4: "v = max(v, afp(0.f));",
    8: "v = afpvec8(max(v[0], afp(0.f)), max(v[1], afp(0.f)));",
}  # fmt: skip


def relu(pack: int, index: str = "gi") -> str:
    """A relu in place, which reads element `index` of a buffer."""
    sfp, afp, lanes = TYPES[pack]
    return f"""// What is below 0 becomes 0.
#version 450

layout (constant_id = 0) const float slope = 0;
{SIZES}
#if NCNN_image_shader
layout (binding = 0) uniform unfp sampler3D bottom_blob_3d;
layout (binding = 1, imfmtc{lanes}) writeonly uniform unfp image3D top_blob_3d;
#else
layout (binding = 0) buffer bottom_top_blob {{ {sfp} blob_data[]; }};
#endif

{PUSHED}
void main()
{{
    ivec3 at = ivec3(gl_GlobalInvocationID);
    if (at.x >= psc(w) || at.y >= psc(h) || at.z >= psc(c))
        return;
#if NCNN_image_shader
    {afp} v = image3d_ld{pack}(bottom_blob_3d, at);
#else
    int gi = at.z * psc(cstep) + at.y * psc(w) + at.x;
    {afp} v = buffer_ld{pack}(blob_data, {index});
#endif
    {_RELU[pack]}
#if NCNN_image_shader
    image3d_st{pack}(top_blob_3d, at, v);
#else
    buffer_st{pack}(blob_data, gi, v);
#endif
}}
"""


# A 1x1 convolution, four places an invocation, with the weights of a step in shared memory.
PRODUCT = f"""#version 450

layout (constant_id = 0) const int bias_term = 0;
{SIZES}
layout (constant_id = 5) const int outcstep = 0;
layout (constant_id = 6) const int outc = 0;

layout (binding = 0) readonly buffer bottom_blob {{ sfpvec4 bottom_data[]; }};
layout (binding = 1) writeonly buffer top_blob {{ sfpvec4 top_data[]; }};
layout (binding = 2) readonly buffer weight_blob {{ sfpvec4 weight_data[]; }};
layout (binding = 3) readonly buffer bias_blob {{ sfpvec4 bias_data[]; }};

{PUSHED_OF_TWO}
shared lfpvec4 rows[8][4];

void main()
{{
    int place = int(gl_GlobalInvocationID.x) * 4, group = int(gl_GlobalInvocationID.y);
    int mine = min(group, psc(outc) - 1), lane = int(gl_LocalInvocationID.x);
    afpvec4 sums[4];
    for (int k = 0; k < 4; k++)
        sums[k] = buffer_ld4(bias_data, mine);
    for (int z = 0; z < psc(c); z++)
    {{
        if (lane < 4)
            rows[gl_LocalInvocationID.y][lane] = sfp2lfpvec4(weight_data[(mine * psc(c) + z) * 4 + lane]);
        barrier();
        for (int k = 0; k < 4; k++)
        {{
            afpvec4 v = buffer_ld4(bottom_data, z * psc(cstep) + min(place + k, psc(cstep) - 1));
            for (int i = 0; i < 4; i++)
                sums[k][i] += dot(v, lfp2afpvec4(rows[gl_LocalInvocationID.y][i]));
        }}
        barrier();
    }}
    for (int k = 0; k < 4; k++)
        if (place + k < psc(w) * psc(h) && group < psc(outc))
            buffer_st4(top_data, group * psc(outcstep) + place + k, sums[k]);
}}
"""


def copying(source: int, target: int, swap: str = "") -> str:
    """A blob from one pack to another by the dialect's own copies; `swap` turns the order of what is gathered."""
    few, many = min(source, target), max(source, target)
    offsets = {
        (1, 4): "ivec4(g * 4) + ivec4(0, 1, 2, 3)", (4, 8): "ivec2(g * 2) + ivec2(0, 1)",
        (1, 8): "ivec4(g * 8) + ivec4(0, 1, 2, 3)",
    }[few, many]  # fmt: skip
    wide, narrow = ("p.outcstep", "p.cstep") if target > source else ("p.cstep", "p.outcstep")
    places = f"({offsets}{swap}) * {narrow} + place"
    more = f", places + 4 * {narrow}" if (few, many) == (1, 8) else ""
    kind = "ivec2" if (few, many) == (4, 8) else "ivec4"
    if target > source:
        copy = f"buffer_cp{source}to{target}(top_data, g * {wide} + place, bottom_data, places{more});"
    else:
        copy = f"buffer_cp{source}to{target}(top_data, places{more}, bottom_data, g * {wide} + place);"
    return f"""#version 450
layout (binding = 0) readonly buffer bottom_blob {{ {TYPES[source][0]} bottom_data[]; }};
layout (binding = 1) writeonly buffer top_blob {{ {TYPES[target][0]} top_data[]; }};
layout (push_constant) uniform parameter {{ int size; int cstep; int outcstep; int groups; }} p;
void main()
{{
    int place = int(gl_GlobalInvocationID.x), g = int(gl_GlobalInvocationID.y);
    if (place >= p.size || g >= p.groups)
        return;
    {kind} places = {places};
    {copy}
}}
"""


def write_relu(folder: Path) -> Path:
    """The three files of relu; the one of pack 1."""
    for pack in (1, 4, 8):
        (folder / f"relu{f'_pack{pack}' if pack > 1 else ''}.comp").write_text(relu(pack), encoding="utf-8")
    return folder / "relu.comp"
