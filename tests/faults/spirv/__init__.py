"""SPIR-V as inference engines, HLSL and effects have it: modules, their sources, and modules with one bug each.

`make.py` says how each module was made.
"""

import shutil

import pytest

needs_spirv_cross = pytest.mark.skipif(shutil.which("spirv-cross") is None, reason="spirv-cross is not installed")
