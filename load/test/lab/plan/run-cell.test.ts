import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { inMemoryTokens } from '../../../../functions/core/api/api-token-store.ts';
import { control } from '../../../../functions/load-lab/receiver/control.ts';
import { memoryStore } from '../../../../functions/load-lab/receiver/store/memory-store.ts';
import { type Loopback, loopback } from '../../../../test/support/network/dead-address.ts';
import { runCell } from '../../../lab/plan/run-cell.ts';
import { readScenario } from '../../../lab/scenario/scenario.ts';
import type { LabStage } from '../../../lab/stage/lab-stage.ts';
import { receiverControl } from '../../../lab/stage/receiver-control.ts';

let server: Loopback | undefined;
afterEach(() => server?.stop());

/** The HTTP API as far as subscriptions go; refuses to make more than this many. */
async function startApi(max = Number.POSITIVE_INFINITY) {
  const subscriptions = new Set<string>();
  let made = 0;
  server = await loopback((request, response) => {
    const id = request.url?.split('/').at(-1) ?? '';
    if (request.method === 'DELETE') subscriptions.delete(id);
    const isRefused = request.method === 'POST' && made >= max;
    if (request.method === 'POST' && !isRefused) {
      made += 1;
      subscriptions.add(`sub_${made}`);
    }
    response.statusCode = isRefused ? 500 : 200;
    response.setHeader('x-request-id', 'req_1');
    response.end(JSON.stringify({ subscription_id: `sub_${made}`, signing_secret: 'whsec_c2VjcmV0' }));
  });
  return { subscriptions, count: () => made, url: server.url };
}

function stageOf(apiUrl: string, onPut: () => void): LabStage {
  const store = memoryStore();
  return {
    name: 'test',
    apiUrl,
    busName: 'bus',
    types: [],
    tokens: inMemoryTokens(),
    receiver: receiverControl('http://127.0.0.1:9', (request) => control(request, store)),
    queues: { events: 'events', deliveries: 'deliveries' },
    sqs: {} as SQSClient,
    // Takes events and delivers none.
    events: {
      send: async () => {
        onPut();
        return { Entries: [{ EventId: '1' }] };
      },
    } as unknown as EventBridgeClient,
    environment: {},
    machine: 'a test',
    close: async () => {},
  };
}

async function cellOf(stage: LabStage, signal: AbortSignal) {
  return runCell({
    stage,
    scenario: await readScenario('simple'),
    parameters: { services: 3, rate: 10, duration: 1, warm_up: 1, delay_ms: '0' },
    cell: { name: 'all', place: {} },
    isWarm: false,
    run: 'r1',
    directory: '/nowhere',
    signal,
    watch: () => () => {},
    say: () => {},
  });
}

test('an interruption during the warm-up deletes the subscriptions and revokes the tokens', async () => {
  const api = await startApi();
  const person = new AbortController();
  const stage = stageOf(api.url, () => person.abort(new Error('Ctrl-C')));
  await expect(cellOf(stage, person.signal)).rejects.toThrow();
  expect(api.count()).toBe(3);
  expect([...api.subscriptions]).toEqual([]);
  const tokens = await stage.tokens.ofService('load-r1-all-0');
  expect(tokens.map(({ revoked_at }) => typeof revoked_at)).toEqual(['string']);
});

test('when a partner cannot be created, those created before are removed', async () => {
  const api = await startApi(2);
  await expect(
    cellOf(
      stageOf(api.url, () => {}),
      new AbortController().signal,
    ),
  ).rejects.toThrow(/500/);
  expect(api.count()).toBe(2);
  expect([...api.subscriptions]).toEqual([]);
});
