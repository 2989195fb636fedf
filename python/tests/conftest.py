"""What the tests share: memories, traces and the project's root."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import hardwon

ROOT = Path(__file__).resolve().parents[2]
COMMAND = Path(sys.executable).with_name("hardwon")
sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(autouse=True)
def no_place_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing that a test does reaches the stores and settings of whoever runs it."""
    for name in [name for name in os.environ if name.startswith("HARDWON_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "store"


@pytest.fixture
def memory(store: Path) -> Iterator[hardwon.Memory]:
    with hardwon.Memory.open(store) as opened:
        yield opened


def trace(run: str, error: str = "parent directory does not exist", path: str = "out/a.md") -> str:
    """A run whose only call fails."""
    return json.dumps(
        {
            "type": "tool_call",
            "session_id": run,
            "event_id": f"{run}-1",
            "ts": "2026-03-01T10:00:00Z",
            "name": "write_file",
            "args": {"path": path},
            "result": {"ok": False, "error": error},
        }
    )
