"""Why something is larger than a reader takes in at once, and stays so. A reason that is no longer needed fails a test.

The key is a module's path, `path: function`, or a package's dotted name, as `python -m tests.caps` prints it.
"""

from __future__ import annotations

from collections.abc import Mapping

REASONS: Mapping[str, str] = {
    "layouts": "One module a layout.",
    "texelscope.pipeline.diagnose.rules": "One module a cause, or a group of causes alike.",
    "texelscope.pipeline.gradients.derivatives": "One module a family of operators.",
    "texelscope.pipeline.model_file.contrib": "One module an operator of com.microsoft.",
    "texelscope.pipeline.model_file.ml": "One module an operator of ai.onnx.ml.",
    "texelscope.pipeline.operators.families": "One module a family of operators.",
    "texelscope.pipeline.oracle.contrib": "One module an operator of com.microsoft.",
    "texelscope.pipeline.oracle.fast": "One module an operator.",
    "texelscope.viewer.panels": "One module a panel.",
}
