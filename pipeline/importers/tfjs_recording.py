"""Imports recordings of TensorFlow.js, with one pass per program and the recorded run as the oracle."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import closing
from pathlib import Path
from typing import Any

from texelscope.pipeline.device import Limits
from texelscope.pipeline.dialects.tfjs.recording.kinds import MANIFEST, is_recording
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.importers.registry import Importer
from texelscope.pipeline.plan import Plan
from texelscope.pipeline.target import OpenOptions


class TfjsRecordingImporter(Importer):
    """Plans recorded runs of TensorFlow.js's WebGL backend: a folder with programs.json, or its archive."""

    suffixes = (".tfjs.zip",)

    def takes(self, target: Any) -> bool:
        """Accepts a folder with programs.json, that file, or an archive that contains it."""
        return isinstance(target, str | Path) and is_recording(Path(target))

    def plan(self, target: Any, options: OpenOptions) -> Plan:
        """Plans the recording; layouts, precision and shapes are its own."""
        if options.shapes:
            raise TexelscopeError(
                f"--shape {next(iter(options.shapes))}", "a model", f"'{Path(target).name}', a recording of one run",
                "Record the page with another shape.",
            )  # fmt: skip
        # Imported late: models do not need these.
        from texelscope.pipeline.dialects.recordings.files import files_of
        from texelscope.pipeline.dialects.tfjs.planning import plan_recording

        with closing(files_of(Path(target), MANIFEST)) as files:
            return plan_recording(files, options.limits or Limits())

    def watched(self, target: Any, plan: Plan) -> Collection[Path]:
        """Returns the manifest and every shader of a folder; or the archive."""
        return plan.files or super().watched(target, plan)


IMPORTER = TfjsRecordingImporter()
