import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DELIVERY_POLICY, type DeliveryPolicy } from '../../../functions/core/attempt/delivery-policy.ts';
import { SAVED_QUERIES } from '../../../lib/saved-queries.ts';
import { STAGES } from '../../../lib/stages.ts';
import { PROJECT } from '../../support/documented/pages.ts';

const page = (name: string) => readFileSync(path.join(PROJECT, 'docs', name), 'utf8');
const { local, dev, prod } = STAGES;

const MS = { s: 1_000, min: 60_000, h: 3_600_000, days: 86_400_000 };
const QUANTITY = String.raw`([\d,.]+)(?: (s|min|h|days)\b)?`;
const amountIn = (number = '', unit = '') =>
  Number(number.replaceAll(',', '')) * (MS[unit as keyof typeof MS] ?? 1);

test('the numbers of ordered retry are those of the policy and its stages', () => {
  const rows = [...page('ordered-retry.md').matchAll(/^\| `(\w+)` \| (.+) \|$/gm)]
    .map(([, name = '', value = '']) => ({ name, value }))
    .filter(({ value }) => /^\d/.test(value));
  const documented = rows.map(({ name, value }) => ({
    name,
    usual: amountIn(...(new RegExp(`^${QUANTITY}`).exec(value) ?? []).slice(1)),
    ...Object.fromEntries(
      [...value.matchAll(new RegExp(`\`(local|dev)\` ${QUANTITY}`, 'g'))].map(([, stage, ...quantity]) => [
        stage,
        amountIn(...quantity),
      ]),
    ),
  }));
  const valueIn = (policy: DeliveryPolicy, name: string) =>
    ({ ...policy, ...policy.circuit })[name as 'graceMs'];
  expect(documented.length).toBeGreaterThan(12);
  expect(documented).toEqual(
    documented.map((row) => ({
      name: row.name,
      usual: valueIn(DELIVERY_POLICY, row.name),
      ...('local' in row ? { local: valueIn(local.deliveryPolicy, row.name) } : {}),
      ...('dev' in row ? { dev: valueIn(dev.deliveryPolicy, row.name) } : {}),
    })),
  );
  for (const { deliveryPolicy, concurrency } of [dev, prod]) {
    expect(deliveryPolicy.circuit).toMatchObject({
      slowOfAll: concurrency.deliver / 2,
      widestWindowOfAll: 4 * concurrency.deliver,
    });
  }
});

test('the page about the local stack says how soon it retries, probes and closes', () => {
  const { schedules, circuit } = local.deliveryPolicy;
  const seconds = schedules.standard.map((ms) => ms / 1_000);
  expect(page('local-stack.md')).toContain(
    `retries after ${seconds.slice(0, -1).join(', ')} and ${seconds.at(-1)} s, then gives up. ` +
      `An open circuit is probed after ${circuit.firstCoolDownMs / 1_000} s and at least every ${circuit.longestCoolDownMs / 1_000} s. ` +
      `A draining circuit closes after ${circuit.quietMs / 1_000} quiet seconds.`,
  );
});

test('the page about deploying has the workers of each stage, and the quota that they need', () => {
  const all = [local, dev, prod].map(({ concurrency }) => concurrency);
  const row = (name: string, cells: readonly string[]) => `| ${name} | ${cells.join(' | ')}, reserved |\n`;
  const text = page('deploying.md');
  expect(text).toContain(
    row(
      'concurrent match and deliver',
      all.map(({ match, deliver }) => `${match} and ${deliver}`),
    ),
  );
  expect(text).toContain(
    row(
      'concurrent wake and sweep',
      all.map(({ wake, sweep }) => `${wake} and ${sweep}`),
    ),
  );
  const [, ofDev = 0, ofProd = 0] = all.map(({ reserved: _, ...workers }) =>
    Object.values(workers).reduce((sum, some) => sum + some),
  );
  expect(text).toContain(`\`prod\` reserves ${ofProd} concurrent`);
  expect(text).toContain(`a quota of ${ofProd + 100};`);
  expect(text).toContain(`\`dev\` uses up to ${ofDev}.`);
});

test('the checklist says how many queries are saved', () => {
  expect(page('aws-checklist.md')).toContain(`| \`npm run ops -- query\` | ${SAVED_QUERIES.length}. `);
});

test('in the example of a circuit that opens, the first probe comes after the first cool-down', () => {
  const [opened] = page('examples/operational-events.jsonl').split('\n');
  const { type, reason, at, probe_at } = JSON.parse(opened ?? '');
  expect({ type, reason }).toEqual({ type: 'circuit.opened', reason: 'payments_failed' });
  expect(Date.parse(probe_at) - Date.parse(at)).toBe(DELIVERY_POLICY.circuit.firstCoolDownMs);
});
