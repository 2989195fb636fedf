"""Recalls each query of stdin from the store named, nine times over; prints the median CPU milliseconds of one.

The other half of `benches/src/python.rs`, which compares.
"""

import statistics
import sys
import time

import hardwon

queries = sys.stdin.read().splitlines()
with hardwon.Memory.open(sys.argv[1]) as memory:
    memory.recall(queries[0])
    rounds = []
    for _ in range(9):
        before = time.process_time()
        for query in queries:
            memory.recall(query)
        rounds.append((time.process_time() - before) * 1e3 / len(queries))
print(statistics.median(rounds))
