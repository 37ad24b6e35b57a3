"""Lists the places that break a rule of plain English: `python -m tests.plain_english [FOLDER …] [--counts]`."""

from __future__ import annotations

import argparse
import sys
from collections import Counter

from tests.plain_english.report import all_offences, remaining


def main() -> int:
    """Prints a line for each, or how many each folder has; ends with 1 if there is any."""
    parser = argparse.ArgumentParser(prog="python -m tests.plain_english", description=__doc__)
    parser.add_argument("folders", nargs="*", metavar="FOLDER", help="only below these; everywhere if none is given")
    parser.add_argument("--counts", action="store_true", help="only how many there are, by folder and rule")
    options = parser.parse_args()
    found = [
        offence
        for offence in remaining(all_offences())
        if not options.folders or offence.file.startswith(tuple(options.folders))
    ]
    if options.counts:
        counts = Counter((offence.folder, offence.rule) for offence in found)
        print("\n".join(f"{count:5}  {folder:32} {rule}" for (folder, rule), count in sorted(counts.items())))
    else:
        print("\n".join(map(str, found)))
    print(*(f"{count:5}  {rule}" for rule, count in Counter(offence.rule for offence in found).items()), sep="\n")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
