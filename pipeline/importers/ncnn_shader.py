"""Compute shaders of ncnn, each a layer with ONNX nodes of the same meaning beside it."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.importers.registry import Importer
from texelscope.pipeline.plan import Plan
from texelscope.pipeline.target import OpenOptions


class NcnnShaderImporter(Importer):
    """.comp: a layer of ncnn's, in any of its modes and packs."""

    suffixes = (".comp",)
    speaks_a_dialect = True

    def plan(self, target: Any, options: OpenOptions) -> Plan:
        """The layer that the file's name says, or `options.dialect`. Raises TexelscopeError for what is none."""
        if options.shapes:
            raise TexelscopeError(
                f"--shape {next(iter(options.shapes))}",
                "a model",
                f"'{Path(target).name}', a layer with sizes of its own",
                "Set them with --param, as in --param channels=32.",
            )
        from texelscope.pipeline.dialects.ncnn.layers.opening import (
            open_shader,  # where a model is opened nobody waits for it
        )

        return open_shader(Path(target), options.dialect, options.limits)

    def watched(self, target: Any, plan: Plan) -> Collection[Path]:
        """Every shader of the plan, and what they include."""
        folder = Path(target).resolve().parent
        files = {folder / file.path for each in plan.passes for file in each.program.files}
        return (*super().watched(target, plan), *plan.files, *sorted(files))


IMPORTER = NcnnShaderImporter()
