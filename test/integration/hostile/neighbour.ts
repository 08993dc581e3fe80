import type { MessageSummary } from '../../../functions/core/message/message-view.ts';
import type { DeployedStack, Service } from '../../support/deployed/deployed-stack.ts';
import { steps } from '../../support/deployed/happening.ts';
import { eventually } from '../../support/eventually.ts';
import { accepted, overtakers, scriptedPartner } from '../../support/network/scripted-partner.ts';

/**
 * The last characters of its payment ids: an attacker's events with the same endings take the same shards.
 */
export const ENDINGS = ['a', 'b', 'c'] as const;
const STEPS = 2;
/** After a first round as warm-up. */
const USUAL_ROUNDS = 10;
const FEWEST_ROUNDS = 10;

/**
 * How much later its webhooks may start than before the attack. Attacker, emulator and workers share two
 * cores, and starting a worker takes a second of them; waiting for a hanging endpoint would take thirty.
 */
const LATER_MS = { median: 2_000, slowest: 12_000 };

/**
 * Longer than any of this may take, and shorter than the visibility timeout after which failed records come
 * back.
 */
const PATIENCE = { deadlineMs: 45_000 };

/** A well-behaved partner beside an attacker, with its own service, healthy endpoint and payments. */
export interface GoodNeighbour {
  /** Publishes one round of events and waits until all of their webhooks have arrived. */
  publishRound(): Promise<void>;
  /** Publishes rounds while the attack lasts, at least ten. */
  publishDuring<Result>(attack: () => Promise<Result>): Promise<Result>;
  /**
   * Checks that all webhooks arrived once and in order, that each was delivered at the first attempt, and
   * that none started much later than before the attack.
   */
  expectUnharmed(): Promise<void>;
  stop(): Promise<void>;
}

/** Measures how soon its webhooks start before any attack. */
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
      expect(median(now) - median(usual)).toBeLessThan(LATER_MS.median);
      expect(Math.max(...now) - Math.max(...usual)).toBeLessThan(LATER_MS.slowest);
    },

    stop: () => partner.stop(),
  };
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN;
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

/** From intake to the first attempt, including time blocked. */
function startedAfterMs({ time_to_send_ms = Number.NaN, held_ms = 0 }: MessageSummary): number {
  return time_to_send_ms + held_ms;
}
