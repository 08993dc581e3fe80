import { parseArgs } from 'node:util';
import { ExplainedError } from '../../cli/terminal/explanation.ts';
import { numberIn } from '../../cli/terminal/option-kinds.ts';
import type { Scenario } from './scenario.ts';
import { beginToHang } from './scenarios/begin-to-hang.ts';
import { comeback } from './scenarios/comeback.ts';
import { crowd } from './scenarios/crowd.ts';
import { fanOut } from './scenarios/fan-out.ts';
import { hanging } from './scenarios/hanging.ts';
import { hotPayment } from './scenarios/hot-payment.ts';
import { hotSubscription } from './scenarios/hot-subscription.ts';
import { million } from './scenarios/million.ts';
import { rates } from './scenarios/rates.ts';
import { refusals } from './scenarios/refusals.ts';
import { uneven } from './scenarios/uneven.ts';

export const ALL_SCENARIOS: readonly Scenario[] = [
  crowd,
  million,
  uneven,
  comeback,
  hotPayment,
  hotSubscription,
  fanOut,
  hanging,
  beginToHang,
  refusals,
  rates,
];

export const SCALE_HELP = `Runs the pipeline under load in a simulated deployment, and measures what it uses.

  npm run simulate -- scale [scenario…] [options]

${ALL_SCENARIOS.map(({ name, shows }) => `  ${name.padEnd(12)}  ${shows}`).join('\n')}

  --size S      scales the scenarios, 0.01 to 4 (default: 1)
  --json        one JSON document instead of a table
  --help

Runs all scenarios unless some are named. Exit code 1: a promise was broken.
`;

/** @throws ExplainedError, or Node's own error of `parseArgs`, naming what is at fault */
export function scaleOptions(args: string[]) {
  const { values, positionals } = parseArgs({
    args,
    options: {
      size: { type: 'string', default: '1' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  if (values.help) {
    return 'help';
  }
  const size = numberIn(values.size);
  if (!(size >= 0.01 && size <= 4)) {
    throw new ExplainedError('--size: must be a number from 0.01 to 4');
  }
  const scenarios = positionals.map((name) => {
    const scenario = ALL_SCENARIOS.find((one) => one.name === name);
    if (scenario === undefined) {
      const known = ALL_SCENARIOS.map((one) => one.name).join(', ');
      throw new ExplainedError(`there is no scenario ${name}: ${known}`);
    }
    return scenario;
  });
  return { scenarios: scenarios.length === 0 ? ALL_SCENARIOS : scenarios, size, json: values.json };
}
