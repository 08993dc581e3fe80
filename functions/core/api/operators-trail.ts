import type { Change } from './answer.ts';
import type { AuditEntry } from './audit-trail.ts';

/** What an operator does by hand. Holds no secret and no body. */
export interface Deed {
  /** As it was typed, without its arguments: `circuits open`. */
  readonly command: string;
  readonly arguments: Readonly<Record<string, string | number | boolean>>;
}

/** What came of it, as numbers and names; `error` when it failed. */
export type Outcome = Readonly<Record<string, string | number | boolean>>;

/** An entry of the audit trail of a stage. */
export interface OperatorsEntry extends Deed {
  /** ISO 8601 in UTC with milliseconds: when it began. */
  readonly at: string;
  readonly request_id: string;
  /** The ARN that AWS knows the operator by; `local` on the local stage. */
  readonly who: string;
  /** Absent: it is still running, or was cut short. */
  readonly outcome?: Outcome | undefined;
}

/** What partners see of the commands of operators, beside operations of the API. */
export const OPERATORS_OPERATIONS = [
  'createPortalSession',
  'revokePortalSession',
  'createToken',
  'revokeToken',
  'openCircuit',
  'drainCircuit',
  'closeCircuit',
  'skipMessage',
  'releasePayments',
  'erasePersonalData',
] as const;

/** What an operator changed for a service, as its partner sees it: not who did it. */
export interface OperatorsChange extends Change {
  readonly service_id: string;
  readonly operation: (typeof OPERATORS_OPERATIONS)[number];
}

/** What operators did by hand on a stage, for 400 days. */
export interface OperatorsTrail {
  /** Writes an entry. Rejects when it cannot: then nothing may be changed. */
  begin(entry: OperatorsEntry): Promise<void>;
  /** Adds what came of it, and what partners see of it. */
  finish(entry: OperatorsEntry, outcome: Outcome, changes: readonly AuditEntry[]): Promise<void>;
  /** At most `max` entries, newest first. */
  newest(max: number): Promise<readonly OperatorsEntry[]>;
}
