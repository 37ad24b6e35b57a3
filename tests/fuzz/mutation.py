"""Breaks right files: changes a few bytes or tokens, removes or adds a piece."""

from __future__ import annotations

import random
import re

from tests.fuzz import words

_TOKEN = re.compile(r"\s+|\w+|[^\w\s]")
_SPECIAL = (
    b"\x00",
    b"\xff",
    b"\x7f",
    b"\x80",
    b"\xff\xff\xff\xff",
    b"\x00\x00\x00\x80",
    b"\xff\xff\xff\x7f",
    b"\xff" * 9 + b"\x01",
)


def of_bytes(data: bytes, random_: random.Random) -> bytes:
    """One to eight changes: bits, bytes, pieces gone, doubled, moved, cut off."""
    made = bytearray(data)
    for _ in range(random_.choice((1, 1, 1, 2, 3, 8))):
        if not made:
            return bytes(made)
        at = random_.randrange(min(len(made), 600)) if random_.random() < 0.5 else random_.randrange(len(made))
        span = random_.choice((1, 2, 4, 8, 64, 1000))
        match random_.randrange(8):
            case 0:
                made[at] ^= 1 << random_.randrange(8)
            case 1:
                made[at] = random_.randrange(256)
            case 2:
                special = random_.choice(_SPECIAL)
                made[at : at + len(special)] = special
            case 3:
                del made[at : at + span]
            case 4:
                made[at:at] = made[at : at + span] * random_.choice((1, 2, 20))
            case 5:
                del made[at:]
            case 6:
                made[at:at] = random_.choice(_SPECIAL)
            case _:
                other = random_.randrange(len(made))
                made[at : at + span] = made[other : other + span]
    return bytes(made)


def of_text(text: str, random_: random.Random) -> str:
    """One to six changes of tokens: swapped, doubled, gone, put in place of others; of lines too."""
    tokens = _TOKEN.findall(text)
    for _ in range(random_.choice((1, 1, 2, 3, 6))):
        if not tokens:
            break
        at, other = random_.randrange(len(tokens)), random_.randrange(len(tokens))
        match random_.randrange(9):
            case 0:
                tokens[at], tokens[other] = tokens[other], tokens[at]
            case 1:
                del tokens[at : at + random_.choice((1, 1, 5, 50))]
            case 2:
                tokens[at:at] = tokens[other : other + random_.choice((1, 5, 50))]
            case 3:
                tokens[at] = tokens[other]
            case 4:
                tokens[at] = words.name(random_)
            case 5:
                tokens[at] = str(words.whole(random_))
            case 6:
                tokens[at] = tokens[at] * random_.choice((2, 100, 3000))
            case 7:
                numbers = [place for place, token in enumerate(tokens) if token.isdigit()]
                if numbers:
                    tokens[random_.choice(numbers)] = str(words.whole(random_))
            case _:
                tokens[at] = random_.choice("(){}[]<>=;,.#\\\"'/*\x00\n²")
    return "".join(tokens)


def encoded(text: str, random_: random.Random) -> bytes:
    """Returns its bytes, mostly UTF-8."""
    data = text.encode("utf-8", errors="surrogatepass")
    match random_.randrange(40):
        case 0:
            return b"\xef\xbb\xbf" + data
        case 1:
            return text.encode("utf-16", errors="surrogatepass")
        case 2:
            return data.replace(b"\n", b"\r")
        case 3:
            return of_bytes(data, random_)
    return data
