import type { MessageSummary } from '../../../../functions/core/message/message-view.ts';
import { at, summaryOf } from '../../../../test/support/message-summaries.ts';
import { gatherFacts } from '../../../lab/findings/gather-facts.ts';
import { latenciesOf } from '../../../lab/findings/measurements.ts';
import type { Partner } from '../../../lab/partners/partner.ts';
import { expectedMessage, receiptsOf } from '../../builders.ts';

/** A partner with one subscription that accepted these, all of which are on record. */
function customerWith(messages: readonly MessageSummary[]): Partner {
  const all = receiptsOf(...messages.map(({ event_id }) => event_id));
  return {
    subscriptionIds: ['sub_1'],
    messages: async () => messages,
    message: async () => undefined,
    receipts: async (_: string, after: number) => all.slice(after),
  } as unknown as Partner;
}

test("the ordering wait of a payment's second event is not time to send", async () => {
  const partner = customerWith([
    summaryOf('a1', { admitted_at: at(0), time_to_send_ms: 8, ended_at: at(110) }),
    summaryOf('a2', { admitted_at: at(10), time_to_send_ms: 109, ended_at: at(220) }),
  ]);
  const facts = await gatherFacts([partner], [expectedMessage('a1'), expectedMessage('a2')]);
  expect(latenciesOf(facts)).toMatchObject({
    time_to_send: { count: 2, p50: 8, max: 9 },
    behind_earlier: { count: 1, max: 100 },
  });
});
