import type { Operation } from './operation.ts';
import { listEventTypes, showEventType } from './operations/event-types/event-types.ts';
import { cancelMessage } from './operations/messages/cancel-message.ts';
import { listMessages, listMessagesOfPayment } from './operations/messages/list-messages.ts';
import { previewFilter } from './operations/messages/preview-filter.ts';
import { resendMessage } from './operations/messages/resend-message.ts';
import { showMessage } from './operations/messages/show-message.ts';
import { showPayment } from './operations/messages/show-payment.ts';
import { showRecovery } from './operations/messages/show-recovery.ts';
import { startRecovery } from './operations/messages/start-recovery.ts';
import { createPortalSession } from './operations/portal/create-portal-session.ts';
import { exchangePortalSession } from './operations/portal/exchange-portal-session.ts';
import { listPortalSessions } from './operations/portal/list-portal-sessions.ts';
import { revokePortalSession } from './operations/portal/revoke-portal-session.ts';
import { checkUrl } from './operations/subscriptions/check-url.ts';
import { createSubscription } from './operations/subscriptions/create-subscription.ts';
import { deleteSubscription } from './operations/subscriptions/delete-subscription.ts';
import { listChanges } from './operations/subscriptions/list-changes.ts';
import { listNotices } from './operations/subscriptions/list-notices.ts';
import { listSubscriptions } from './operations/subscriptions/list-subscriptions.ts';
import { pingSubscription } from './operations/subscriptions/ping-subscription.ts';
import { revokeSecret } from './operations/subscriptions/revoke-secret.ts';
import { rotateSecret } from './operations/subscriptions/rotate-secret.ts';
import { enableSubscription, pauseSubscription } from './operations/subscriptions/set-subscription.ts';
import { showKeySet } from './operations/subscriptions/show-key-set.ts';
import { showStatistics } from './operations/subscriptions/show-statistics.ts';
import { showSubscription } from './operations/subscriptions/show-subscription.ts';
import { updateSubscription } from './operations/subscriptions/update-subscription.ts';

/** All operations of the HTTP API. */
export const OPERATIONS: readonly Operation[] = [
  createSubscription,
  listSubscriptions,
  checkUrl,
  showSubscription,
  updateSubscription,
  deleteSubscription,
  pauseSubscription,
  enableSubscription,
  rotateSecret,
  revokeSecret,
  showKeySet,
  pingSubscription,
  showStatistics,
  listNotices,
  listEventTypes,
  showEventType,
  listMessages,
  listMessagesOfPayment,
  showPayment,
  showMessage,
  resendMessage,
  cancelMessage,
  previewFilter,
  startRecovery,
  showRecovery,
  listChanges,
  createPortalSession,
  exchangePortalSession,
  listPortalSessions,
  revokePortalSession,
];
