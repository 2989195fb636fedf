"""One memory of the wheel, for whoever compares hosts: `wheel.py PATH`, calls in and answers out as JSON."""

import json
import sys

import hardwon

with hardwon.Memory.open(sys.argv[1]) as memory:
    answers = []
    for verb, options in json.load(sys.stdin):
        if verb == "import_records":
            exported = hardwon.Exported.from_dict(options)
            options = {"records": exported.records, "vectors": exported.vectors}
        answers.append(getattr(memory, verb)(**options).to_dict())
    json.dump(answers, sys.stdout)
