import * as z from 'zod';
import { refusal } from '../../../core/api/answer.ts';
import { fieldErrorsOf } from '../../../core/api/problem.ts';
import { reasonOf } from '../../../core/errors/error-reason.ts';
import { subscriptionFields } from '../../../core/subscription/subscription-fields.ts';
import { describeOperation, operation } from '../../operation.ts';

const allowed = () =>
  z.object({
    verdict: z.literal('allowed'),
    callback_url: z.string().describe('The URL in its normal form, as a subscription would have it.'),
  });
const refused = () =>
  z.object({
    verdict: z.literal('refused'),
    reason: z.string().describe('What creating a subscription says of the field.'),
  });

/**
 * Needs the scope of whoever may create or change a subscription, and says no more than that would: it calls
 * nobody, and looks up what creation looks up.
 */
export const checkUrl = operation({
  id: 'checkUrl',
  method: 'POST',
  path: '/v1/url-checks',
  scope: 'write',
  tag: 'Subscriptions',
  summary: 'Check a callback URL',
  body: z.strictObject({
    callback_url: z.string(),
    live: z
      .boolean()
      .default(false)
      .describe('Whether it is for live payments, which a stage may allow to certain domains only.'),
  }),
  problems: ['look-up-failed'],
  async run({ body }, { callbackUrls }) {
    const text = z.safeParse(subscriptionFields.callback_url, body.callback_url, { error: reasonOf });
    if (!text.success) {
      const [error] = fieldErrorsOf(text.error);
      return { status: 200, body: { verdict: 'refused', reason: error?.reason } };
    }
    const vetted = await callbackUrls.vet({ url: text.data, live: body.live });
    switch (vetted.kind) {
      case 'accepted':
        return { status: 200, body: { verdict: 'allowed', callback_url: vetted.url } };
      case 'refused':
        return { status: 200, body: { verdict: 'refused', reason: vetted.reason } };
      case 'undecided':
        return refusal('look-up-failed', vetted.reason, { 'retry-after': '5' });
    }
  },
});

/* @__PURE__ */ describeOperation(
  checkUrl,
  'Says whether a subscription could be created with this callback URL, and why not. Does not call it: to see whether it answers, create the subscription and send a test ping. Each attempt checks the addresses again.',
  () => ({
    200: {
      description: 'The verdict.',
      schema: z.discriminatedUnion('verdict', [allowed(), refused()]),
    },
  }),
);
