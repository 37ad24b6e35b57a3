"""What breaks a rule of plain English and stays so, with the reason. An exception that nothing needs fails a test.

The key is `file: name`, as `python -m tests.plain_english` prints them.
"""

from __future__ import annotations

from collections.abc import Mapping

EXCEPTIONS: Mapping[str, str] = {}
