"""Starts the corrected emulator and makes sure that nothing of it outlives whoever started it.

Two processes. The guard (this one) holds a pipe to its starter on stdin, starts the emulator in a process group of its own, and when either ends
(the starter closes the pipe or dies, the emulator exits) kills that group with all Lambda workers in it and removes the paths given to it.
The emulator in turn watches the guard: not even `kill -9` of one of them leaves a process behind.

Usage: launcher.py [path to remove at the end]...      Environment: as ministack's own; GATEWAY_PORT, BIND_HOST.
"""

import os
import shutil
import signal
import sys
import threading
import time

from corrected_emulator import run_emulator


def end_with(pipe):
    """Kills this process's whole group as soon as the other end of the pipe is closed."""

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
        os.setpgid(emulator, emulator)  # both sides do it: whichever comes first
    except OSError:
        pass
    # A terminal's Ctrl-C is for the starter: it stops us when it has finished with the emulator.
    for ignored in (signal.SIGINT, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)
    guard(emulator)


def guard(emulator):
    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    code = [0]

    def await_starter():
        while os.read(0, 1024):
            pass
        ended.set()

    def await_emulator():
        code[0] = os.waitstatus_to_exitcode(os.waitpid(emulator, 0)[1])
        ended.set()

    for wait in (await_starter, await_emulator):
        threading.Thread(target=wait, daemon=True).start()
    ended.wait()
    kill_group(emulator)
    for path in sys.argv[1:]:
        shutil.rmtree(path, ignore_errors=True) if os.path.isdir(path) else remove_file(path)
    os._exit(code[0] if code[0] >= 0 else 128 - code[0])


def kill_group(group):
    """Kills until nobody is left: a process may just have been forked by one that was being killed.

    Gives up after two seconds: what is left then are zombies that a container's first process does not collect.
    """
    for _ in range(200):
        try:
            os.killpg(group, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):  # macOS reports a group of zombies as the latter
            return
        time.sleep(0.01)


def remove_file(path):
    try:
        os.remove(path)
    except FileNotFoundError:
        pass


if __name__ == "__main__":
    main()
