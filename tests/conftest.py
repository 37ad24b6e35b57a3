"""Settings for every test, made before any GL library is loaded."""

from __future__ import annotations

import os

from hypothesis import settings

# The same driver on every machine. Mesa reads this; set it to 0 to run the tests on the machine's own GPU.
os.environ.setdefault("LIBGL_ALWAYS_SOFTWARE", "1")

# No deadline: the first GL call of a process takes as long as a hundred later ones.
# Derandomized: the same commit gives the same result wherever it runs.
settings.register_profile("texelscope", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("texelscope")
