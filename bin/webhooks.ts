import { setTimeout as delay } from 'node:timers/promises';
import pc from 'picocolors';
import { apiClient } from '../cli/partner/api-client.ts';
import { connectionOf } from '../cli/partner/connection.ts';
import { problemOf } from '../cli/partner/refused-error.ts';
import { webhooks } from '../cli/partner/webhooks.ts';
import { explanation, runCommand } from '../cli/terminal/explanation.ts';
import { printableError } from '../cli/terminal/printable.ts';
import { terminal } from '../cli/terminal/terminal.ts';
import { InterruptedError, interruption } from '../local/interruption.ts';

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
