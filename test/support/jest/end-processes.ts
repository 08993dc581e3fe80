import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** Ends what a test that failed halfway left running: Jest would wait for it without end. */
const started = new Set<ChildProcess>();

function remember(message: unknown): void {
  started.add((message as { process: ChildProcess }).process);
}

subscribe('child_process', remember);

afterAll(() => {
  unsubscribe('child_process', remember);
  for (const child of started) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
    }
  }
});
