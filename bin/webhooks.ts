import { setTimeout as delay } from 'node:timers/promises';
import pc from 'picocolors';
import { apiClient } from '../client/api-client.ts';
import { connectionOf } from '../client/connection.ts';
import { problemOf } from '../client/refused-error.ts';
import { webhooks } from '../client/webhooks.ts';
import { explanation, runCommand } from '../local/explanation.ts';
import { InterruptedError, interruption } from '../local/interruption.ts';
import { printableError } from '../local/printable.ts';
import { terminal } from '../operate/terminal.ts';

await runCommand(async (args) => {
  const { print, progress = () => {} } = terminal(args);
  const signal = interruption(() => {});
  const isJson = args.includes('--json');
  try {
    const isWell = await webhooks(args, print, async () => ({
      api: apiClient(await connectionOf(process.env), { signal }),
      print: (text, json) => print(`${isJson ? JSON.stringify(json) : text}\n`),
      progress,
      colors: pc.createColors(pc.isColorSupported && process.stdout.isTTY),
      now: Date.now,
      wait: (ms) => delay(ms, undefined, { signal }),
    }));
    process.exitCode = isWell ? 0 : 1;
  } catch (error) {
    // Whoever presses Ctrl-C knows why it ends.
    if (signal.aborted && signal.reason instanceof InterruptedError) {
      process.exitCode = 130;
      return;
    }
    const explained = explanation(error);
    if (!isJson || explained === undefined) {
      throw error;
    }
    console.error(printableError(JSON.stringify(problemOf(error, explained))));
    process.exitCode = 1;
  }
});
