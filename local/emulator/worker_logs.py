"""Reads what a worker logged in an invocation, without waiting for more.

A worker writes its log to a pipe, synchronously, before it answers on another one. The emulator reads the log
in a thread, so it waits after each answer: 5 ms after the last line, 50 ms if there was none. Until then the
invocation has not ended and its message groups stay locked, unlike on AWS. Here the pipe itself says whether
anything is left.
"""

import array
import fcntl
import os
import queue
import select
import termios
import threading


def read_stderr(worker):
    """Reads the pipe until it is closed. Runs in a thread per worker."""
    file, lines = worker._proc.stderr, worker._stderr_queue
    pipe = Pipe(file.fileno(), lines)
    worker.payhooks_pipe = pipe
    waiting = select.poll()
    waiting.register(file, select.POLLIN)
    while waiting.poll() and pipe.take():
        pass
    if pipe.rest:
        lines.put(pipe.rest.decode("utf-8", "replace"))


def drain_stderr(worker, **_waits):
    """Returns the lines logged so far."""
    pipe = getattr(worker, "payhooks_pipe", None)
    if pipe is not None:
        pipe.take_all()
    lines = []
    try:
        while True:
            lines.append(worker._stderr_queue.get_nowait())
    except queue.Empty:
        return "\n".join(lines)


class Pipe:
    """A reader holds the lock until its lines are queued: lock free and pipe empty means that none is left."""

    def __init__(self, descriptor, lines):
        self.descriptor, self.lines = descriptor, lines
        self.lock = threading.Lock()
        self.rest = b""

    def take(self):
        """Moves the available lines into the queue. Returns whether the pipe may still bring more."""
        with self.lock:
            if self.size() == 0:
                # Nothing to read: the pipe is closed, unless the other reader was faster.
                return not self.is_closed()
            *lines, self.rest = (self.rest + os.read(self.descriptor, 65_536)).split(b"\n")
            for line in lines:
                self.lines.put(line.decode("utf-8", "replace"))
            return True

    def take_all(self):
        try:
            while self.size() > 0:
                self.take()
            # Another reader may have emptied the pipe; it releases the lock once its lines are in the queue.
            with self.lock:
                pass
        except (OSError, ValueError):
            pass  # the worker has ended

    def size(self):
        size = array.array("i", [0])
        fcntl.ioctl(self.descriptor, termios.FIONREAD, size)
        return size[0]

    def is_closed(self):
        poll = select.poll()
        poll.register(self.descriptor, select.POLLIN)
        return any(event & (select.POLLHUP | select.POLLERR | select.POLLNVAL) for _, event in poll.poll(0))
