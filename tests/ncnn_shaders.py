"""Small shaders in ncnn's dialect: those of the examples, and the dialect's copies between packs."""

from __future__ import annotations

from pathlib import Path

from tests.checkout import ROOT

# By pack, the storage type.
TYPES = {1: "sfp", 4: "sfpvec4", 8: "sfpvec8"}

EXAMPLES = ROOT / "examples" / "ncnn"
PRODUCT = (EXAMPLES / "convolution_pack4_1x1s1d1.comp").read_text(encoding="utf-8")


def relu(pack: int, index: str = "gi") -> str:
    """The example's relu, which reads element `index` of a buffer."""
    text = (EXAMPLES / f"relu{f'_pack{pack}' if pack > 1 else ''}.comp").read_text(encoding="utf-8")
    return text.replace(f"buffer_ld{pack}(blob_data, gi)", f"buffer_ld{pack}(blob_data, {index})")


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
layout (binding = 0) readonly buffer bottom_blob {{ {TYPES[source]} bottom_data[]; }};
layout (binding = 1) writeonly buffer top_blob {{ {TYPES[target]} top_data[]; }};
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
    """Returns the three files of relu; the one of pack 1."""
    for pack in (1, 4, 8):
        (folder / f"relu{f'_pack{pack}' if pack > 1 else ''}.comp").write_text(relu(pack), encoding="utf-8")
    return folder / "relu.comp"
