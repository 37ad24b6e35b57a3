"""Names, texts and numbers that programs stumble over; hypothesis thinks up more of them."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from tests.fuzz.box import RAN

# Names as a file may have them: of no length, of too much, of control characters, of what another program reads.
NAMES = (
    "", " ", "\n", "a\nb", "a\r\nb", "\t", "\x00", "a\x00b", "\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "\x7f", "\x85",
    "\u2028",
    "\u202egnp.exe", "\ufeff", "²", "٣", "ﷺ" * 40, "a" * 255, "a" * 256, "a" * 4095, "a" * 4096, "a" * 4097,
    "b" * 20_000,
    ".", "..", "../../etc/passwd", "/etc/passwd", "a/b", "a\\b", "C:\\a", "con", "nul", "~", "~root", "-", "--help",
    "-x",
    "{}", "{0}", "%s%n", "$HOME", "$(id)", "`id`", "<script>alert(1)</script>", "&amp;", "\"'", "'", '"', "*/", "//",
    "/*",
    "main", "gl_Position", "texture", "void", "__", "a__b", "1a", "ä", "名前", "𝒳", "e\u0301", "\u200b", "None", "true",
    "nan", "inf", "0", "-1", "x" * 300 + "\n" + "y" * 300, "#version 330", "]]>", "<!--", "\\", "\\n", "%",
    "name with spaces",
)  # fmt: skip
# Numbers as sizes, axes and counts.
WHOLE = (
    0, 1, -1, 2, 3, 7, 16, 255, 256, 65535, 65536, 2**24 + 1, 2**31 - 1, 2**31, -(2**31), 2**32, 2**53 + 1, 2**62,
    2**63 - 1, -(2**63),
)  # fmt: skip
FRACTIONS = (0.0, -0.0, 1.0, -1.0, 1e-45, 1e38, 3.4e38, 1e39, 1e308, float("inf"), float("-inf"), float("nan"), 0.1)
PATHS = (
    "", ".", "..", "/", "/etc/passwd", "/dev/zero", "/dev/stdin", "/proc/self/environ", "/proc/self/mem",
    "../outside/secret.txt",
    "../outside/secret.frag", "../outside/secret.bin", "a" * 300, "a/" * 3000, "a" * 5000, "\x00", "a\nb", "folder",
    "loop", "pipe", "file://x",
    "http://127.0.0.1:9/x", "https://example.invalid/x.png", "~/x", "-", "con", "%00", "\\\\host\\x",
    "fit:../outside/secret.txt",
)  # fmt: skip
# Code that reports if it is run.
CODE = f"open('outside/{RAN}', 'w').close()\n"

_POOL = 250


def name(random_: random.Random) -> str:
    """A name that somebody might have thought up, or hypothesis."""
    return random_.choice(NAMES) if random_.random() < 0.6 else random_.choice(_texts())


def whole(random_: random.Random) -> int:
    """A number that sizes and axes seldom are."""
    return random_.choice(WHOLE) if random_.random() < 0.8 else random_.randint(-10, 10**6)


def fraction(random_: random.Random) -> float:
    """Returns a number with a point, or none at all."""
    return random_.choice(FRACTIONS)


def path(random_: random.Random) -> str:
    """A path that leads astray."""
    return random_.choice(PATHS)


def tree(random_: random.Random) -> Any:
    """Returns tables, arrays, texts and numbers in each other."""
    return random_.choice(_trees())


@functools.cache
def _texts() -> tuple[str, ...]:
    return tuple(_examples(st.text(max_size=60)))


@functools.cache
def _trees() -> tuple[Any, ...]:
    leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
    return tuple(
        _examples(st.recursive(leaves, lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=9), inner)))
    )


def _examples(strategy: st.SearchStrategy[Any]) -> list[Any]:
    """Returns as many examples as a pool holds, the same each time."""
    found: list[Any] = []

    @seed(4711)
    @settings(
        max_examples=_POOL,
        phases=[Phase.generate],
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def collect(value: Any) -> None:
        found.append(value)

    run: Callable[[], None] = collect
    run()
    return found
