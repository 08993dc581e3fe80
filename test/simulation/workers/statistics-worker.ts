import { dimensionsOf } from '../plans/dimensions.ts';
import type { World } from '../world.ts';

/** Counts what happened in many worlds, to see that enough did. */
export class StatisticsChange {
  /** How often, by what: `events`, `probes`, `worker crashed`, `message exhausted: age`, … */
  readonly counts: Record<string, number> = {};

  add(world: World): void {
    const { admitted, receivers, invocations, history, tables, asked, recoveries } = world;
    this.#count('worlds');
    this.#count('events', admitted.length);
    this.#count('attempts', receivers.log.length);
    this.#count('failed attempts', receivers.log.filter(({ heardSuccess }) => !heardSuccess).length);
    this.#count('messages asked for again', asked.length);
    this.#count('of them by recoveries', asked.filter(({ by }) => by.startsWith('wake')).length);
    this.#count('steps of recoveries', recoveries.writes.length);
    this.#count('repeats after a success', repeatsIn(world));
    this.#count('ordering keys that waited for an operator', tables.keys.faults);
    this.#count('payments whose events waited for an operator', tables.sequences.stuckPayments);
    this.#count('second writers that were refused', tables.keys.refusals);
    for (const [what, number] of dimensionsOf(world)) {
      this.#count(what, number);
    }
    for (const [messageId, { state, state_reason }] of history.records) {
      const attempts = history.attemptsOf(messageId);
      this.#count('late attempts', attempts.filter(({ late }) => late).length);
      const waits = history
        .writesOf(messageId)
        .filter(({ record }) => record?.state_reason === 'rate_limited');
      this.#count('waits for a limit', waits.length);
      this.#count(`message ${state}${state_reason === undefined ? '' : `: ${state_reason}`}`);
      this.#count('probes', attempts.filter(({ probe }) => probe).length);
    }
    for (const { before, after } of tables.subscriptions.writes) {
      const [from, to] = [before.circuit.state, after.circuit.state];
      this.#count('circuits opened', to === 'open' && from !== 'open' && from !== 'half_open' ? 1 : 0);
      this.#count('circuits drained', to === 'draining' && from !== 'draining' ? 1 : 0);
    }
    for (const { fault } of [...invocations, ...world.people].flatMap(({ met }) => met)) {
      this.#count(`fault ${fault}`);
    }
    for (const { ending, name } of invocations) {
      this.#count(`worker ${ending}`);
      this.#count('sweeps', name.startsWith('sweep') ? 1 : 0);
    }
  }

  toString(): string {
    return Object.entries(this.counts)
      .map(([what, number]) => `${number} ${what}`)
      .join(', ');
  }

  #count(what: string, number = 1): void {
    this.counts[what] = (this.counts[what] ?? 0) + number;
  }
}

/** Attempts after a success: a worker had died in between. */
function repeatsIn({ receivers }: World): number {
  const delivered = new Set<string>();
  let repeats = 0;
  for (const { messageId, heardSuccess } of receivers.log) {
    repeats += delivered.has(messageId) ? 1 : 0;
    if (heardSuccess) {
      delivered.add(messageId);
    }
  }
  return repeats;
}
