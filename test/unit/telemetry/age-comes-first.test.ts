import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DELIVER_ENV } from '../../../functions/pipeline/deliver/env.ts';
import { MATCH_ENV } from '../../../functions/pipeline/match/env.ts';
import { writeFunctionCode } from '../../../lib/bundling/function-code.ts';
import { EventCatalogue } from '../../../lib/events/event-catalogue.ts';
import { runSeparately } from '../../support/separate-process.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'payhooks-age-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** What a function has written about an hour-old record before it first waits for anything. */
function firstWords(name: 'match' | 'deliver', variables: readonly string[]): Promise<unknown> {
  const env = Object.fromEntries(variables.map((variable) => [variable, 'https://nowhere.invalid/1/x']));
  writeFunctionCode(name, path.join(folder, name), { events: EventCatalogue.govUkPay() });
  const source = `
    const { handler } = await import(${JSON.stringify(path.join(folder, name, 'index.mjs'))});
    const written = [];
    const write = process.stdout.write.bind(process.stdout);
    process.stdout.write = (text) => written.push(String(text)) > 0;
    const attributes = { SentTimestamp: String(Date.now() - 3_600_000), ApproximateReceiveCount: '9', MessageGroupId: 'g' };
    handler({ Records: [{ messageId: '1', receiptHandle: 'r', body: '{', attributes }] }, {}).catch(() => {});
    process.stdout.write = write;
    print(written);
    process.exit(0);`;
  return runSeparately(source, {
    cwd: ROOT,
    env: {
      ...env,
      DELIVERY_POLICY: '{}',
      CALLBACK_URL_RULES: '{}',
      AWS_REGION: 'nowhere',
      POWERTOOLS_METRICS_NAMESPACE: 'Payhooks',
      POWERTOOLS_SERVICE_NAME: name,
    },
  });
}

test.each([
  ['match', MATCH_ENV],
  ['deliver', DELIVER_ENV],
] as const)(
  '%s reports the age of its records before it processes them, since one may crash it',
  async (name, variables) => {
    const lines = (await firstWords(name, variables)) as string[];
    const metric = lines.map((line) => JSON.parse(line)).find((line) => 'RecordAge' in line);
    expect(metric).toMatchObject({ service: name });
    expect(metric.RecordAge).toBeGreaterThanOrEqual(3_600_000);
  },
);
