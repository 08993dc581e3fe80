import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { partner } from '../../../../cli/partner/partner.ts';
import { RefusedError } from '../../../../cli/partner/refused-error.ts';
import { inMemoryRegistry } from '../../../../functions/core/api/subscription-registry.ts';
import { inMemoryHistory } from '../../../../functions/core/message/message-history.ts';
import { keptSecrets, subscription } from '../../../support/builders.ts';
import { loopback } from '../../../support/network/dead-address.ts';
import { messageRecord, registryOfShop } from '../../api/builders.ts';
import { pastMessage } from '../../pipeline/wake/world.ts';
import { clientWorld } from './client-world.ts';

const URL = 'https://shop.example/hooks';

async function created(world: ReturnType<typeof clientWorld>): Promise<string> {
  const { output } = await world.run('create', URL, '--event-type', 'card_payment_captured');
  return /sub_[\w-]+/.exec(output)?.[0] ?? 'none';
}

test.each(['..', 'sub_1/..', 'sub_1?x=1', ''])('%j is not taken for an id', async (id) => {
  const world = clientWorld();
  await expect(world.run('delete', id)).rejects.toThrow(
    "is invalid for argument 'subscription'. Must be an id, of letters, digits, _ and -",
  );
  expect(world.requests).toEqual([]);
});

test('a subscription is created with its settings, and its secret is shown', async () => {
  const world = clientWorld();

  const { isWell, output } = await world.run(
    'create',
    URL,
    '--live',
    '--event-type',
    'card_payment_captured',
    '--event-type',
    'card_payment_refunded',
    '--rate-limit',
    '5',
  );

  expect(isWell).toBe(true);
  expect(output).toMatch(/whsec_[A-Za-z0-9+/=]+\n\nThis is the signing secret\. It is shown this once\./);
  expect(world.requests[0]).toMatchObject({
    method: 'POST',
    path: '/v1/subscriptions',
    body: {
      callback_url: URL,
      live: true,
      event_types: ['card_payment_captured', 'card_payment_refunded'],
      rate_limit: 5,
    },
  });
});

test('with --json there is one value a line and nothing else', async () => {
  const world = clientWorld();
  await created(world);

  const { output } = await world.run('list', '--json');

  expect(JSON.parse(output)).toMatchObject({ subscriptions: [{ callback_url: URL }] });
});

test('a refusal is told with the field, the reason and the request', async () => {
  await expect(clientWorld().run('create', URL, '--schedule', 'daily')).rejects.toThrow(
    /^The request is not valid \(400\):\n {2}schedule: must be one of standard, govuk\n {2}request /,
  );
});

test('a header that cannot be read is refused without being repeated', async () => {
  const refused = clientWorld().run('create', URL, '--header', 'Bearer sesame');
  await expect(refused).rejects.toThrow('--header: must be "Name: value"');
  await expect(refused).rejects.not.toThrow('sesame');
});

test('a header that is given twice is refused: one of its values would be lost', async () => {
  const world = clientWorld();
  const refused = world.run('create', URL, '--header', 'X-Shop: one', '--header', 'x-shop: two');
  await expect(refused).rejects.toThrow('--header: x-shop is given twice');
  expect(world.requests).toEqual([]);
});

test('a secret is not taken from the command line', async () => {
  const refused = clientWorld().run('create', URL, '--secret', 'whsec_c2VzYW1l');
  await expect(refused).rejects.toThrow('--secret: names an environment variable');
  await expect(refused).rejects.not.toThrow('whsec_');
});

