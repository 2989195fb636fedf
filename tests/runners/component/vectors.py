"""The vectors through the component in wasmtime."""

from host import Loaded, tokens

from play import Refused, main

INSTANCE = Loaded().instance(**{"host-tables.tokens": tokens})


class Stepper:
    def __init__(self, setup):
        self.handle = INSTANCE("stepping", "[static]stepper.make", setup)
        if isinstance(self.handle, str):
            raise Refused(self.handle)

    def start(self, text):
        return INSTANCE("stepping", "[method]stepper.start", self.handle, 0, text)

    def resume(self, text):
        return INSTANCE("stepping", "[method]stepper.resume", self.handle, 0, text)


main("component-wasmtime", Stepper)
