import fc from 'fast-check';
import type { ProblemKind } from '../../../functions/core/api/problem.ts';
import type { KnownStage } from './known-stage.ts';
import type {
  Answered,
  KnownMessage,
  KnownService,
  KnownSubscription,
  Outcome,
  Sending,
  Tested,
} from './world.ts';

/** What a body or a query is made of. `refusal`: why no operation that takes it may accept it. */
export interface Sample<Value> {
  value(at: Where): Value;
  readonly refusal?: ProblemKind;
}

/** Where a request is made: all that its contents may refer to. */
export interface Where {
  readonly service: KnownService;
  readonly stranger: KnownService;
  readonly stage: KnownStage;
  readonly tested: Tested;
  /** The subscription of the path, if it is the service's own and not deleted. */
  readonly subscription?: KnownSubscription | undefined;
  readonly message?: KnownMessage | undefined;
}

/** A request that reads well: neither its body nor its query is refused by itself. */
export interface Sent extends Where {
  readonly request: Sending;
  /** The parsed body. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, string>>;
}

/** How an operation is played: what is sent, what must come back, and what it changes in the model. */
export interface Play {
  readonly body?: fc.Arbitrary<Sample<unknown>>;
  readonly query?: fc.Arbitrary<Sample<Readonly<Record<string, string>>>>;
  /** All outcomes that are right; more than one only where others may interfere. */
  expects(sent: Sent): readonly Outcome[];
  /** After success. */
  learn?(sent: Sent, answer: Answered): void;
  /** Members of the body that only the first answer shows. */
  readonly once?: string;
}

export const valid = <Value>(value: (at: Where) => Value): Sample<Value> => ({ value });

/** Bodies that no operation can read. */
export const unreadable: fc.Arbitrary<Sample<unknown>> = fc.constantFrom(
  ...[
    '{',
    '[]',
    'null',
    '7',
    '""',
    '{"a":1,"a":2}',
    '{"colour":"red"}',
    '{"__proto__":1}',
    '[['.repeat(99),
  ].map((text): Sample<unknown> => ({ value: () => text, refusal: 'malformed-request' })),
  { value: () => JSON.stringify({ colour: 'é'.repeat(9_000) }), refusal: 'content-too-large' } as const,
);

export const malformed = (value: unknown): Sample<unknown> => ({
  value: () => value,
  refusal: 'malformed-request',
});

/** Notes a change in the trail that the service should see. */
export function changed({ service }: Where, operationId: string): void {
  service.changes = [operationId, ...service.changes];
}
