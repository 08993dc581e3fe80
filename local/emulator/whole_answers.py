"""Sends each HTTP response in one piece."""


def in_one_piece(protocol, soon):
    """Extends uvicorn's protocol with transports that send everything written in one step of the event loop
    at once.

    Otherwise it writes head and body separately: two system calls, which wake the client twice.

    `soon` calls a function after the step, like `loop.call_soon`.
    """

    class InOnePiece(protocol):
        def connection_made(self, transport):
            super().connection_made(Gathering(transport, soon))

    return InOnePiece


class Gathering:
    """Wraps a transport and collects writes until the step is over."""

    def __init__(self, transport, soon):
        self.transport, self.soon, self.written = transport, soon, []

    def __getattr__(self, name):
        return getattr(self.transport, name)

    def write(self, data):
        if not self.written:
            self.soon(self.flush)
        self.written.append(data)

    def flush(self):
        written, self.written = self.written, []
        if written:
            self.transport.writelines(written)

    def close(self):
        self.flush()
        self.transport.close()
