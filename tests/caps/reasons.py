"""Why something is larger than a reader takes in at once, and stays so. A reason that is no longer needed fails a test.

The key is a module's path, `path: function`, or a package's dotted name, as `python -m tests.caps` prints it.
"""

from __future__ import annotations

from collections.abc import Mapping

REASONS: Mapping[str, str] = {
    "layouts": "One module a layout.",
    "pipeline/diagnose/causes/__init__.py": "A table: one row a cause.",
    "pipeline.diagnose.hypotheses": "One module for causes alike, by aspect.",
    "pipeline.operators.families": "One module a family of operators.",
}
