import type { HttpMethod } from '@aws-lambda-powertools/event-handler/types';
import type { Answer } from './answer.ts';
import type { ApiPorts, ApiRequest } from './api-request.ts';
import { createSubscription } from './create-subscription.ts';
import { deleteSubscription } from './delete-subscription.ts';
import { listMessages } from './list-messages.ts';
import { listSubscriptions } from './list-subscriptions.ts';
import { resendMessage } from './resend-message.ts';
import { enableSubscription, pauseSubscription } from './set-subscription.ts';
import { showMessage } from './show-message.ts';
import { showRecovery } from './show-recovery.ts';
import { showSubscription } from './show-subscription.ts';
import { startRecovery } from './start-recovery.ts';

export type Operation = (request: ApiRequest, ports: ApiPorts) => Promise<Answer>;

interface Place {
  readonly path: `/v1/${string}`;
  readonly methods: Readonly<Partial<Record<HttpMethod, Operation>>>;
}

/** What partners can do, by place. */
export const OPERATIONS: readonly Place[] = [
  { path: '/v1/subscriptions', methods: { GET: listSubscriptions, POST: createSubscription } },
  {
    path: '/v1/subscriptions/:subscription_id',
    methods: { GET: showSubscription, DELETE: deleteSubscription },
  },
  { path: '/v1/subscriptions/:subscription_id/pause', methods: { POST: pauseSubscription } },
  { path: '/v1/subscriptions/:subscription_id/enable', methods: { POST: enableSubscription } },
  { path: '/v1/subscriptions/:subscription_id/messages', methods: { GET: listMessages } },
  { path: '/v1/subscriptions/:subscription_id/recoveries', methods: { POST: startRecovery } },
  { path: '/v1/subscriptions/:subscription_id/recoveries/:recovery_id', methods: { GET: showRecovery } },
  { path: '/v1/messages/:message_id', methods: { GET: showMessage } },
  { path: '/v1/messages/:message_id/resend', methods: { POST: resendMessage } },
];
