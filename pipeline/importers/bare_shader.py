"""Imports shaders without a pipeline file: the file is drafted from their declarations, in memory."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.front_ends.languages import SUFFIXES
from texelscope.pipeline.importers.registry import Importer
from texelscope.pipeline.plan import Plan
from texelscope.pipeline.target import OpenOptions
from texelscope.pipeline.untrusted_files import is_file, read_text

# Shaders whose text decides: of ncnn, mpv or Magpie, or anybody's.
_BY_TEXT = (".comp", ".glsl", ".hlsl")
_BLOCK_OF_MPV = "//!"


class BareShaderImporter(Importer):
    """Plans fragment and compute shaders alone: inputs get noise, and sizes are guessed.

    The dialect's parameters are fields of the drafted file, such as `blur.uniforms.u_gain`.
    """

    suffixes = (".frag", ".fs", ".fsh", ".fragment", ".glslf", ".comp", ".glsl", *SUFFIXES)
    speaks_a_dialect = True
    takes_oracle = True
    states_its_meaning = False

    def takes(self, target: Any) -> bool:
        """Reports whether the target is a shader, and neither a layer of ncnn nor a shader of mpv."""
        if not super().takes(target):
            return False
        path = Path(target)
        if path.suffix.lower() not in _BY_TEXT or not is_file(path):
            return path.suffix.lower() not in _BY_TEXT
        from texelscope.pipeline.dialects.magpie.sections import is_effect
        from texelscope.pipeline.dialects.mpv.first_interface import has_first_interface
        from texelscope.pipeline.glsl.ncnn.translation import speaks_ncnn

        try:
            text = read_text(path, path.name, what="a shader file")
        except TexelscopeError:  # the importer that takes it reports this
            return False
        if path.suffix.lower() == ".hlsl":
            return not is_effect(text)
        return _BLOCK_OF_MPV not in text and not speaks_ncnn(text) and not has_first_interface(text)

    def plan(self, target: Any, options: OpenOptions) -> Plan:
        """Plans the shader as a drafted file would be; shapes of the options are those of inputs and of its output.

        Raises TexelscopeError for a text that cannot be read.
        """
        from texelscope.pipeline.importers.planned_draft import planned_draft  # imported late: models do not need it

        return planned_draft(Path(target), options)

    def watched(self, target: Any, plan: Plan) -> Collection[Path]:
        """Returns the shader and its includes."""
        from texelscope.pipeline.importers.planned_file import shaders_of

        return (*super().watched(target, plan), *sorted(shaders_of(Path(target), plan)))


IMPORTER = BareShaderImporter()
