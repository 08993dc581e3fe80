import { chunks } from '../../../functions/adapters/dynamodb/chunks.ts';
import { shardsOf } from '../../../lib/shards.ts';
import { STAGES } from '../../../payhooks.config.ts';
import { ENDINGS, type GoodNeighbour, goodNeighbour } from '../../integration/hostile/neighbour.ts';
import { type Fate, type OddEvent, oddEvents, VALUES } from '../../integration/hostile/odd-events.ts';
import type { DeadLetter } from '../../support/deployed/deployed-stack.ts';
import { stack } from '../../support/deployed/shared-stack.ts';
import { eventually } from '../../support/eventually.ts';
import { type ScriptedPartner, scriptedPartner } from '../../support/network/scripted-partner.ts';

let partner: ScriptedPartner;
let neighbour: GoodNeighbour;

beforeAll(async () => {
  partner = await scriptedPartner();
  neighbour = await goodNeighbour(stack);
});
afterAll(() => Promise.all([partner?.stop(), neighbour?.stop()]));

/** A new service with a subscription to its own events. */
async function subscribed() {
  const service = await stack.newService();
  const endpoint = service.serviceId;
  const { id } = await service.subscribe(partner.url(endpoint));
  return { service, endpoint, id };
}

async function overTheBus({ text }: Pick<OddEvent, 'text'>): Promise<void> {
  await stack.publish(text);
}

/** Into the message group of a good neighbour's events, ahead of them. */
async function intoTheQueue({ text, ending }: Pick<OddEvent, 'text' | 'ending'>): Promise<void> {
  const shard = shardsOf(STAGES.local.shards).find(({ suffixes }) => suffixes.includes(ending));
  await stack.put('events', text, shard?.name);
}

/**
 * The expected number of dead letters; fewer when no more arrive, so that a test can show which are missing.
 */
async function deadLettersOf(count: number, isMine: (body: string) => boolean): Promise<DeadLetter[]> {
  const deadLetters: DeadLetter[] = [];
  let inVain = 0;
  await eventually(
    'the dead letters',
    async () => {
      const some = await stack.takeDeadLetters(stack.outputs.queues.eventsDeadLetters, isMine);
      deadLetters.push(...some);
      inVain = some.length === 0 ? inVain + 1 : 0;
      return deadLetters.length >= count || inVain > 100;
    },
    { everyMs: 50 },
  );
  return deadLetters;
}

test.each([
  ['through the bus', overTheBus],
  ['straight into the queue', intoTheQueue],
])(
  'each odd value in each field, sent %s, is delivered as written or dead-lettered with its reason, and affects nobody else',
  async (_, put) => {
    const { service, endpoint, id } = await subscribed();
    const odd = oddEvents(service.serviceId, ENDINGS);
    for (const some of chunks(odd, 10)) {
      for (const one of some) await put(one);
      await neighbour.publishRound();
    }

    const wanted = Map.groupBy(odd, ({ fate }) => fate.kind);
    const isOdd = (body: string) => odd.some(({ mark }) => body.includes(mark));
    const deadLetters = await deadLettersOf(wanted.get('dead-lettered')!.length, isOdd);
    const messages = await service.messages(
      id,
      (all) =>
        all.length >= wanted.get('delivered')!.length && all.every(({ state }) => state === 'succeeded'),
    );
    const arrived = partner.arrivals(endpoint).map(({ message_id, body }) => {
      const message = messages.find((one) => one.message_id === message_id);
      return { ids: `${message?.event_id} ${message?.payment_id}`, body };
    });

    const seen = odd.map((one) => ({
      ...one,
      fate: fateOf(
        one,
        deadLetters.filter(({ body }) => body === one.text),
        arrived.filter(({ ids }) => ids.includes(one.mark)).map(({ body }) => body),
      ),
    }));
    expect(seen.map(({ what, fate }) => ({ what, fate }))).toEqual(
      odd.map(({ what, fate }) => ({ what, fate })),
    );
    expect(arrived).toHaveLength(messages.length);
    // The original value is in the dead letter's body, and never in its explanation.
    expect(deadLetters.filter(({ explanation = '' }) => !/^[ -~]{1,300}$/.test(explanation))).toEqual([]);
    await neighbour.expectUnharmed();
  },
);

/** The actual fate of an odd event: the expected one, or what differs. */
function fateOf({ fate }: OddEvent, deadLetters: readonly DeadLetter[], bodies: readonly string[]): unknown {
  if (deadLetters.length + bodies.length > 1) {
    return { deadLetters, bodies };
  }
  const [[deadLetter], [body]] = [deadLetters, bodies];
  if (deadLetter !== undefined) {
    const { reason, explanation = '' } = deadLetter;
    const names =
      fate.kind === 'dead-lettered' && explanation.includes(fate.names) ? fate.names : explanation;
    return { kind: 'dead-lettered', reason, names };
  }
  if (body !== undefined) {
    return {
      kind: 'delivered',
      part: fate.kind === 'delivered' && body.includes(fate.part) ? fate.part : body,
    };
  }
  return { kind: 'nobody' } satisfies Fate;
}

test('a record that is not an event is dead-lettered as is, and delays nobody behind it', async () => {
  const texts = Object.values(VALUES).filter((text) => text !== undefined);
  for (const text of texts) await intoTheQueue({ text, ending: ENDINGS[0] });
  await neighbour.publishRound();
  const deadLetters = await deadLettersOf(texts.length, (body) => (texts as string[]).includes(body));
  expect(deadLetters.map(({ body }) => body).sort()).toEqual([...texts].sort());
  expect(new Set(deadLetters.map(({ reason }) => reason))).toEqual(new Set(['malformed']));
  await neighbour.expectUnharmed();
});
