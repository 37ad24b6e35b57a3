"""Compiles the sources of this folder to modules, right and with a planted bug: `python -m tests.faults.spirv.make`.

It needs glslangValidator (Debian: glslang-tools), spirv-opt (spirv-tools) and, for HLSL, slangc (Slang's releases). The
modules are kept in the tree, so that the tests need none of them.
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from tests.faults.spirv.planted import FAULTS, HERE
from texelscope.pipeline.front_ends.spirv_module import as_bytes, read_module

_GLSLANG = ("glslangValidator", "-V")
_SLANG = (
    "slangc", "-target", "spirv", "-warnings-disable", "39029",
    "-fvk-t-shift", "0", "0", "-fvk-u-shift", "4", "0", "-fvk-b-shift", "8", "0",
)  # fmt: skip
# How each source becomes a module: the compiler's command, and what is done to the module.
COMMANDS = {
    "ncnn_conv/conv_pack1to4.comp": (_GLSLANG, ()),
    "ncnn_conv/conv_1x1_pack4to1.comp": (_GLSLANG, ()),
    "image_conv/conv2d.glsl": ((*_GLSLANG, "-S", "comp"), ()),
    "image_conv/maxpool.glsl": ((*_GLSLANG, "-S", "comp", "-g"), ()),
    "softmax_rows/softmax.comp": (_GLSLANG, ("optimise",)),
    "depthwise/depthwise.comp": (_GLSLANG, ()),
    "picture_cnn/layer.frag": (_GLSLANG, ()),
    "tiled_matmul/matmul.hlsl": ((*_SLANG, "-entry", "main", "-stage", "compute"), ()),
    "two_steps/Steps.hlsl": ((*_SLANG, "-fvk-use-entrypoint-name"), ()),
    "layer_norm/LayerNorm.hlsl": ((*_SLANG, "-entry", "Normalise", "-stage", "compute"), ("strip",)),
}
# Instructions with sources, names, members' names and lines.
_DEBUG = frozenset({2, 3, 4, 5, 6, 7, 8, 317})


def make(source: str, text: str, to: Path) -> None:
    """Compiles a text as the source's command says, to a module."""
    command, steps = COMMANDS[source]
    with tempfile.TemporaryDirectory() as name:
        file, module = Path(name) / Path(source).name, Path(name) / "made.spv"
        file.write_text(text, encoding="utf-8")
        subprocess.run([*command, file.name, "-o", module.name], check=True, cwd=name, stdout=subprocess.DEVNULL)
        if "optimise" in steps:
            subprocess.run(["spirv-opt", "-O", module.name, "-o", module.name], check=True, cwd=name)
        data = module.read_bytes()
    if "strip" in steps:
        found = read_module(data, source)
        data = as_bytes(found.header, [each for each in found.instructions if each.number not in _DEBUG])
    to.parent.mkdir(exist_ok=True)
    to.write_bytes(data)


def main() -> None:
    """Makes every module."""
    for source in COMMANDS:
        path = HERE / source
        make(source, path.read_text(encoding="utf-8"), path.with_suffix(".spv"))
    for fault in FAULTS:
        text = (fault.folder / fault.source).read_text(encoding="utf-8")
        assert text.count(fault.old) == 1, fault.name
        make(f"{fault.pipeline}/{fault.source}", text.replace(fault.old, fault.new), fault.module)


if __name__ == "__main__":
    main()
