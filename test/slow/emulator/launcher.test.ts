import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { PROJECT } from '../../../lib/project-paths.ts';
import { findPython } from '../../../local/python/python.ts';
import { removeScratch, scratch } from '../../unit/local/scratch.ts';

afterEach(removeScratch);

const LAUNCHER = join(PROJECT, 'local', 'emulator', 'launcher.py');

interface Fake {
  readonly version?: string;
  /** The body of `ministack.services.sqs`. */
  readonly sqs?: string;
}

/**
 * A package named ministack with what the launcher patches. Its `main` starts a child, prints both pids and
 * waits.
 */
async function fakeMinistack({
  version = '1.5.33',
  sqs = [
    '_HANDLERS = {}',
    'def _act_send_message(data, queue_url): pass',
    'def _prune_dedup(queue): pass',
    'def _expire_retained(queue): pass',
    'def _ensure_msg_fields(message): pass',
    'def _receive_messages_for_esm(queue_url, max_number): return []',
  ].join('\n'),
}: Fake = {}) {
  const directory = await scratch();
  const files = {
    [`ministack-${version}.dist-info/METADATA`]: `Metadata-Version: 2.1\nName: ministack\nVersion: ${version}\n`,
    'ministack/__init__.py': '',
    'ministack/app.py': [
      'import os, subprocess, time',
      'def pin_request_origin(source_ip, secure_transport): pass',
      'def main():',
      "  worker = subprocess.Popen(['sleep', '600'])",
      '  print(os.getpid(), worker.pid, flush=True)',
      '  time.sleep(600)',
    ].join('\n'),
    'ministack/core/__init__.py': '',
    'ministack/core/iam_actions.py': [
      'def extract_iam_action(service, *request): pass',
      'def dynamodb_resource_arns(body, region, account_id): pass',
      'def dynamodb_service_context(body): pass',
      'def extract_resource_arn(service, *request): pass',
      'def _lambda_action(method, path): pass',
    ].join('\n'),
    'ministack/core/iam_evaluator.py': [
      'def parse_policy_document(doc): pass',
      'def fnmatch_iam(value, pattern): pass',
      'def fnmatch_iam_cs(value, pattern): pass',
    ].join('\n'),
    'ministack/core/lambda_runtime.py': [
      'class Worker:',
      '  def _read_stderr(self): pass',
      '  def _drain_stderr_bounded(self): pass',
    ].join('\n'),
    'hypercorn/__init__.py': '',
    'hypercorn/asyncio.py': 'async def serve(app, config): pass',
    'uvloop.py': 'from asyncio import DefaultEventLoopPolicy as EventLoopPolicy',
    'ministack/services/__init__.py': '',
    'ministack/services/dynamodb.py': [
      'def _batch_get_item(data): pass',
      'def _condition_syntax_error(expr, slot): pass',
      'def _tokenize(expr): pass',
      'def _query(data): pass',
      'def _index_members(table): pass',
      'def _evaluate_condition(expr, item, values, names, slot): pass',
    ].join('\n'),
    'ministack/services/eventbridge.py': [
      'def _invoke_target(target, event, rule, view=None): pass',
      'def _matches_alternative(view, alternative): pass',
      'def _events_log_list(): return []',
    ].join('\n'),
    'ministack/services/lambda_svc.py': [
      '_ESM_IDLE_WAKE_GAP_SECONDS = 0.05',
      'def _sqs_esm_concurrency(esm, func_rec, config, queue=None): return 1',
      'def _poll_dynamodb_streams(): return False',
      'def _execute_function(func, event): pass',
    ].join('\n'),
    'ministack/services/sqs.py': sqs,
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(directory, name, '..'), { recursive: true });
    await writeFile(join(directory, name), text);
  }
  return directory;
}

async function launch(fake: Fake, ...removed: string[]) {
  const { path } = await findPython(process.env);
  const env = { ...process.env, PYTHONPATH: await fakeMinistack(fake), PYTHONDONTWRITEBYTECODE: '1' };
  const launcher = spawn(path, [LAUNCHER, ...removed], { env, stdio: 'pipe' });
  const said = { text: '' };
  launcher.stderr.on('data', (chunk) => {
    said.text += chunk;
  });
  return { launcher, said, exited: once(launcher, 'close') };
}

async function pidsOf({ launcher }: Awaited<ReturnType<typeof launch>>): Promise<number[]> {
  const [line] = await once(createInterface({ input: launcher.stdout }), 'line');
  return String(line).split(' ').map(Number);
}

/**
 * Resolves when no such process runs any more. @throws if one still does after three seconds, after killing
 * it.
 */
async function untilGone(pids: readonly number[]): Promise<void> {
  const deadline = Date.now() + 3_000;
  while (pids.some(runs)) {
    if (Date.now() > deadline) {
      const left = pids.filter(runs);
      left.map((pid) => process.kill(pid, 'SIGKILL'));
      throw new Error(`still running: ${left}`);
    }
    await delay(10);
  }
}

/** A zombie does not count as running; only Linux tells. */
function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0) && !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' && isAlive(pid);
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('another version of the emulator is refused', async () => {
  const { said, exited } = await launch({ version: '1.6.0' });
  expect((await exited)[0]).toBe(78);
  expect(said.text).toBe(
    'corrected_emulator.py: ministack 1.6.0 is installed, but the patches in here were made for 1.5.33\n',
  );
});

test('an emulator that lacks a function to be patched is refused', async () => {
  const { said, exited } = await launch({ sqs: '' });
  expect((await exited)[0]).toBe(78);
  expect(said.text).toContain('has no ministack.services.sqs._prune_dedup, which has to be corrected');
});

test('when its parent closes the pipe, the emulator and its workers exit and the paths are removed', async () => {
  const directory = await scratch();
  const outputs = join(await scratch(), 'outputs.json');
  await writeFile(outputs, '{}');
  const started = await launch({}, directory, outputs);
  const pids = await pidsOf(started);
  started.launcher.stdin.end();
  await started.exited;
  await untilGone(pids);
  await expect(access(directory)).rejects.toThrow('ENOENT');
  await expect(access(outputs)).rejects.toThrow('ENOENT');
});

test('when the emulator is killed, its workers exit too', async () => {
  const started = await launch({});
  const [emulator = 0, worker = 0] = await pidsOf(started);
  process.kill(emulator, 'SIGKILL');
  expect((await started.exited)[0]).toBe(137);
  await untilGone([worker]);
});

test('when the guard itself is killed, nothing of the emulator remains', async () => {
  const started = await launch({});
  const pids = await pidsOf(started);
  started.launcher.kill('SIGKILL');
  await untilGone(pids);
});
