"""Reads Containerfile, as far as that file needs, into stages of instructions."""

from __future__ import annotations

import json
from dataclasses import dataclass

KNOWN = frozenset({"RUN", "COPY", "WORKDIR", "ENTRYPOINT", "CMD"})


@dataclass(frozen=True)
class Instruction:
    """One line of a stage: its word and what follows."""

    word: str
    rest: str


@dataclass(frozen=True)
class Stage:
    """Describes a part of the file from one FROM to the next."""

    image: str
    name: str
    instructions: tuple[Instruction, ...]

    def runs(self) -> list[str]:
        """Returns its shell lines."""
        return [each.rest for each in self.instructions if each.word == "RUN"]

    def list_of(self, word: str) -> list[str]:
        """Returns the words of its last ENTRYPOINT or CMD, which are written as JSON; none where it has none."""
        found = [each.rest for each in self.instructions if each.word == word]
        return list(json.loads(found[-1])) if found else []


def stages(text: str) -> list[Stage]:
    """Returns the stages in order. Fails for a word that these tests cannot carry out."""
    found: list[Stage] = []
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        word, rest = line.split(maxsplit=1)
        if word == "FROM":
            image, _, name = rest.partition(" AS ")
            found.append(Stage(image, name, ()))
            continue
        assert word in KNOWN, f"Containerfile: {line}"
        last = found.pop()
        found.append(Stage(last.image, last.name, (*last.instructions, Instruction(word, rest))))
    return found
