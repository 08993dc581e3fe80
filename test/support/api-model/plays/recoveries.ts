import fc from 'fast-check';
import { changed, malformed, type Play, type Sample, unreadable, valid } from '../play.ts';
import type { KnownSubscription } from '../world.ts';
import { ifFound } from './conditional.ts';

const HOUR_MS = 3_600_000;

/** Since and until, in hours from now. */
const span =
  (since: number, until?: number): Sample<unknown>['value'] =>
  ({ tested }) => {
    const at = (hours: number) => new Date(tested.nowMs() + hours * HOUR_MS).toISOString();
    return { since: at(since), ...(until === undefined ? {} : { until: at(until) }) };
  };

const startRecovery: Play = {
  body: fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(valid(span(-1)), valid(span(-48, -1))) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        ...[malformed({}), malformed(''), malformed({ since: 'yesterday' }), malformed({ since: 0 })],
        malformed({ since: '9999-12-31T23:59:59-01:00' }),
      ),
    },
    { weight: 1, arbitrary: unreadable },
  ),
  expects(sent) {
    const outcomes = sent.tested.isExact
      ? ([sent.subscription?.recovery === undefined ? 202 : 'recovery-running'] as const)
      : ([202, 'recovery-running'] as const);
    return sent.subscription === undefined ? ['not-found'] : outcomes;
  },
  learn(sent, { body, headers }) {
    const known = sent.subscription as KnownSubscription;
    known.recovery = body.recovery_id;
    expect(headers.location).toBe(`/v1/subscriptions/${known.id}/recoveries/${body.recovery_id}`);
    changed(sent, 'startRecovery');
  },
};

const showRecovery: Play = {
  expects(sent) {
    const isNewest = sent.subscription?.recovery === sent.request.params.recovery_id;
    return ifFound(sent, isNewest ? 200 : 'not-found');
  },
  learn: ({ subscription }, { body }) => expect(body.recovery_id).toBe(subscription?.recovery),
};

export const RECOVERY_PLAYS = { startRecovery, showRecovery };
