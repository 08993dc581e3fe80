import { at, summaryOf } from '../../../../test/support/message-summaries.ts';
import { gapsOf } from '../../../lab/findings/gaps.ts';
import { artilleryScript } from '../../../lab/scenario/artillery.ts';
import { expectedMessage } from '../../builders.ts';
import { planned } from '../scenario/planned.ts';

const START_MS = Date.parse(at(0));
const NOTHING = { expected: [], recorded: new Map(), acceptedAtMs: new Map() };

/** What a scenario with these options offers. */
async function offerOf(name: string, ...options: string[]) {
  const { scenario, parameters } = await planned(name, ...options);
  const eventsPerPayment = Number(parameters.events_per_payment);
  return {
    script: artilleryScript(scenario, parameters),
    eventsPerPayment,
    isPaced: scenario.artillery.is_paced,
  };
}

const sent = (length: number, seconds: number, stoppedMs = 0) => ({
  sent: { length },
  firstSentAtMs: START_MS,
  lastSentAtMs: START_MS + seconds * 1_000,
  stoppedMs,
});

test.each([
  ['simple', 600, 60],
  ['simple', 480, 75],
  ['backpressure', 3_600, 90],
  ['flood', 3_000, 20],
  ['slow-store', 30, 60],
])('%s has no gap with %d events in %d s', async (name, count, seconds) => {
  expect(gapsOf(await offerOf(name), sent(count, seconds), NOTHING)).toEqual([]);
});

test('a load that the machine could not offer is a gap', async () => {
  expect(gapsOf(await offerOf('simple'), sent(479, 60), NOTHING)).toEqual([
    'only 479 of 600 events were published',
  ]);
  expect(gapsOf(await offerOf('flood'), sent(2_399, 1), NOTHING)).toEqual([
    'only 2399 of 3000 events were published',
  ]);
});

test('a generator that was late is a gap, unless the run had it pause', async () => {
  const offer = await offerOf('simple');
  expect(gapsOf(offer, sent(600, 76), NOTHING)).toEqual([
    'the generator was late: it took 76 s for 60 s of events',
  ]);
  expect(gapsOf(offer, sent(600, 76, 10_000), NOTHING)).toEqual([]);
});

test('a delivery on record that the receiver has no receipt of is a gap', async () => {
  const expected = ['a1', 'b1', 'c1'].map((name) => expectedMessage(name));
  const recorded = new Map(
    [summaryOf('a1'), summaryOf('b1'), summaryOf('c1', { state: 'exhausted' })].map((one) => [
      one.message_id,
      one,
    ]),
  );
  const acceptedAtMs = new Map([['msg_a1', START_MS]]);
  expect(gapsOf(await offerOf('simple'), sent(600, 60), { expected, recorded, acceptedAtMs })).toEqual([
    'the receiver has no receipt of 1 messages that are on record as delivered',
  ]);
});
