"""Fails unless every host ran exactly the vectors that the files hold."""

import sys

from play import ROOT, vectors

HOSTS = ["rust", "python", "node", "chromium", "component-wasmtime", "component-jco"]

names = [vector["name"] for vector in vectors()]
problems = [] if names else ["there is no vector"]
for host in HOSTS:
    path = ROOT / f"target/vectors/{host}.txt"
    ran = path.read_text().splitlines() if path.exists() else []
    if ran != names:
        missing, unknown = sorted(set(names) - set(ran)), sorted(set(ran) - set(names))
        problems.append(f"{host} ran {len(ran)} of {len(names)}; missing {missing}; unknown {unknown}")
if problems:
    sys.exit("\n".join(problems))
print(f"{len(names)} vectors, each in {', '.join(HOSTS)}")
