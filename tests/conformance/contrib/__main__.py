"""The cases of ONNX Runtime's operators alone: writes their section of `docs/operators.md`, 1 if one fails."""

from __future__ import annotations

import sys

from tests.checkout import ROOT
from tests.conformance.contrib.section import failures, run, with_section
from tests.conformance.runner import LAYOUTS
from texelscope.pipeline.gl.context import headless_context

PAGE = ROOT / "docs" / "operators.md"


def main() -> int:
    """Runs them in the layouts of the whole run."""
    outcomes = run(headless_context(), LAYOUTS)
    failed = failures(outcomes)
    print("\n".join([*failed, f"{len(outcomes) - len(failed)} of {len(outcomes)} cases pass"]))
    PAGE.write_text(with_section(PAGE.read_text(encoding="utf-8"), outcomes), encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
