"""Names that nothing else has."""

from __future__ import annotations


class UniqueNames:
    """Hands names out, each once: a second `conv` becomes `conv#2`."""

    def __init__(self) -> None:
        self._given: set[str] = set()

    def give(self, name: str) -> str:
        """`name`, or the first of `name#2`, `name#3` … that is free."""
        unique, count = name, 1
        while unique in self._given:
            count += 1
            unique = f"{name}#{count}"
        self._given.add(unique)
        return unique

    def take_back(self, name: str) -> None:
        """Whoever asks for it next gets it."""
        self._given.discard(name)
