"""Threads of the window share one pool of memory, and what is free in it goes back to the system."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.checkout import ROOT

# Threads that allocate side by side, then how many pools the C library reports.
_POOLS = """
import ctypes, sys, threading
from texelscope.viewer.allocator import share_one_pool
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


# A large part, which was freed, is taken again: how many lie beside the pool then.
_LARGE = """
import ctypes, sys
from texelscope.viewer.allocator import keep_large_apart
apart = len(sys.argv) > 1 and keep_large_apart()
library = ctypes.CDLL(None)
library.malloc.restype = ctypes.c_void_p
library.free(ctypes.c_void_p(library.malloc(ctypes.c_size_t(8 << 20))))
class Told(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in "arena ordblks smblks hblks hblkhd a b c d e".split()]
library.mallinfo2.restype = Told
before = library.mallinfo2().hblks
library.malloc(ctypes.c_size_t(1 << 20))
print(library.mallinfo2().hblks - before)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="such pools are glibc's")
@pytest.mark.parametrize(("arguments", "beside"), [((), "0"), (("apart",), "1")])
def test_large_memory_lies_beside_the_pool_again_and_again(arguments: tuple[str, ...], beside: str) -> None:
    command = [sys.executable, "-c", _LARGE, *arguments]
    ran = subprocess.run(command, cwd=ROOT, timeout=60, check=True, capture_output=True)
    assert ran.stdout.decode().split() == [beside]


# A page of each three stays: nothing at the end of the pool is free. Then MiB of memory before and after each turn.
_TURNS = """
import ctypes, time
import psutil
from texelscope.viewer import allocator
allocator.share_one_pool()
library = ctypes.CDLL(None)
library.malloc.restype = ctypes.c_void_p
taken = [library.malloc(ctypes.c_size_t(4064)) for _ in range(15000)]
for place in taken:
    ctypes.memset(place, 1, 4064)
for number, place in enumerate(taken):
    if number % 3:
        library.free(ctypes.c_void_p(place))
spare = allocator.SpareMemory(seconds_between=0.0)
told = []
for turn in (dict(worked=False, rests=True), dict(worked=True, rests=True), dict(worked=False, rests=False),
             dict(worked=False, rests=True), dict(worked=False, rests=True)):
    before = psutil.Process().memory_info().rss
    is_given = spare.after(**turn)
    is_less = psutil.Process().memory_info().rss < before - (10 << 20)
    told.append(f"{is_given} less" if is_less else str(is_given))
print(*told, sep=", ")
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="such pools are glibc's")
def test_free_memory_goes_back_to_the_system_at_rest_after_work() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", _TURNS], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    assert ended.stdout == "False, False, False, True less, False\n"


# What is frozen, then after each turn how many of the objects that hold themselves are left.
_CYCLES = """
import gc, weakref
from texelscope.viewer import allocator
class Held:
    def __init__(self):
        self.itself = self
stands = Held()
allocator.keep_what_stands()
print(gc.get_freeze_count() > 10000, any(each is stands for each in gc.get_objects()))
gc.disable()
spare = allocator.SpareMemory(seconds_between=1e9, seconds_between_cycles=0.0)
held = [weakref.ref(Held()) for _ in range(3)]
for turn in (dict(worked=False, rests=True), dict(worked=True, rests=True), dict(worked=False, rests=False),
             dict(worked=False, rests=True)):
    spare.after(**turn)
    print(sum(each() is not None for each in held))
held = [weakref.ref(Held()) for _ in range(3)]
spare.after(worked=False, rests=True)
print(sum(each() is not None for each in held))
"""


def test_objects_that_hold_only_one_another_go_at_rest_after_work() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", _CYCLES], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    assert ended.stdout.split() == ["True", "False", "3", "3", "3", "0", "3"]
