"""Imports recordings of WebGPU, with one pass per dispatch and what the page wrote as the oracle."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import closing
from pathlib import Path
from typing import Any

from texelscope.pipeline.device import Limits
from texelscope.pipeline.dialects.webgpu.kinds import ENDING, MANIFEST, is_webgpu_recording
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.importers.registry import Importer
from texelscope.pipeline.plan import Plan
from texelscope.pipeline.target import OpenOptions

_SHADER = ".wgsl"


class WebgpuRecordingImporter(Importer):
    """Plans recorded WebGPU of any page: a folder with dispatches.json, or its archive."""

    suffixes = (ENDING,)
    takes_oracle = True

    def takes(self, target: Any) -> bool:
        """Accepts a folder with dispatches.json, that file, or an archive that contains it."""
        return isinstance(target, str | Path) and is_webgpu_recording(Path(target))

    def plan(self, target: Any, options: OpenOptions) -> Plan:
        """Plans the recording; layouts and precision are its own.

        With the options' `oracle`, a model or a table of textures beside one, dispatches are compared with that model,
        whose free dimensions have the options' shapes.
        """
        if options.shapes and not options.oracle:
            raise TexelscopeError(
                f"--shape {next(iter(options.shapes))}", "a model", f"'{Path(target).name}', a recording of one run",
                "Record the page with another shape.",
            )  # fmt: skip
        plan = _planned(target, options)
        if not options.oracle:
            return plan
        from texelscope.pipeline.dialects.webgl.explained import explained_by

        return explained_by(plan, Path(options.oracle), options.shapes)

    def replan(self, target: Any, options: OpenOptions, plan: Plan, changed: Collection[Path]) -> Plan:
        """Plans as `plan`; if only shaders changed, buffers hold what they held, and nothing is guessed again."""
        if not options.oracle or any(path.suffix != _SHADER for path in changed):
            return self.plan(target, options)
        from texelscope.pipeline.dialects.webgl.explained import ExplainedPlan, explained_as

        if not isinstance(plan, ExplainedPlan) or options.oracle.lower().endswith(".toml"):
            return self.plan(target, options)
        return explained_as(_planned(target, options), plan, Path(options.oracle), options.shapes)

    def watched(self, target: Any, plan: Plan) -> Collection[Path]:
        """Returns the manifest and every shader of a folder; or the archive."""
        return plan.files or super().watched(target, plan)


def _planned(target: Any, options: OpenOptions) -> Plan:
    """Plans a recording without a model."""
    # Imported late: models do not need these.
    from texelscope.pipeline.dialects.recordings.files import files_of
    from texelscope.pipeline.dialects.webgpu.planning import plan_recording

    with closing(files_of(Path(target), MANIFEST)) as files:
        return plan_recording(files, options.limits or Limits())


IMPORTER = WebgpuRecordingImporter()
