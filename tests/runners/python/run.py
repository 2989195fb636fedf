"""The vectors in Python, through the extension module beside this script's caller."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import hardwon_vectors
from play import Refused, main


def make(setup):
    try:
        return hardwon_vectors.Stepper(setup)
    except ValueError as refused:
        raise Refused(str(refused)) from None


main("python", make)
