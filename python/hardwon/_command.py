"""The console command `hardwon`: an entry into the extension, with nothing else imported.

Decides what the process does about signals and its end, as a program of its own would. Never decides what a verb does.
"""

from __future__ import annotations

import os
import sys

from ._native import command


def main() -> None:
    """Runs the command with the arguments of this process, and ends it."""
    import _signal  # type: ignore[import-not-found]

    # The interpreter would only note an interrupt while the engine works.
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
    script = sys.argv[0]
    if script.endswith("__main__.py"):
        script = os.path.join(os.path.dirname(sys.executable), "hardwon")
    # There is nothing to be finalized that a command has made.
    os._exit(command([script, *sys.argv[1:]]))
