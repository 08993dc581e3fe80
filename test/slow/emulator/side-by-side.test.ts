import { pythonSays } from './python-says.ts';

/** What the emulator's pool sees of a worker, with a process that answers on command. */
const POOL = `
import json, queue, subprocess, sys, threading
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from side_by_side import seats_for

CHILD = """
import json, sys
print("not an answer", flush=True)
held, released = {}, set()
def answer(id, event): print(json.dumps({"request_id": id, "status": "ok", "result": event}), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    id, (verb, name) = asked["request_id"], asked["event"].split()
    if verb == "die": sys.exit(3)
    if verb == "hold" and name not in released:
        held[name] = id
    else:
        answer(id, verb)
        released.add(name)
        if name in held: answer(held.pop(name), "hold")
"""

spawned = []

class Worker:
    def __init__(self, func_name, config, code_zip):
        self.func_name, self.config, self.code_zip = func_name, config, code_zip
        self._proc, self._lock, self._stderr_queue = None, threading.Lock(), queue.Queue()

    def _spawn(self):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self._proc = subprocess.Popen([sys.executable, "-u", "-c", CHILD], **pipes)
        self._stderr_thread = threading.Thread(target=lambda: None)
        self._stderr_thread.start()
        spawned.append(self._proc)

    def _drain_stderr(self): return "its last words"
    def kill(self): kill(self)

def signal(process): process.kill()
def collect(process, deadline): process.wait()
def kill(worker):
    if worker._proc: worker._proc.kill(); worker._proc.wait()

runtime = SimpleNamespace(Worker=Worker, _signal=signal, _collect=collect, _REAP_GRACE=1)
others = lambda config: "the emulator’s own"
worker_class_for = seats_for(["deliver", "match"], 2, runtime)(others)
executor = ThreadPoolExecutor(8)

def config(service="deliver", **given):
    variables = {"POWERTOOLS_SERVICE_NAME": service, "POWERTOOLS_METRICS_NAMESPACE": "Payhooks"}
    return {"Environment": {"Variables": variables}, "FunctionName": "payhooks-local-pipeline-Deliver72E7B226-AB52", "Runtime": "nodejs24.x", "Timeout": 20, "RevisionId": "1", **given}

def seat(**given):
    settings = config(**given)
    settings["FunctionArn"] = settings["FunctionName"]
    return worker_class_for(settings)(settings["FunctionName"], settings, b"")

def invoke(seat, event, id):
    return executor.submit(seat.invoke, event, id, trace_id=None, depth=None)

def running(): return [process for process in spawned if process.poll() is None]

said = {}
`;

async function seen(script: string): Promise<Record<string, unknown>> {
  const end = 'print(json.dumps(said), flush=True)\nkill_all = [p.kill() for p in spawned]';
  return JSON.parse(await pythonSays(`${POOL}\n${script}\n${end}`)) as Record<string, unknown>;
}

const answered = (request_id: string, result: string, cold_start: boolean) => ({
  ...{ request_id, status: 'ok', result, cold_start },
});

test('invocations share a process up to its number of seats', async () => {
  expect(
    await seen(`
one, two, three = seat(), seat(), seat()
invoke(one, "say hello", "0").result()
held = invoke(one, "hold it", "1")
said["second"] = invoke(two, "release it", "2").result()
said["first"] = held.result()
said["processes of two"] = len(running())
said["third"] = invoke(three, "say hello", "3").result()
said["processes of three"] = len(running())
`),
  ).toEqual({
    first: answered('1', 'hold', false),
    second: answered('2', 'release', false),
    'processes of two': 1,
    third: answered('3', 'say', true),
    'processes of three': 2,
  });
});

test('another version of a function has its own process, and other functions use the emulator’s', async () => {
  expect(
    await seen(`
for given in [{}, {"RevisionId": "2"}, {"FunctionName": "payhooks-local-pipeline-Match01234567-AB52"}]:
    invoke(seat(**given), "say hello", "1").result()
said["processes"] = len(running())
said["sweep"] = worker_class_for(config(service="sweep"))
said["delivery of another"] = worker_class_for({**config(), "Environment": {"Variables": {"POWERTOOLS_SERVICE_NAME": "deliver"}}})
`),
  ).toEqual({
    processes: 3,
    sweep: 'the emulator’s own',
    'delivery of another': 'the emulator’s own',
  });
});

test('a process that dies fails its invocations, and the next one starts another', async () => {
  const died = {
    ...{ status: 'error', error: 'Worker process died with exit code 3', log: 'its last words' },
    cold_start: false,
  };
  expect(
    await seen(`
one, two = seat(), seat()
invoke(one, "say hello", "0").result()
held = invoke(one, "hold it", "1")
said["dead"] = invoke(two, "die now", "2").result()
said["beside"] = held.result()
said["next"] = invoke(one, "say hello", "3").result()
`),
  ).toEqual({
    dead: died,
    beside: died,
    next: answered('3', 'say', true),
  });
});

test('an invocation that times out ends its process', async () => {
  expect(
    await seen(`
one, two = seat(Timeout=2), seat(Timeout=2)
said["late"] = invoke(one, "hold it", "1").result()
said["running"] = len(running())
said["next"] = invoke(two, "say hello", "2").result()
`),
  ).toEqual({
    late: {
      ...{ status: 'error', error: 'Task timed out after 2.00 seconds', log: 'its last words' },
      cold_start: true,
    },
    running: 0,
    next: answered('2', 'say', true),
  });
});

test('a process ends when its last seat is released', async () => {
  expect(
    await seen(`
one, two = seat(), seat()
for number, each in enumerate([one, two]): invoke(each, "say hello", str(number)).result()
one._discard_tmpdir()
said["with one"] = len(running())
two._discard_tmpdir()
said["with none"] = len(running())
`),
  ).toEqual({ 'with one': 1, 'with none': 0 });
});
