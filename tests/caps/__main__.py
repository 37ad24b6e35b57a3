"""Prints what is larger than a reader takes in at once, with the reason where there is one: `python -m tests.caps`."""

from __future__ import annotations

from tests.caps.reasons import REASONS
from tests.caps.report import lines, measured, unneeded


def main() -> None:
    """Prints the report; nothing here is an error."""
    sizes = list(measured())
    print("\n".join(lines(sizes, REASONS)))
    for name in unneeded(sizes, REASONS):
        print(f"{name}: no longer too large; remove its reason from tests/caps/reasons.py")


if __name__ == "__main__":
    main()
