"""The examples do what they say, and so does each block of the documentation that is to be run."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import ROOT

EXAMPLES = ROOT / "examples/python"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "python/README.md"]
BLOCK = re.compile(r"^```python run\n(.*?)^```$", re.M | re.S)


def run(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    path = {**os.environ, "PYTHONPATH": str(EXAMPLES)}
    return subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=path, capture_output=True, text=True, timeout=120
    )


def test_the_agent_fails_in_its_first_run_alone(tmp_path: Path) -> None:
    done = run("import agent, sys; sys.exit(agent.main('store') != [1, 0])", tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("save_report: failed:") == 1


def test_the_notebook_runs(tmp_path: Path) -> None:
    notebook = json.loads((EXAMPLES / "agent.ipynb").read_text(encoding="utf-8"))
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) >= 5 and all(cell["outputs"] == [] for cell in notebook["cells"] if cell["cell_type"] == "code")
    done = run("\n".join(cells), tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def blocks() -> list[tuple[str, str]]:
    return [(page.name, block) for page in PAGES for block in BLOCK.findall(page.read_text(encoding="utf-8"))]


def test_there_is_a_quick_start() -> None:
    assert any(page == "README.md" for page, _ in blocks())


@pytest.mark.parametrize(("page", "block"), blocks())
def test_a_block_of_the_documentation_runs(page: str, block: str, tmp_path: Path) -> None:
    done = run(block, tmp_path)
    assert done.returncode == 0, f"{page}\n{done.stdout}{done.stderr}"