test('what passes is tried again, with one idempotency key', async () => {
  const registry = inMemoryRegistry();
  let calls = 0;
  const world = clientWorld({
    subscriptions: registry,
    callbackUrls: {
      vet: async ({ url }) => {
        calls += 1;
        return calls < 3
          ? { kind: 'undecided', reason: 'No name server answered.' }
          : { kind: 'accepted', url };
      },
    },
  });

  await created(world);

  expect(world.waits).toEqual([5_000, 5_000]);
  expect(new Set(world.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  expect(await registry.list('shop')).toHaveLength(1);
});

test('messages are listed with state and answer, as many as are wanted', async () => {
  const records = Array.from({ length: 130 }, (_, index) =>
    messageRecord({
      message_id: `msg_${index}`,
      admitted_at: new Date(Date.UTC(2026, 10, 14, 9, 0, index)).toISOString(),
    }),
  );
  const history = inMemoryHistory(records.map((record) => ({ record, laterAttempts: [] })));
  const world = clientWorld({ subscriptions: await registryOfShop(), history });

  expect((await world.run('messages', 'sub_1', '--limit', '2')).output).toMatch(
    /msg_129 .*\n.*msg_128 .*\n {2}… and more: a greater --limit, or --cursor \S+\n$/,
  );
  const all = (await world.run('messages', 'sub_1', '--limit', '1000')).output;
  expect(all.match(/msg_\d+/g)).toHaveLength(130);
});

test('a message is shown with its attempts and its body', async () => {
  const record = messageRecord({ resource: '{}' });
  const world = clientWorld({ history: inMemoryHistory([{ record, laterAttempts: [] }]) });

  const { output } = await world.run('message', record.message_id);

  expect(output).toContain('succeeded');
  expect(output).toMatch(/attempt +started at +took +answer/);
  expect(output).toContain('"resource":{}}');
});

/** What `message` prints of a message whose attempts were answered so. */
async function shownAnswers(...bodies: (string | undefined)[]): Promise<string> {
  const attempts = bodies.map((response_body, index) => ({
    attempt: index + 1,
    started_at: '2026-11-14T09:00:00.000Z',
    duration_ms: 5,
    status_code: 503,
    ...(response_body === undefined ? {} : { response_body }),
  }));
  const record = messageRecord();
  const { first_attempt: _, ...untried } = record;
  const history = inMemoryHistory([{ record: untried, laterAttempts: attempts }]);
  return (await clientWorld({ history }).run('message', record.message_id)).output;
}

test('what the endpoint answered stands beside its attempt, on one line', async () => {
  const output = await shownAnswers('{\r\n\t"error": "closed"\n}', undefined, '', 'back in a moment');
  expect(output).toMatch(
    /^ {2}attempt +body of the answer\n {2}1 +\{ "error": "closed" \}\n {2}4 +back in a moment$/m,
  );
  expect(output).not.toContain('cut;');
});

test('an answer that would act on the terminal is escaped, and a long one is cut', async () => {
  const output = await shownAnswers('\u001b[2J\u202egone', 'x'.repeat(4_096));
  expect(output).toMatch(/^ {2}1 +\\u001b\[2J\\u202egone$/m);
  expect(output).toMatch(/^ {2}2 +x{399}…\n {2}… cut; --json has what is on record of it$/m);
});

test('a recovery is narrowed by states and event types, each of which may be repeated', async () => {
  const world = clientWorld();
  const id = await created(world);
  const { output } = await world.run(
    'recover',
    ...[id, '--since', '2026-11-14T09:00:00Z', '--state', 'exhausted', '--no-wait', '--json'],
    ...['--event-type', 'card_payment_captured', '--event-type', 'card_payment_re*'],
  );
  expect(JSON.parse(output)).toMatchObject({
    states: ['exhausted'],
    event_types: ['card_payment_captured', 'card_payment_re*'],
  });
});

test('before a recovery it is counted, request by request, by event type and state', async () => {
  const asked: unknown[] = [];
  const world = clientWorld({
    pastMessages: async ({ continue_at }) => {
      asked.push(continue_at);
      const isFirst = continue_at < '2026-11-14T09:30';
      return isFirst
        ? {
            messages: Array.from({ length: 6_000 }, (_, index) => pastMessage(index, -3_000_000)),
            continueAt: '2026-11-14T09:30:00.000Z',
          }
        : { messages: [pastMessage(7_000, -60_000, { event_type: 'refund_succeeded' })] };
    },
  });
  const id = await created(world);
  const chosen = ['--payment', 'pay-1', '--payment', 'pay-7000', '--filter', '{"payment_id":["pay-1"]}'];
  const { output } = await world.run('recover', id, '--since', '2026-11-14T09:00:00Z', '--count');
  expect(output).toBe(
    'It would send 6001 messages again, of 6001 examined. Nothing has been sent.\n' +
      '  6000 × card_payment_captured, exhausted\n  1 × refund_succeeded, exhausted\n',
  );
  expect(asked).toEqual(['2026-11-14T09:00:00.000Z', '2026-11-14T09:30:00.000Z']);
  await world.run('recover', id, '--since', '2026-11-14T09:00:00Z', '--count', ...chosen);
  expect(world.requests.at(-1)).toMatchObject({
    path: `/v1/subscriptions/${id}/recoveries/preview`,
    body: { payment_ids: ['pay-1', 'pay-7000'], filter: { payment_id: ['pay-1'] } },
  });
});

test('the payments of a recovery may stand in a file, and a recovery is stopped', async () => {
  const world = clientWorld();
  const id = await created(world);
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'payments-')), 'ids.txt');
  writeFileSync(file, 'pay-1\r\n\n  pay-2 \n');
  const { output } = await world.run(
    ...['recover', id, '--since', '2026-11-14T09:00:00Z', '--state', 'succeeded', '--payments', file],
    ...['--no-wait', '--json'],
  );
  const { recovery_id, ...recovery } = JSON.parse(output);
  expect(recovery).toMatchObject({ states: ['succeeded'], payment_count: 2 });
  expect((await world.run('stop', id, recovery_id)).output).toBe(
    `${recovery_id} is stopped: 0 sent again.\n`,
  );
  await expect(
    world.run('recover', id, '--since', '2026-11-14T09:00:00Z', '--payments', `${file}x`),
  ).rejects.toThrow(`--payments: ${file}x cannot be read`);
});

