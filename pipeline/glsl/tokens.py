"""Words and signs of a text that is not parsed."""

from __future__ import annotations

import re

# A name, a number or a sign.
WORD = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|\.\d[\w.]*|\S")
