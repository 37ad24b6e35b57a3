"""Imports ReShade effects, with one pass per `pass` of their techniques."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from texelscope.pipeline.device import Limits
from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.importers.effect_file import EffectImporter
from texelscope.pipeline.start_marks import mark
from texelscope.pipeline.target import OpenOptions
from texelscope.pipeline.untrusted_files import is_file

if TYPE_CHECKING:
    from texelscope.pipeline.dialects.effects.passes import EffectPlan

_SIDE = 128
# ReShade's own files, whose contents are supplied.
_OWN_FILE = re.compile(r'^([ \t]*)#[ \t]*include[ \t]+"(ReShade|ReShadeUI)\.fxh"[ \t]*', re.MULTILINE)


class ReshadeEffectImporter(EffectImporter):
    """Plans ReShade effects (.fx), one pass per pass of a technique; the picture is bundled, or the input's."""

    suffixes = (".fx",)

    def picture(self) -> str:
        """Returns ReShade's name of the picture."""
        from texelscope.pipeline.dialects.reshade.effect import BACK_BUFFER

        return BACK_BUFFER

    def planned(self, text: str, path: Path, options: OpenOptions) -> EffectPlan:
        """Plans `text`, a version of the file `path`. Raises TexelscopeError as `EffectImporter.planned`."""
        from texelscope.pipeline.dialects.mpv.settings import with_values
        from texelscope.pipeline.dialects.reshade.build import build
        from texelscope.pipeline.dialects.reshade.hlsl_text import macros_of
        from texelscope.pipeline.dialects.reshade.parse import parse
        from texelscope.pipeline.pipeline_file.folder import Folder
        from texelscope.pipeline.pipeline_file.includes import with_includes
        from texelscope.pipeline.plan import SourceFile

        height, width = _size(options.shapes)
        files = [SourceFile(0, path.name, text)]
        own = text if is_file(path.parent / "ReShade.fxh") else _OWN_FILE.sub(r"\1", text)
        expanded = f"#line 1 0\n{with_includes(Folder(path.parent, 'effect'), files, own, 1)}"
        effect = parse(text, path.name, expanded, files, macros_of(width, height))
        parameters = with_values(effect.parameters, options.dialect, f"a uniform of {path.name}")
        mark("read")
        plan = build(
            dataclasses.replace(effect, parameters=parameters), files, (height, width), options.precision,
            options.limits or Limits(),
        )  # fmt: skip
        return dataclasses.replace(plan, files=tuple((path.parent / each.path).resolve() for each in files[1:]))


def _size(shapes: Mapping[str, Shape]) -> tuple[int, int]:
    """Returns height and width of the picture. Raises TexelscopeError for shapes of anything else."""
    from texelscope.pipeline.dialects.reshade.effect import BACK_BUFFER

    for name, shape in shapes.items():
        if name != BACK_BUFFER:
            raise TexelscopeError(f"--shape {name}", BACK_BUFFER, f"'{name}'", nearest(name, [BACK_BUFFER]))
        if len(shape) != 4 or shape[:2] != (1, 3) or not 1 <= min(shape[2:]) <= max(shape[2:]) <= 1 << 14:
            got = ",".join(map(str, shape))
            raise TexelscopeError(f"--shape {name}", "1,3,HEIGHT,WIDTH", got, "Correct it.")
    shape = shapes.get(BACK_BUFFER, (1, 3, _SIDE, _SIDE))
    return shape[2], shape[3]


IMPORTER = ReshadeEffectImporter()
