"""A recorded run of TensorFlow.js as a capture: what the page's driver made, judged as if it had run here."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.device import Device
from texelscope.pipeline.dialects.tfjs.planning import recorded_run
from texelscope.pipeline.dialects.tfjs.recording.files import files_of
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.plan import Plan


def run_of_recording(path: Path, plan: Plan) -> tuple[Capture, Mapping[str, NDArray[np.float32]]]:
    """The recorded tensors of a plan of the same programs, and by key the texels of its constants.

    Raises TexelscopeError for a recording that cannot be read, or one of other programs.
    """
    with closing(files_of(path)) as files:
        about, values, times_ms = recorded_run(files)
    shapes = {key: stored.shape for key, stored in plan.textures.items()}
    if {key: value.shape for key, value in values.items()} != shapes:
        raise TexelscopeError(
            path.name, f"a recording of the programs of '{plan.name}'", "one of others", "Record the same page."
        )
    constants = {key for key, stored in plan.textures.items() if stored.role == "constant"}
    capture = Capture(
        target=plan.name,
        device=Device(about.get("renderer", "unknown"), f"WebGL {about.get('webgl', '?')}"),
        tensors=MappingProxyType({key: value for key, value in values.items() if key not in constants}),
        errors={},
        gpu_ms=times_ms,
    )
    return capture, {key: plan.textures[key].layout.encode(values[key]) for key in constants}
