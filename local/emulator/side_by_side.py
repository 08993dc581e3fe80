"""Runs many invocations of a function in one process, as Lambda Managed Instances do.

A delivery is a millisecond of work and a second of waiting. With a process for each, the machine would start
fifty.

The emulator's pool of workers stays unchanged and gives each invocation a worker. A worker here is a seat in
a shared process.
"""

import json
import os
import threading
import time
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TookTooLong

MARK = "+side-by-side"


def seats_for(names, count, lambda_runtime):
    """Makes workers of our functions with these names seats in processes of `count` seats each.

    All of them have these two variables. What functions of others are called does not matter.
    """

    def is_wanted(config):
        variables = (config.get("Environment") or {}).get("Variables") or {}
        return variables.get("POWERTOOLS_SERVICE_NAME") in names and "POWERTOOLS_METRICS_NAMESPACE" in variables

    seating = Seating(count, process_class(lambda_runtime))

    class Seat(lambda_runtime.Worker):
        def invoke(self, event, request_id, **values):
            return seating.process_of(self).invoke(event, request_id, **values)

        # The pool calls this after ending a worker.
        def _discard_tmpdir(self):
            seating.leave(self)

    def replacement(original):
        def worker_class_for(config):
            return Seat if is_wanted(config) else original(config)

        return worker_class_for

    return replacement


def run_by(script):
    """Makes Node run shared processes with this script."""

    def replacement(original):
        def detect_runtime_binary(runtime):
            return ("node", f"import({json.dumps(script)})") if runtime.endswith(MARK) else original(runtime)

        return detect_runtime_binary

    return replacement


class Seating:
    """Which seat belongs to which process. A process ends when its last seat is released."""

    def __init__(self, count, process_class):
        self.count, self.process_class = count, process_class
        self.lock = threading.Lock()
        self.taken = {}

    def process_of(self, seat):
        with self.lock:
            if seat not in self.taken:
                self.taken[seat] = self.with_room_for(seat)
            return self.taken[seat]

    def with_room_for(self, seat):
        seats = {}
        for process in self.taken.values():
            seats[process] = seats.get(process, 0) + 1
        code = identity(seat.config)
        for process, count in seats.items():
            if count < self.count and identity(process.config) == code:
                return process
        return self.process_class(seat.func_name, seat.config, seat.code_zip)

    def leave(self, seat):
        with self.lock:
            process = self.taken.pop(seat, None)
            is_empty = process is not None and process not in self.taken.values()
        if is_empty:
            process.kill()


def identity(config):
    return [config.get(name) for name in ("FunctionArn", "Version", "CodeSha256", "RevisionId")]


def read(line):
    """An answer; empty for other output on the pipe."""
    try:
        answer = json.loads(line)
    except ValueError:
        return {}
    return answer if isinstance(answer, dict) else {}


def process_class(lambda_runtime):
    class Process(lambda_runtime.Worker):
        def __init__(self, func_name, config, code_zip):
            super().__init__(func_name, {**config, "Runtime": config["Runtime"] + MARK}, code_zip)
            # By request id, of the current process only.
            self.waiting = {}

        def invoke(self, event, request_id, *, invoked_function_arn=None, **_what_nobody_here_uses):
            timeout = self.config.get("Timeout", 30)
            line = {"event": event, "request_id": request_id, "invoked_function_arn": invoked_function_arn, "timeout_ms": int(timeout * 1_000)}
            answer = Future()
            with self._lock:
                cold = self._proc is None or self._proc.poll() is not None
                if cold:
                    self._spawn()
                    self.waiting = {}
                    threading.Thread(target=self.read_answers, args=[self._proc, self.waiting], daemon=True).start()
                process = self._proc
                self.waiting[request_id] = answer
                try:
                    process.stdin.write(json.dumps(line) + "\n")
                    process.stdin.flush()
                except OSError:
                    pass  # it has ended, and its reader reports that
            try:
                return {**answer.result(timeout), "cold_start": cold}
            except TookTooLong:
                # As on Lambda, the invocation must stop. Others in the process end with it; SQS redelivers
                # their records.
                log = self.ended(process)
                return {"status": "error", "error": f"Task timed out after {timeout}.00 seconds", "cold_start": cold, "log": log}

        def ended(self, process):
            lambda_runtime._signal(process)
            lambda_runtime._collect(process, time.monotonic() + lambda_runtime._REAP_GRACE)
            self._stderr_thread.join(1)
            return self._drain_stderr()

        def read_answers(self, process, waiting):
            for line in process.stdout:
                answer = read(line)
                asked = waiting.pop(answer.get("request_id"), None)
                if asked is not None:
                    asked.set_result(answer)
            process.wait()
            # Nothing is added after this: later invocations see that the process has ended.
            with self._lock:
                lost = list(waiting.values())
                waiting.clear()
            self._stderr_thread.join(1)
            log = self._drain_stderr()
            for asked in lost:
                asked.set_result({"status": "error", "error": f"Worker process died with exit code {process.returncode}", "log": log})

    return Process
