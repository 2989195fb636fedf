"""The vectors in Python, through the strings of the installed package."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from play import Refused, main

import hardwon


def make(setup):
    try:
        return hardwon.Stepper(setup)
    except ValueError as refused:
        raise Refused(str(refused)) from None


main("python", make)
