"""Imports pipeline files: a person's own shaders, with a model or numpy functions as the oracle."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.importers.registry import Importer
from texelscope.pipeline.plan import Plan
from texelscope.pipeline.target import OpenOptions


class PipelineTomlImporter(Importer):
    """Plans pipeline.toml: whole shaders, their inputs, and an oracle.

    The dialect's parameters are values of passes, such as `blur.uniforms.u_gain`, in place of the file's.
    """

    suffixes = (".toml",)
    speaks_a_dialect = True

    def plan(self, target: Any, options: OpenOptions) -> Plan:
        """Returns the plan that the file describes; layouts, precision and shapes are the file's own.

        Conventions of the options override those of the file.

        Raises PipelineFileError with every error of the file, or TexelscopeError if it is no TOML.
        """
        if options.shapes:
            raise TexelscopeError(
                f"--shape {next(iter(options.shapes))}",
                "a model",
                f"'{Path(target).name}', which sets its own shapes",
                "Change 'shape' there.",
            )
        from texelscope.pipeline.importers.planned_file import plan_file  # imported late: models do not need it

        return plan_file(Path(target), options)

    def replan(self, target: Any, options: OpenOptions, plan: Plan, changed: Collection[Path]) -> Plan:
        """Plans as `plan`; if only shaders changed nothing else is read again, and never an unchanged model."""
        from texelscope.pipeline.importers.planned_file import plan_again

        return plan_again(Path(target), options, plan, changed)

    def watched(self, target: Any, plan: Plan) -> Collection[Path]:
        """Returns the file, its model, oracle and sources, every shader and its includes."""
        from texelscope.pipeline.importers.planned_file import shaders_of

        shaders = shaders_of(Path(target), plan)
        return (*super().watched(target, plan), *plan.files, *sorted(shaders))


IMPORTER = PipelineTomlImporter()
