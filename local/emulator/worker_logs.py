"""Takes what a worker has logged in one invocation without waiting for more: its pipe says whether there is any.

A worker writes its lines to a pipe, synchronously, before it answers on another one. The emulator only sees them when a thread has read them, so it waits
after each answer: 5 ms after the last line, 50 ms when there was none. Until then the invocation has not ended and its message groups are locked, which
AWS does not do.
"""

import array
import fcntl
import os
import queue
import select
import termios
import threading


def read_stderr(worker):
    """Follows the pipe until it is closed. Runs in a thread of the worker's own."""
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
    """What has been logged until now, in lines."""
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
    """Whoever reads holds the lock until the lines are in the queue: an empty pipe means that all of them are there."""

    def __init__(self, descriptor, lines):
        self.descriptor, self.lines = descriptor, lines
        self.lock = threading.Lock()
        self.rest = b""

    def take(self):
        """Puts what is there into the queue, line by line. Says whether the pipe may still bring more."""
        with self.lock:
            if self.size() == 0:
                # Woken without anything to read: the other end is closed, unless somebody else was faster.
                return not self.is_closed()
            *lines, self.rest = (self.rest + os.read(self.descriptor, 65_536)).split(b"\n")
            for line in lines:
                self.lines.put(line.decode("utf-8", "replace"))
            return True

    def take_all(self):
        try:
            while self.size() > 0:
                self.take()
            # Whoever has just emptied it lets go when the lines are in the queue.
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
