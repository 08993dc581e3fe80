import { noSuch, refusalOf } from '../../../core/api/answer.ts';
import { detailOf } from '../../../core/api/problem.ts';
import {
  LARGEST_RECOVERY_BYTES,
  recoveryRequestSchema,
  selectionOf,
} from '../../../core/api/recovery-request.ts';
import { lookInto, MAX_READ } from '../../../core/message/look-into.ts';
import type { PastMessage } from '../../../core/message/recovery.ts';
import { countsOf, recoveryPreviewSchema } from '../../../core/message/recovery-preview.ts';
import { describeOperation, operation } from '../../operation.ts';
import { ownSubscription } from '../../owned.ts';

/** Five pages of the index, or what `lookInto` reads at once: less than two seconds. */
const MAX_EXAMINED = 5_000;

export const previewRecovery = operation({
  id: 'previewRecovery',
  method: 'POST',
  path: '/v1/subscriptions/:subscription_id/recoveries/preview',
  scope: 'read',
  tag: 'Recoveries',
  summary: 'Count what a recovery would send',
  isIdempotent: true,
  body: recoveryRequestSchema,
  maxBodyBytes: LARGEST_RECOVERY_BYTES,
  async run(request, ports) {
    const subscription = await ownSubscription(request, ports);
    if (subscription === undefined) {
      return noSuch('subscription', request.params);
    }
    const chosen = selectionOf(request.body, ports.now(), ports.policy.retentionDays);
    if ('fieldErrors' in chosen) {
      return refusalOf(chosen.fieldErrors, 'malformed-request', detailOf(chosen.fieldErrors, 'field'));
    }
    const { selection } = chosen;
    const { service_id, subscription_id } = subscription;
    const { since, until } = selection;
    const found: PastMessage[] = [];
    let [examined, reads] = [0, 0];
    let continueAt: string | undefined = since;
    while (continueAt !== undefined && examined < MAX_EXAMINED && reads < MAX_READ) {
      const page = await ports.pastMessages({ service_id, subscription_id, continue_at: continueAt, until });
      const looked = await lookInto(selection, page, Number.POSITIVE_INFINITY, ports.contents);
      found.push(...looked.wanted);
      examined += looked.page.messages.length;
      reads += looked.read;
      continueAt = looked.page.continueAt;
    }
    return {
      status: 200,
      body: {
        since,
        until,
        examined_count: examined,
        found_count: found.length,
        found: countsOf(found),
        ...(continueAt === undefined ? {} : { continue_since: continueAt }),
      },
    };
  },
});

/* @__PURE__ */ describeOperation(
  previewRecovery,
  'Counts what a recovery with the same body would send, and sends nothing. One request examines some 5,000 messages, with a filter it reads some 500; `continue_since` says where the next one continues. Messages that end or are delivered meanwhile change the result.',
  () => ({
    200: { description: 'How many messages it would send, by kind.', schema: recoveryPreviewSchema },
  }),
);
