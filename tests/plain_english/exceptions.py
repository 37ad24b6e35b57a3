"""What breaks a rule of plain English and stays so, with the reason. An exception that nothing needs fails a test.

The key is `file: name`, as `python -m tests.plain_english` prints them.
"""

from __future__ import annotations

from collections.abc import Mapping

EXCEPTIONS: Mapping[str, str] = {
    "pipeline/planning/layout_choice.py: asked for": "A value of `layout_reason` in reports, which programs read.",
}
