"""Holds every dependency of every lockfile to deny.toml: licences, sources, versions and features that are banned.

Decides nothing that deny.toml does not say. Never asks a network: `cargo metadata` reads what is fetched already.
"""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CRATES_IO = "registry+https://github.com/rust-lang/crates.io-index"


def allows(expression: str, allowed: set[str]) -> bool:
    """Whether an SPDX expression can be met with the allowed licences. AND binds tighter than OR."""
    tokens = re.findall(r"\(|\)|[\w.+-]+", expression.replace("/", " OR "))

    def either() -> bool:
        holds = both()
        while tokens and tokens[0] == "OR":
            tokens.pop(0)
            holds = both() or holds
        return holds

    def both() -> bool:
        holds = one()
        while tokens and tokens[0] == "AND":
            tokens.pop(0)
            holds = one() and holds
        return holds

    def one() -> bool:
        token = tokens.pop(0) if tokens else ""
        if token == "(":
            holds = either()
            tokens.pop(0)
            return holds
        if tokens and tokens[0] == "WITH":
            tokens.pop(0)
            token = f"{token} WITH {tokens.pop(0)}"
        return token in allowed

    return either() and not tokens


def metadata(manifest: Path) -> dict:
    command = ["cargo", "metadata", "--format-version=1", "--all-features", "--locked", "--manifest-path", str(manifest)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout)


def problems(manifest: Path, deny: dict) -> list[str]:
    graph = metadata(manifest)
    allowed = set(deny["licenses"]["allow"])
    exceptions = {one["crate"]: set(one["allow"]) for one in deny["licenses"].get("exceptions", [])}
    banned = {one["crate"]: set(one["deny"]) for one in deny["bans"].get("features", [])}
    found = []
    for package in graph["packages"]:
        name = f"{package['name']} {package['version']}"
        licence = package["license"] or ""
        if not allows(licence, allowed | exceptions.get(package["name"], set())):
            found.append(f"{name}: licence {licence!r} is not allowed")
        if package["source"] not in (None, CRATES_IO):
            found.append(f"{name}: comes from {package['source']}")
    names = {package["id"]: package["name"] for package in graph["packages"]}
    for node in graph["resolve"]["nodes"]:
        for feature in banned.get(names[node["id"]], set()) & set(node["features"]):
            found.append(f"{names[node['id']]}: feature {feature!r} is banned")
    return found


def self_check() -> None:
    assert allows("MIT OR Apache-2.0", {"MIT"}) and not allows("MIT AND GPL-3.0", {"MIT"})
    assert allows("(MIT OR GPL-3.0) AND Unicode-3.0", {"MIT", "Unicode-3.0"}) and not allows("", {"MIT"})
    assert not allows("Apache-2.0 WITH LLVM-exception", {"Apache-2.0"})


def main() -> int:
    self_check()
    deny = tomllib.loads((ROOT / "deny.toml").read_text())
    manifests = sorted(path.with_name("Cargo.toml") for path in ROOT.rglob("Cargo.lock") if "target" not in path.parts)
    found = [f"{path.relative_to(ROOT)}: {one}" for path in manifests for one in problems(path, deny)]
    print("\n".join(found) if found else f"{len(manifests)} lockfiles hold to deny.toml")
    return 1 if found else 0


sys.exit(main())
