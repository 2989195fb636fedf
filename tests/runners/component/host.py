"""The component in wasmtime, from Python: one instance with the imports that a test gives it.

Decides what an import that nobody gave answers: `unsupported`. Never decides what a test expects.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from wasmtime import Config, Engine, Store
from wasmtime.component import Component, Linker, Record, ResourceHost, ResourceType, Variant

ROOT = Path(__file__).resolve().parent.parent.parent.parent
COMPONENT = ROOT / "target/component/engine/hardwon-memory-engine.wasm"
PACKAGE = "hardwon:memory/{}@0.1.0"
# The resource type of a store's handle, by a number of this host's own.
STORE = 1


def unsupported(*_: Any) -> None:
    """`None` is the case without a value: these bindings tell cases apart by the type of the value where they can."""


def no_model(*_: Any) -> Variant:
    """As [`unsupported`], where a text could be either case."""
    return Variant("err", None)


def record(**fields: Any) -> Record:
    made = Record()
    for name, value in fields.items():
        setattr(made, name.replace("_", "-"), value)
    return made


def env(n: int, now: int = 1_780_000_000_000) -> Record:
    return record(now=now, seed=(n, 0))


class Loaded:
    """A component that is compiled once and instantiated often."""

    def __init__(self, path: Path = COMPONENT, fuel: bool = False) -> None:
        config = Config()
        config.consume_fuel = fuel
        config.wasm_simd = True
        self.engine = Engine(config)
        self.component = Component.from_file(self.engine, str(path))

    def instance(self, **imports: Any) -> Instance:
        return Instance(self, imports)


class Instance:
    """An instance; a call is `instance("engine", "[method]space.teach", handle, …)`."""

    def __init__(self, loaded: Loaded, imports: dict[str, Any]) -> None:
        self.store = Store(loaded.engine)
        self.limits = imports.pop("limits", None)
        if self.limits:
            self.limits(self.store)
        self.stores: dict[int, Any] = {}
        linker = Linker(loaded.engine)
        with linker.root() as root:
            self._link(root, "host-embed", ["describe", "embed"], imports)
            self._link(root, "host-model", ["name", "complete"], imports)
            self._link(root, "host-tables", ["tokens", "embedder"], imports)
            with root.add_instance(PACKAGE.format("host-store")) as interface:
                interface.add_resource("store", ResourceType.host(STORE), lambda _, rep: self.stores.pop(rep, None))
                for name in ["read", "write"]:
                    interface.add_func(f"[method]store.{name}", self._store_call(name))
        self.instance = linker.instantiate(self.store, loaded.component)
        self.functions: dict[tuple[str, str], Any] = {}

    def _link(self, root: Any, name: str, functions: list[str], imports: dict[str, Any]) -> None:
        with root.add_instance(PACKAGE.format(name)) as interface:
            for function in functions:
                given = imports.get(f"{name}.{function}", no_model if function == "name" else unsupported)
                interface.add_func(function, lambda _, *arguments, given=given: given(*arguments))

    def _store_call(self, name: str) -> Any:
        def call(store: Any, handle: Any, argument: Any) -> Any:
            return getattr(self.stores[handle.to_host(self.store).rep], name)(argument)

        return call

    def handle(self, rows: Any) -> Any:
        """A handle to a store: an object with `read` and `write`."""
        rep = len(self.stores) + 1
        self.stores[rep] = rows
        return ResourceHost.own(rep, STORE).to_any(self.store)

    def open(self, rows: Any = None, setup: Any = None) -> Any:
        return self("engine", "[static]space.open", rows and self.handle(rows), setup)

    def __call__(self, interface: str, name: str, *arguments: Any) -> Any:
        key = (interface, name)
        if key not in self.functions:
            index = self.instance.get_export_index(self.store, PACKAGE.format(interface))
            found = self.instance.get_export_index(self.store, name, index)
            self.functions[key] = self.instance.get_func(self.store, found)
        function = self.functions[key]
        said = function(self.store, *arguments)
        function.post_return(self.store)
        return said


def tokens() -> bytes:
    return (ROOT / "model/data/o200k.bin").read_bytes()


sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
