"""Threads of the window share one pool of memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.checkout import ROOT

# Threads that allocate side by side, then how many pools the C library tells of.
_POOLS = """
import ctypes, sys, threading
from texelscope.allocator import share_one_pool
shared = len(sys.argv) > 2 and share_one_pool()
library = ctypes.CDLL(None)
library.malloc.restype = library.fopen.restype = ctypes.c_void_p
ready = threading.Barrier(4)
def take():
    ready.wait()
    for _ in range(100):
        library.malloc(ctypes.c_size_t(1000))
    ready.wait()
threads = [threading.Thread(target=take) for _ in range(4)]
[each.start() for each in threads]
[each.join() for each in threads]
stream = ctypes.c_void_p(library.fopen(sys.argv[1].encode(), b"w"))
library.malloc_info(0, stream)
library.fclose(stream)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="such pools are glibc's")
@pytest.mark.parametrize(("arguments", "is_one"), [((), False), (("shared",), True)])
def test_threads_allocate_from_one_pool(tmp_path: Path, arguments: tuple[str, ...], is_one: bool) -> None:
    told = tmp_path / "pools.xml"
    subprocess.run([sys.executable, "-c", _POOLS, str(told), *arguments], cwd=ROOT, timeout=60, check=True)
    assert (told.read_text(encoding="utf-8").count("<heap nr=") == 1) is is_one
