"""Modules of SPIR-V with words that are others, lost or twice: the program that translates them crashes on many."""

from __future__ import annotations

import random
import struct
from pathlib import Path

import tests.faults.spirv as modules
from tests.fuzz.case import Case, Content

_HOME = Path(modules.__path__[0])
_WORD_BYTES = 4


def case(random_: random.Random) -> Case:
    name = random_.choice(("depthwise", "picture_cnn", "softmax_rows", "two_steps"))
    files: dict[str, Content] = {
        path.name: path.read_bytes() for path in sorted((_HOME / name).iterdir()) if path.is_file()
    }
    module = next(each for each in files if each.endswith(".spv"))
    data = files[module]
    assert isinstance(data, bytes)
    words = [data[at : at + _WORD_BYTES] for at in range(0, len(data), _WORD_BYTES)]
    count = random_.choice((1, 1, 2, 5, 20))
    for _ in range(count):
        at = random_.randrange(len(words))
        words[at : at + 1] = random_.choice(([_word(random_)], [_word(random_)], [], [words[at]] * 2))
    whole = b"".join(words)
    files[module] = whole[: random_.randrange(len(whole))] if random_.random() < 0.1 else whole
    return Case(f"{count} words of {module}", files, ("diff", "case/pipeline.toml", "--diagnose-seconds", "0"))


def _word(random_: random.Random) -> bytes:
    """Returns a word that may be an id, an instruction with its length, any number or all ones."""
    instruction = random_.randrange(1, 9) << 16 | random_.randrange(350)
    number = random_.choice((random_.randrange(300), instruction, random_.getrandbits(32), 2**32 - 1))
    return struct.pack("<I", number)
