"""Recordings of TensorFlow.js, each program a pass with the recorded run as what is right."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import closing
from pathlib import Path
from typing import Any

from texelscope.pipeline.device import Limits
from texelscope.pipeline.dialects.tfjs.recording.kinds import is_recording
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.importers.registry import Importer
from texelscope.pipeline.plan import Plan
from texelscope.pipeline.target import OpenOptions


class TfjsRecordingImporter(Importer):
    """Recorded runs of TensorFlow.js's WebGL backend: a folder with programs.json, or the archive of one."""

    suffixes = (".tfjs.zip",)

    def takes(self, target: Any) -> bool:
        """A folder with programs.json, that file, or an archive that has it."""
        return isinstance(target, str | Path) and is_recording(Path(target))

    def plan(self, target: Any, options: OpenOptions) -> Plan:
        """The plan of the recording; layouts, precision and shapes are its own."""
        if options.shapes:
            raise TexelscopeError(
                f"--shape {next(iter(options.shapes))}", "a model", f"'{Path(target).name}', a recording of one run",
                "Record the page with another shape.",
            )  # fmt: skip
        # Where a model is opened nobody waits for these.
        from texelscope.pipeline.dialects.tfjs.planning import plan_recording
        from texelscope.pipeline.dialects.tfjs.recording.files import files_of

        with closing(files_of(Path(target))) as files:
            return plan_recording(files, options.limits or Limits())

    def watched(self, target: Any, plan: Plan) -> Collection[Path]:
        """The manifest and every shader of a folder; an archive itself."""
        return plan.files or super().watched(target, plan)


IMPORTER = TfjsRecordingImporter()
