import { createSubscription } from './create-subscription.ts';
import { deleteSubscription } from './delete-subscription.ts';
import { listChanges } from './list-changes.ts';
import { listMessages, listMessagesOfPayment } from './list-messages.ts';
import { listSubscriptions } from './list-subscriptions.ts';
import type { Operation } from './operation.ts';
import { pingSubscription } from './ping-subscription.ts';
import { resendMessage } from './resend-message.ts';
import { revokeSecret } from './revoke-secret.ts';
import { rotateSecret } from './rotate-secret.ts';
import { enableSubscription, pauseSubscription } from './set-subscription.ts';
import { showMessage } from './show-message.ts';
import { showRecovery } from './show-recovery.ts';
import { showStatistics } from './show-statistics.ts';
import { showSubscription } from './show-subscription.ts';
import { startRecovery } from './start-recovery.ts';
import { updateSubscription } from './update-subscription.ts';

/** All that partners can do. */
export const OPERATIONS: readonly Operation[] = [
  createSubscription,
  listSubscriptions,
  showSubscription,
  updateSubscription,
  deleteSubscription,
  pauseSubscription,
  enableSubscription,
  rotateSecret,
  revokeSecret,
  pingSubscription,
  showStatistics,
  listMessages,
  listMessagesOfPayment,
  showMessage,
  resendMessage,
  startRecovery,
  showRecovery,
  listChanges,
];
