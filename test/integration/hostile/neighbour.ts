import type { MessageSummary } from '../../../functions/core/message/message-view.ts';
import { percentile } from '../../../load/percentile.ts';
import type { DeployedStack, Service } from '../../support/deployed/deployed-stack.ts';
import { steps } from '../../support/deployed/happening.ts';
import { eventually } from '../../support/eventually.ts';
import { accepted, overtakers, scriptedPartner } from '../../support/network/scripted-partner.ts';

/** How the ids of its payments end: what an attacker publishes with the same endings takes the same way. */
export const ENDINGS = ['a', 'b', 'c'] as const;
const STEPS = 2;
/** After one that warms everything up. */
const USUAL_ROUNDS = 10;
const FEWEST_ROUNDS = 10;

/**
 * So much later may its webhooks start than before the attack. Attacker, emulator and workers share two cores, and a worker that has to be started takes a second
 * of them; whoever waited for an endpoint that hangs would wait for thirty.
 */
const LATER_MS = { median: 2_000, slowest: 12_000 };

/** Longer than any of this may take, and shorter than until what a worker could not write is handed out again. */
const PATIENCE = { deadlineMs: 45_000 };

/** A partner beside one who attacks: a service, an endpoint that is well and payments of its own. */
export interface GoodNeighbour {
  /** Publishes a round of its payments' events, and waits until all of their webhooks have arrived. */
  publishRound(): Promise<void>;
  /** Publishes round after round for as long as the attack goes on, and ten at least. */
  publishDuring<Result>(attack: () => Promise<Result>): Promise<Result>;
  /** All arrived, once and in order; each is on record as delivered by one attempt; none started much later than before the attack. */
  expectUnharmed(): Promise<void>;
  stop(): Promise<void>;
}

/** Measures, before anybody attacks, how soon its webhooks usually start. */
export async function goodNeighbour(stack: DeployedStack): Promise<GoodNeighbour> {
  const partner = await scriptedPartner();
  const service = await stack.newService();
  const { id } = await service.subscribe(partner.url('neighbour'));
  const published: string[] = [];
  let rounds = 0;

  const publishRound = async () => {
    rounds += 1;
    const payments = ENDINGS.map((ending) => `pay-${rounds}-${ending}`);
    const events = steps(service, payments, STEPS);
    published.push(...payments.flatMap((payment) => [`${payment}/1`, `${payment}/2`]));
    await stack.publish(...events);
    const haveArrived = async () => accepted(partner.arrivals()).length >= published.length;
    await eventually('the webhooks of the good neighbour', haveArrived, { ...PATIENCE, everyMs: 20 });
  };

  for (let round = 0; round <= USUAL_ROUNDS; round += 1) {
    await publishRound();
  }
  const before = rounds;

  return {
    publishRound,

    async publishDuring(attack) {
      let isOver = false;
      const attacking = attack().finally(() => {
        isOver = true;
      });
      const publishing = async () => {
        for (let round = 0; !isOver || round < FEWEST_ROUNDS; round += 1) {
          await publishRound();
        }
      };
      const [result] = await Promise.all([attacking, publishing()]);
      return result;
    },

    async expectUnharmed() {
      expect(accepted(partner.arrivals()).sort()).toEqual([...published].sort());
      expect(overtakers(partner.arrivals())).toEqual([]);

      const history = await eventually(
        'the history of the good neighbour',
        async () => {
          const messages = await historyOf(service, id);
          return messages.length === published.length && messages.every(isDelivered) && messages;
        },
        PATIENCE,
      );
      expect(new Set(history.map(({ attempt_count }) => attempt_count))).toEqual(new Set([1]));

      const usual = history.filter((one) => roundOf(one) > 1 && roundOf(one) <= before).map(startedAfterMs);
      const now = history.filter((one) => roundOf(one) > before).map(startedAfterMs);
      expect(percentile(now, 50) - percentile(usual, 50)).toBeLessThan(LATER_MS.median);
      expect(percentile(now, 100) - percentile(usual, 100)).toBeLessThan(LATER_MS.slowest);
    },

    stop: () => partner.stop(),
  };
}

async function historyOf(service: Service, subscriptionId: string): Promise<MessageSummary[]> {
  const messages: MessageSummary[] = [];
  let cursor = '';
  do {
    const { body } = await service.call(
      'GET',
      `/subscriptions/${subscriptionId}/messages?limit=100${cursor && `&cursor=${cursor}`}`,
    );
    messages.push(...body.messages);
    cursor = body.next_cursor ?? '';
  } while (cursor !== '');
  return messages;
}

function isDelivered({ state }: MessageSummary): boolean {
  return state === 'succeeded';
}

function roundOf({ payment_id }: MessageSummary): number {
  return Number(payment_id.split('-')[1]);
}

/** From admission to the first attempt, what it was held included. */
function startedAfterMs({ time_to_send_ms = Number.NaN, held_ms = 0 }: MessageSummary): number {
  return time_to_send_ms + held_ms;
}
