import { createSubscription } from './create-subscription.ts';
import { deleteSubscription } from './delete-subscription.ts';
import { listChanges } from './list-changes.ts';
import { listMessages } from './list-messages.ts';
import { listSubscriptions } from './list-subscriptions.ts';
import type { Operation } from './operation.ts';
import { resendMessage } from './resend-message.ts';
import { enableSubscription, pauseSubscription } from './set-subscription.ts';
import { showMessage } from './show-message.ts';
import { showRecovery } from './show-recovery.ts';
import { showSubscription } from './show-subscription.ts';
import { startRecovery } from './start-recovery.ts';

/** All that partners can do. */
export const OPERATIONS: readonly Operation[] = [
  createSubscription,
  listSubscriptions,
  showSubscription,
  deleteSubscription,
  pauseSubscription,
  enableSubscription,
  listMessages,
  showMessage,
  resendMessage,
  startRecovery,
  showRecovery,
  listChanges,
];
