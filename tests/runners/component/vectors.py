"""The vectors in a component host: `run.py COMPONENT.wasm`. The component imports nothing, so nothing is linked."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from play import Refused, main
from wasmtime import Engine, Store, component


def exports(path):
    engine = Engine()
    store = Store(engine)
    loaded = component.Component.from_file(engine, path)
    instance = component.Linker(engine).instantiate(store, loaded)
    steps = instance.get_export_index(store, "steps")

    def function(name):
        found = instance.get_func(store, instance.get_export_index(store, name, steps))

        def call(*arguments):
            result = found(store, *arguments)
            found.post_return(store)
            return result

        return call

    return {name: function(f"[{kind}]stepper.{name}") for kind, name in NAMES}


NAMES = [("static", "make"), ("method", "start"), ("method", "resume")]
CALLS = exports(sys.argv[1])


class Stepper:
    def __init__(self, setup):
        self.handle = CALLS["make"](setup)
        if isinstance(self.handle, str):
            raise Refused(self.handle)

    def start(self, text):
        return CALLS["start"](self.handle, text)

    def resume(self, text):
        return CALLS["resume"](self.handle, text)


main("component", Stepper)
