"""A host of the component in one file: `agent.py COMPONENT STORE`. Memory in a SQLite file that processes share."""

import secrets
import sqlite3
import sys
import time

from wasmtime import Engine, Store
from wasmtime.component import Component, Linker, Record, ResourceHost, ResourceType

PACKAGE = "hardwon:memory/{}@0.1.0"


def record(**fields):
    made = Record()
    vars(made).update(fields)
    return made


class Rows:
    """The rows of one space in a file: what `host-store` asks for."""

    def __init__(self, path):
        self.db = sqlite3.connect(path, isolation_level=None, timeout=10)
        self.db.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON;"
                              "CREATE TABLE IF NOT EXISTS row (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;")

    def version(self):
        return self.db.execute("PRAGMA user_version").fetchone()[0]

    def read(self, spans):
        find, rows = "SELECT key, value FROM row WHERE key >= ? AND key < ?", []
        self.db.execute("BEGIN")
        for span in spans:
            found = self.db.execute(find, (span.first, span.end))
            rows += [record(key=key, value=value) for key, value in found]
        page = record(version=self.version(), rows=rows)
        self.db.execute("COMMIT")
        return page

    def write(self, change):
        self.db.execute("BEGIN IMMEDIATE")
        if is_next := self.version() == change.version:
            self.db.executemany("DELETE FROM row WHERE key = ?", [(key,) for key in change.removes])
            self.db.executemany("REPLACE INTO row VALUES (?, ?)", [(row.key, row.value) for row in change.puts])
            self.db.execute(f"PRAGMA user_version = {change.version + 1}")
        self.db.execute("COMMIT")
        if is_next and change.erases:
            self.db.executescript("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);")
        return is_next


def open_space(component, rows):
    """A space on these rows, and the function that calls an export of its instance."""
    engine = Engine()
    store, linker = Store(engine), Linker(engine)
    with linker.root() as root, root.add_instance(PACKAGE.format("host-store")) as port:
        port.add_resource("store", ResourceType.host(1), lambda *_: None)
        # A borrowed handle is given back before the call ends.
        port.add_func("[method]store.read", lambda at, handle, spans: handle.drop(at) or rows.read(spans))
        port.add_func("[method]store.write", lambda at, handle, change: handle.drop(at) or rows.write(change))
    instance = linker.instantiate(store, Component.from_file(engine, component))

    def call(name, *arguments):
        index = instance.get_export_index(store, PACKAGE.format("engine"))
        function = instance.get_func(store, instance.get_export_index(store, name, index))
        said = function(store, *arguments)
        function.post_return(store)
        return said

    return call("[static]space.open", ResourceHost.own(1, 1).to_any(store), None), call


def env():
    """The clock and the random source of one call."""
    return record(now=time.time_ns() // 1_000_000, seed=(secrets.randbits(64), secrets.randbits(64)))


if __name__ == "__main__":
    space, call = open_space(sys.argv[1], Rows(sys.argv[2]))
    call("[method]space.teach", space, env(), "Run the formatter before you commit.", None)
    print(call("[method]space.recall", space, env(), "format the code and commit", None).block)