test('an endpoint that does not fail is not probed', async () => {
  const world = clientWorld();
  await expect(world.run('probe', await created(world))).rejects.toThrow(
    'Messages are sent as they come: there is nothing to probe.',
  );
});

test('tail tells a subscription that there is not at once', async () => {
  await expect(clientWorld().run('tail', '--subscription', 'sub_unknown')).rejects.toThrow('(404)');
});

test.each([
  [1, 1_000],
  [20, 4_200],
])(
  'tail looks at %i subscriptions every %i ms: at most half as often as a token may ask',
  async (many, everyMs) => {
    const registry = inMemoryRegistry();
    for (let index = 1; index <= many; index += 1) {
      await registry.add(
        subscription({ service_id: 'shop', subscription_id: `sub_${index}` }),
        keptSecrets(),
      );
    }
    let looks = 0;
    const world = clientWorld({
      subscriptions: {
        ...registry,
        list: async (serviceId) => {
          looks += 1;
          if (looks > 2) {
            throw new Error('that is enough');
          }
          return registry.list(serviceId);
        },
      },
    });

    await expect(world.run('tail')).rejects.toThrow('(500)');
    expect(world.waits.slice(0, 2)).toEqual([everyMs, everyMs]);
  },
);

/** An API that answers everything alike. */
async function apiAnswering(status: number, body: object) {
  const { url, stop } = await loopback((_, response) => {
    response.writeHead(status).end(JSON.stringify(body));
  });
  return { api: partner({ apiUrl: url, token: 'phk_test' }), stop };
}

test('a subscription that was deleted meanwhile has no messages', async () => {
  const { api, stop } = await apiAnswering(404, { status: 404 });
  expect(await api.messages('sub_1')).toEqual({ messages: [] });
  await stop();
});

test('any other refusal is told with what the API says', async () => {
  const { api, stop } = await apiAnswering(401, { detail: 'who are you?' });
  const refused = api.messages('sub_1');
  await expect(refused).rejects.toBeInstanceOf(RefusedError);
  await expect(refused).rejects.toThrow('was answered with 401: {"detail":"who are you?"}');
  await stop();
});
