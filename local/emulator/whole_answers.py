"""A connection on which an answer leaves in one piece."""


def in_one_piece(protocol, soon):
    """The protocol, uvicorn's, with transports that hand on at once what is written in one step. By itself it writes the head of an answer, then its body:
    two calls of the system, and two wakes of whoever waits for it.

    `soon` calls a function after the step, as `loop.call_soon` does.
    """

    class InOnePiece(protocol):
        def connection_made(self, transport):
            super().connection_made(Gathering(transport, soon))

    return InOnePiece


class Gathering:
    """A transport that gathers what is written until the step is over. For all else it is the one that was given."""

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
