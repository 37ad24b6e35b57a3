"""Records every operation under every setting, and lists the passes whose verdict is not what the CPU backend says.

python -m tests.browser.tfjs_releases [RELEASE …] [--settings NAME …]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.browser.chromium import BrowserError, Chromium
from tests.browser.test_tfjs import SETTINGS
from tests.browser.tfjs_releases.releases import RELEASES, install, page_of
from tests.browser.tfjs_releases.verdicts import judged, operations

_SETTINGS = {**SETTINGS, "halves": {"WEBGL_FORCE_F16_TEXTURES": True}}


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> int:
    """Prints what parts, and totals by release and setting. Returns 1 if anything parts."""
    parser = argparse.ArgumentParser()
    parser.add_argument("releases", nargs="*", default=RELEASES)
    parser.add_argument("--settings", nargs="+", default=list(_SETTINGS), choices=list(_SETTINGS))
    parser.add_argument("--operations", nargs="+")
    options = parser.parse_args()
    parts = False
    with tempfile.TemporaryDirectory() as folder, Chromium(Path(folder)) as chromium:
        for release in options.releases:
            install(release)
            for setting in options.settings:
                counts: Counter[str] = Counter()
                recorded: Counter[str] = Counter()
                for name in options.operations or operations(chromium, page_of(release)):
                    try:
                        found = judged(chromium, page_of(release), Path(folder), name, _SETTINGS[setting])
                    except BrowserError as error:
                        counts["not run by the page"] += 1
                        _say(f"{release} {setting} {name}: {str(error).splitlines()[0]}")
                        continue
                    counts["recordings"] += 1
                    counts["recordings that agree"] += all(each.agrees for each in found)
                    counts["passes"] += len(found)
                    for each in found:
                        counts["agree" if each.agrees else "part"] += 1
                        counts["wrong by the CPU backend"] += each.cpu_is_right is False
                        counts["without a word of it"] += each.cpu_is_right is None
                        counts["of a recording"] += not each.is_of_meaning
                        recorded[each.kernel] += not each.is_of_meaning
                        counts["not compared"] += each.verdict == "not_compared"
                        if not each.agrees:
                            parts = True
                            _say(f"{release} {setting} {name}: {each}")
                _say(f"{release} {setting}: {dict(counts)}")
                _say(f"  compared with the recording: {dict(+recorded)}")
    return int(parts)


if __name__ == "__main__":
    sys.exit(main())
