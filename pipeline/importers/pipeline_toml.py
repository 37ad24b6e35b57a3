"""Pipeline files: a person's own shaders, with a model or numpy functions to say what is right."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.importers.registry import Importer
from texelscope.pipeline.plan import Plan
from texelscope.pipeline.target import OpenOptions


class PipelineTomlImporter(Importer):
    """pipeline.toml: whole shaders, what they read, and an oracle."""

    suffixes = (".toml",)

    def plan(self, target: Any, options: OpenOptions) -> Plan:
        """The plan that the file describes; layouts, precision and shapes are the file's own.

        Conventions of the options go before those of the file.

        Raises PipelineFileError with everything that is wrong with the file, or TexelscopeError if it is no TOML.
        """
        if options.shapes:
            raise TexelscopeError(
                f"--shape {next(iter(options.shapes))}",
                "a model",
                f"'{Path(target).name}', which says its shapes itself",
                "Change 'shape' there.",
            )
        from texelscope.pipeline.importers.planned_file import plan_file  # where a model is opened nobody waits for it

        return plan_file(Path(target), options)

    def replan(self, target: Any, options: OpenOptions, plan: Plan, changed: Collection[Path]) -> Plan:
        """As `plan`; where only shaders changed nothing else is read again, and never a model that did not."""
        from texelscope.pipeline.importers.planned_file import plan_again

        return plan_again(Path(target), options, plan, changed)

    def watched(self, target: Any, plan: Plan) -> Collection[Path]:
        """The file, its model, oracle and sources, every shader and what the shaders include."""
        from texelscope.pipeline.importers.planned_file import shaders_of

        shaders = shaders_of(Path(target), plan)
        return (*super().watched(target, plan), *plan.files, *sorted(shaders))


IMPORTER = PipelineTomlImporter()
