"""Starts the corrected emulator, and leaves no process behind when its parent ends.

There are two processes. The guard (this one) reads a pipe from its parent on stdin and starts the emulator in
a process group of its own. When the parent closes the pipe or dies, or the emulator exits, the guard kills
that group with all Lambda workers and removes the given paths. The emulator watches the guard in turn, so
even `kill -9` of either leaves nothing behind.

Usage: launcher.py [path to remove at the end]...      Environment: ministack's variables; GATEWAY_PORT,
BIND_HOST.
"""

import os
import shutil
import signal
import sys
import threading
import time

from corrected_emulator import run_emulator


def end_with(pipe):
    """Kills this process group when the other end of the pipe is closed."""

    def watch():
        os.read(pipe, 1)
        os.killpg(0, signal.SIGKILL)

    threading.Thread(target=watch, daemon=True).start()


def main():
    if not hasattr(os, "fork"):
        sys.exit("launcher.py: needs a POSIX system: Linux, macOS or WSL")
    from_guard, to_emulator = os.pipe()
    emulator = os.fork()
    if emulator == 0:
        os.setpgid(0, 0)
        os.close(to_emulator)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        end_with(from_guard)
        run_emulator()
        return

    os.close(from_guard)
    try:
        os.setpgid(emulator, emulator)  # both processes do this, whichever comes first
    except OSError:
        pass
    # Ctrl-C is for the parent, which stops us when it no longer needs the emulator.
    for ignored in (signal.SIGINT, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)
    guard(emulator)


def guard(emulator):
    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    code = [0]

    def await_parent():
        while os.read(0, 1024):
            pass
        ended.set()

    def await_emulator():
        code[0] = os.waitstatus_to_exitcode(os.waitpid(emulator, 0)[1])
        ended.set()

    for wait in (await_parent, await_emulator):
        threading.Thread(target=wait, daemon=True).start()
    ended.wait()
    kill_group(emulator)
    for path in sys.argv[1:]:
        shutil.rmtree(path, ignore_errors=True) if os.path.isdir(path) else remove_file(path)
    os._exit(code[0] if code[0] >= 0 else 128 - code[0])


def kill_group(group):
    """Kills repeatedly until the group is empty, as a process being killed may just have forked another.

    Gives up after two seconds: only zombies are left then, which a container's first process does not reap.
    """
    for _ in range(200):
        try:
            os.killpg(group, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):  # macOS raises the latter for a group of zombies
            return
        time.sleep(0.01)


def remove_file(path):
    try:
        os.remove(path)
    except FileNotFoundError:
        pass


if __name__ == "__main__":
    main()
