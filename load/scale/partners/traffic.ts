import { createHash } from 'node:crypto';
import { shardsOf } from '../../../lib/shards.ts';
import { STAGES } from '../../../payhooks.config.ts';
import { paymentEvent } from '../../../test/support/builders.ts';
import type { Cell } from '../cell.ts';

/** Makes a webhook body of about 1 KB. */
export const PAD = 'x'.repeat(760);

const SHARD_OF = new Map(
  shardsOf(STAGES.prod.shards).flatMap(({ name, suffixes }) =>
    suffixes.map((suffix) => [suffix, name] as const),
  ),
);

export interface Source {
  readonly serviceId: string;
  /** The groups of the subscriptions that get its events. */
  readonly groups: readonly string[];
}

/** Events of a payment, and the time between them. */
const EVENTS_OF_A_PAYMENT = 3;
const APART_SECONDS = 3;

/** Publishes the events of services. */
export class Publisher {
  readonly #cell: Cell;
  readonly #eventsEach: number;
  readonly #told = new Map<string, number>();
  #events = 0;
  #isOver = false;

  /** @param eventsEach events of each payment */
  constructor(cell: Cell, eventsEach = EVENTS_OF_A_PAYMENT) {
    this.#cell = cell;
    this.#eventsEach = eventsEach;
  }

  /** @param open payments of the service that get events in turns */
  publish({ serviceId, groups }: Source, open: number): void {
    const told = this.#told.get(serviceId) ?? 0;
    this.#told.set(serviceId, told + 1);
    const round = Math.floor(told / (open * this.#eventsEach));
    const inRound = told % (open * this.#eventsEach);
    const payment = round * open + (inRound % open);
    this.publishOf(serviceId, groups, paymentId(serviceId, payment), 1 + Math.floor(inRound / open));
  }

  /** @param position of the event among those of its payment, from 1 */
  publishOf(serviceId: string, groups: readonly string[], paymentId: string, position: number): void {
    const { surface, meter, observations, clock } = this.#cell;
    this.#events += 1;
    meter.events += 1;
    const detail = paymentEvent({
      event_id: `evt-${this.#events}`,
      service_id: serviceId,
      payment_id: paymentId,
      resource_id: paymentId,
      occurred_at: new Date(clock.now()).toISOString(),
      resource: { payment_id: paymentId, position, pad: PAD },
    });
    // EventBridge sends each event in its own request.
    meter.fifoRequests += 1;
    surface.events.send({ group: SHARD_OF.get(paymentId.at(-1)!)!, body: JSON.stringify(detail) });
    for (const group of groups) {
      observations.of(group).published += 1;
    }
  }

  /** Publishes nothing more. */
  stop(): void {
    this.#isOver = true;
  }

  /** Publishes events of random sources at random instants, until then, in ms from the start. */
  keepTelling(sources: readonly Source[], perSecond: number, untilMs: number): void {
    const { clock, dice, startedAtMs } = this.#cell;
    const open = Math.max(1, Math.round((APART_SECONDS * perSecond) / sources.length));
    const tellNext = () => {
      const atMs = clock.now() - (Math.log(1 - dice.draw()) * 1_000) / perSecond;
      if (atMs < startedAtMs + untilMs) {
        clock.at(atMs, () => {
          if (this.#isOver) {
            return;
          }
          this.publish(sources[dice.whole(0, sources.length - 1)]!, open);
          tellNext();
        });
      }
    };
    tellNext();
  }
}

/** Publishes events of random sources for some time, and lets what is under way end. */
export async function publishFor(
  cell: Cell,
  sources: readonly Source[],
  how: {
    readonly perSecond: number;
    readonly tellingMs: number;
    /** @default 10 s */
    readonly settlingMs?: number;
    /** Events of each payment. @default 3 */
    readonly eventsEach?: number;
  },
): Promise<void> {
  new Publisher(cell, how.eventsEach).keepTelling(sources, how.perSecond, how.tellingMs);
  await cell.runUntil(how.tellingMs + (how.settlingMs ?? 10_000));
}

/** Ends in a hexadecimal digit, as payment ids do: sixteen shards get their share, however many there are. */
function paymentId(serviceId: string, payment: number): string {
  const name = `${serviceId}-${payment}`;
  return `${name}-${createHash('sha1').update(name).digest('hex').slice(-2)}`;
}
