import { SecretsCache } from '../../../functions/adapters/dynamodb/secrets/secrets-cache.ts';
import type { Fault, Meeting } from '../faults.ts';

/** An invocation in an environment: it dies with it. */
interface Inmate {
  readonly met: Meeting[];
  kill(ending: 'crashed'): void;
}

/**
 * An environment with several invocations under way, as on Lambda Managed Instances: they share its clock and
 * its cache, freeze together and die together. Source: "Node.js runtime for Lambda Managed Instances", AWS
 * Lambda Developer Guide.
 */
export class Environment {
  /** How far its clock is slow. */
  readonly behindMs: number;
  readonly secrets = new SecretsCache();
  /** The most invocations at one time. */
  maxInside = 0;
  /** How many were under way when it died; undefined while it lives. */
  diedWith: number | undefined;
  frozenUntilMs = 0;
  busyUntilMs = 0;
  /** How long it was frozen or busy so far. */
  blindMs = 0;
  readonly #inside = new Set<Inmate>();

  constructor(behindMs: number) {
    this.behindMs = behindMs;
  }

  /** How many are under way. */
  get size(): number {
    return this.#inside.size;
  }

  enter(invocation: Inmate): void {
    this.#inside.add(invocation);
    this.maxInside = Math.max(this.maxInside, this.#inside.size);
  }

  leave(invocation: Inmate): void {
    this.#inside.delete(invocation);
  }

  /** A failure of the process hits all invocations under way in it, wherever they are. */
  struck(fault: Fault, atMs: number, by?: Inmate, untilMs = atMs): void {
    for (const invocation of this.#inside) {
      if (invocation !== by) {
        invocation.met.push({ fault, atMs, untilMs, port: 'beside' });
      }
    }
  }

  /** Kills all invocations under way in it. Call `struck` first. */
  die(): void {
    this.diedWith ??= this.#inside.size;
    for (const invocation of [...this.#inside]) {
      invocation.kill('crashed');
    }
  }
}
