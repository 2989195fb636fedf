"""What a host may do to the component: run out of fuel or memory, trap, lie, answer junk, be slow. `faults.py`.

Decides that the component ends in an error of its list or in a trap of the host's, and that nothing acknowledged is lost.
"""

import sys
import time

from host import ROOT, Loaded, env, no_model, record
from wasmtime import Trap, WasmtimeError
from wasmtime.component import Variant

sys.path.insert(0, str(ROOT / "examples/wasi-python"))

LOADED = Loaded()
# Bytes are counted, since Python hands a table over byte by byte: a lesson has more room here.
SETUP = record(policy='{"learn":{"token_cap":120}}', embedder="best", counter="bytes")


class Rows:
    """Rows in a dictionary."""

    def __init__(self):
        self.version, self.rows = 0, {}

    def read(self, spans):
        found = [(key, value) for key, value in self.rows.items() if any(s.first <= key < s.end for s in spans)]
        return record(version=self.version, rows=[record(key=key, value=value) for key, value in sorted(found)])

    def write(self, change):
        if change.version != self.version:
            return False
        for key in change.removes:
            self.rows.pop(key, None)
        self.rows.update((row.key, row.value) for row in change.puts)
        self.version += 1
        return True


def teach(instance, space, n, text="Run the formatter before you commit."):
    return instance("engine", "[method]space.teach", space, env(n), text, None)


def total(instance, space, n=999):
    return instance("engine", "[method]space.list", space, env(n), None).total


def is_error(said, kind, code):
    return isinstance(said, Variant) and said.tag == kind and said.payload.code == code


def test_two_instances_share_a_store_and_a_retry_is_one_operation():
    rows = Rows()
    one, other = LOADED.instance(), LOADED.instance()
    here, there = one.open(rows, SETUP), other.open(rows, SETUP)
    assert teach(one, here, 1).outcome == "created"
    assert teach(other, there, 2, "Ask before you push to a shared branch.").outcome == "created"
    teach(one, here, 1)
    assert total(one, here) == total(other, there) == 2, "the same seed is the same operation"


def test_a_snapshot_goes_on_elsewhere_and_a_damaged_one_is_told():
    one = LOADED.instance()
    space = one.open(None, SETUP)
    for n in range(40):
        teach(one, space, n, f"Check ledger {n} of the tenant before you close stage {n * 7}.")
    bytes_ = one("engine", "[method]space.snapshot", space)
    other = LOADED.instance()
    again = other("engine", "[static]space.open-snapshot", bytes_, SETUP)
    said = other("engine", "[method]space.recall", again, env(50), "close stage 7", None)
    assert said.items and said.block == one("engine", "[method]space.recall", space, env(50), "close stage 7", None).block
    assert total(other, again) == 40 and teach(other, again, 60).outcome == "created"
    broken = bytes_[:-1] + bytes([bytes_[-1] ^ 1])
    assert is_error(other("engine", "[static]space.open-snapshot", broken, SETUP), "corrupt", "corrupt")


def test_a_reader_reads_and_has_no_verb_that_writes():
    rows = Rows()
    one = LOADED.instance()
    space = one.open(rows, SETUP)
    teach(one, space, 1)
    reader = one("engine", "[method]space.reader", space)
    before = rows.version
    for verb in ["list", "export-records", "review", "report"]:
        one("engine", f"[method]reader.{verb}", reader, env(2), None)
    assert one("engine", "[method]reader.recall", reader, env(2), "commit", None).items and rows.version == before
    index = one.instance.get_export_index(one.store, "hardwon:memory/engine@0.1.0")
    assert one.instance.get_export_index(one.store, "[method]reader.teach", index) is None


