import { setTimeout as delay } from 'node:timers/promises';
import pc from 'picocolors';
import { apiClient } from '../cli/partner/api-client.ts';
import { connectionOf } from '../cli/partner/connection.ts';
import { forwarder } from '../cli/partner/listen/forward.ts';
import { WEBHOOKS } from '../cli/partner/webhooks.ts';
import { runCommands } from '../cli/terminal/run-commands.ts';
import { interruption } from '../local/interruption.ts';

export async function runWebhooks(args: readonly string[]): Promise<void> {
  const signal = interruption(() => {});
  await runCommands(
    WEBHOOKS,
    async () => {
      const connection = await connectionOf(process.env);
      return {
        api: apiClient(connection, { signal }),
        lastWord: apiClient(connection),
        forward: forwarder(signal),
        apiUrl: connection.apiUrl,
        colors: pc.createColors(pc.isColorSupported && process.stdout.isTTY),
        now: Date.now,
        interrupted: signal,
        wait: (ms) => delay(ms, undefined, { signal }),
      };
    },
    { args, signal: () => signal },
  );
}
