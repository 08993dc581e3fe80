import { runner } from '@artilleryio/int-core';
import { generator } from './generator.ts';
import type { FromGenerator, ToGenerator } from './messages.ts';

/**
 * A process of its own, so that the runner's polling does not delay the events: runs a script in Artillery's
 * engine, each of whose users is a payment.
 */
const tell = (message: FromGenerator, then = () => {}) => process.send?.(message, then);

process.once('message', async (message: ToGenerator) => {
  if (message.kind !== 'run') return;
  const { payment, isTimeLeft, untilAccepted, hear } = generator(message.task, tell);
  process.on('message', hear);
  const { config, scenarios } = message.script;
  const processor = {
    async payment({ vars }: { vars: Record<string, string> }) {
      vars.lastEventId = await payment();
    },
    async untilAccepted({ vars }: { vars: Record<string, string> }) {
      await untilAccepted(vars.lastEventId ?? '');
    },
    isTimeLeft: (_context: object, next: (isTimeLeft: boolean) => void) => next(isTimeLeft()),
  };
  const run = await runner.runner({ config: { ...config, processor }, scenarios }, undefined, {});
  run.on('done', () => tell({ kind: 'done' }, () => process.exit(0)));
  run.run();
});
process.on('disconnect', () => process.exit(1));