def test_fuel_and_memory_are_the_hosts():
    loaded = Loaded(fuel=True)
    dry = loaded.instance(limits=lambda store: store.set_fuel(200_000_000))
    space = dry.open(None, SETUP)
    assert teach(dry, space, 1).outcome == "created"
    dry.store.set_fuel(10_000)
    try:
        teach(dry, space, 2)
        raise AssertionError("it ran without fuel")
    except (Trap, WasmtimeError) as trap:
        assert "fuel" in str(trap)

    def small(store):
        store.set_fuel(2_000_000_000)
        store.set_limits(memory_size=8 << 20)

    small = loaded.instance(limits=small)
    space = small.open(None, SETUP)
    line = '{"type":"tool_call","session_id":"s","event_id":"e","name":"t","args":{},"result":{"ok":true}}\n'
    try:
        small("engine", "[method]space.learn", space, env(1), line * 100_000, None)
        raise AssertionError("10 MB fit into 8 MB")
    except (Trap, WasmtimeError):
        pass


def test_a_host_that_traps_costs_its_instance_and_nothing_else():
    rows = Rows()
    one = LOADED.instance()
    space = one.open(rows, SETUP)
    teach(one, space, 1)
    written, rows.write = rows.write, lambda change: 1 / 0
    try:
        teach(one, space, 2, "Ask before you push.")
        raise AssertionError("the host's own exception is lost")
    except ZeroDivisionError:
        pass
    rows.write = written
    other = LOADED.instance()
    assert total(other, other.open(rows, SETUP)) == 1


def test_a_host_that_lies_about_its_version_loses_nothing():
    rows = Rows()
    one = LOADED.instance()
    space = one.open(rows, SETUP)
    teach(one, space, 1)
    honest = rows.read
    rows.read = lambda spans: record(version=0, rows=honest(spans).rows)
    assert is_error(teach(one, space, 2, "Ask before you push."), "contended", "contended")
    rows.read = lambda spans: record(version=rows.version, rows=[row for row in honest(spans).rows if row.key != "head"])
    said = teach(one, space, 3, "Ask before you push.")
    assert isinstance(said, Variant) or said.outcome == "created"
    rows.read = honest
    other = LOADED.instance()
    assert total(other, other.open(rows, SETUP)) >= 1


def test_rows_that_are_no_rows_are_corrupt():
    rows = Rows()
    one = LOADED.instance()
    teach(one, one.open(rows, SETUP), 1)
    key = next(key for key in rows.rows if key.startswith("record/"))
    rows.rows[key] = "{"
    other = LOADED.instance()
    said = other("engine", "[method]space.list", other.open(rows, SETUP), env(2), None)
    assert is_error(said, "corrupt", "corrupt")


def test_junk_vectors_end_in_an_error_or_in_no_opinion():
    info = record(id="junk-1", dims=4, merge=900_000, candidate=750_000)
    for answer, fails in [
        (lambda texts: [[float("nan")] * 4 for _ in texts], False),
        (lambda texts: [[float("inf"), 0.0, 0.0, 0.0] for _ in texts], False),
        (lambda texts: [[1.0] * 3 for _ in texts], True),
        (lambda texts: [], True),
    ]:
        one = LOADED.instance(**{"host-embed.describe": lambda: info, "host-embed.embed": answer})
        said = teach(one, one.open(None, SETUP), 1)
        assert is_error(said, "host", "host.embedder") if fails else said.outcome == "created"


def test_a_store_that_fails_says_why_and_one_that_is_slow_is_waited_for():
    class Slow(Rows):
        def read(self, spans):
            time.sleep(0.05)
            return super().read(spans)

    one = LOADED.instance()
    assert teach(one, one.open(Slow(), SETUP), 1).outcome == "created"
    rows = Rows()
    space = one.open(rows, SETUP)
    rows.read = lambda spans: "the disk is on fire"
    said = teach(one, space, 2)
    assert is_error(said, "host", "host.store") and "on fire" in said.payload.message


def test_a_handle_without_a_store_behind_it_is_a_space_of_its_own():
    rows = Rows()
    rows.read = lambda spans: None
    one = LOADED.instance()
    space = one.open(rows, SETUP)
    assert teach(one, space, 1).outcome == "created" and total(one, space) == 1
    assert no_model().tag == "err"


tests = [(name, test) for name, test in list(globals().items()) if name.startswith("test_")]
for name, test in tests:
    test()
print(f"{len(tests)} tests of faults hold in component-wasmtime")
