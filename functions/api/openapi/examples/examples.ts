import { STAGE_ANSWERS, STAGE_BODIES } from './stage.ts';
import {
  CHANGE,
  CURSOR,
  EXAMPLE_URL,
  MESSAGE,
  NEW_SIGNING_SECRET,
  PORTAL_CODE,
  PORTAL_SESSION,
  PORTAL_TOKEN,
  RECOVERY,
  SECRET,
  SIGNING_SECRET,
  SUBSCRIPTION,
  SUMMARY,
  TIMELINE,
} from './things.ts';
import { EVENT_TYPE, RESOURCE_TYPE } from './told-with.ts';

/** Of a message that nobody has. */
const LEASE_ID =
  'lea_WyJwYXlfbXdxMDQyd3hfMiIsIjAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMSIsIm5vbmUiXQ';

/**
 * A request body for each operation that takes one, by operation id. Readers send these as they are, so they
 * must be valid and harmless: none sets a real receiver, a limit, headers or a secret.
 */
export const BODY_EXAMPLES: Readonly<Record<string, unknown>> = {
  createSubscription: {
    callback_url: EXAMPLE_URL,
    description: 'mine',
    event_types: ['*'],
    live: false,
  },
  checkUrl: { callback_url: EXAMPLE_URL },
  updateSubscription: {
    description: 'one type of event',
    event_types: [EVENT_TYPE],
  },
  pingSubscription: { sample_of: EVENT_TYPE },
  previewFilter: { filter: { resource: { amount: [{ numeric: ['>=', 10_000] }] } } },
  rotateSecret: { overlap_seconds: 86_400 },
  reportResults: { results: [{ lease_id: LEASE_ID, outcome: 'delivered', status_code: 204 }] },
  startRecovery: { since: '2026-11-20T18:00:00Z' },
  createPortalSession: { rights: 'read' },
  exchangePortalSession: { code: PORTAL_CODE },
  ...STAGE_BODIES,
};

const { subscription_id } = SUBSCRIPTION;
const { message_id } = SUMMARY;
const FIRST_TYPE = {
  event_type: EVENT_TYPE,
  description: 'What has happened.',
  group: 'Payments',
  resource_type: RESOURCE_TYPE,
  deprecated: false,
};
const BODY = `{"webhook_message_id":"${message_id}","api_version":1,"created_date":"2026-11-21T06:02:36.100Z","resource_id":"pay_mwq042wx_2","resource_type":"${RESOURCE_TYPE}","event_type":"${EVENT_TYPE}","resource":{"payment_id":"pay_mwq042wx_2"}}`;
const FED = {
  lease_id: LEASE_ID,
  leased_until: '2026-11-21T06:03:06.192Z',
  message_id,
  payment_id: 'pay_mwq042wx_2',
  event_type: EVENT_TYPE,
  attempt: 1,
  headers: {
    'content-type': 'application/json; charset=utf-8',
    'webhook-id': message_id,
    'webhook-timestamp': '1795240956',
    'webhook-signature': 'v1,kq9uOqQS0Y3FdRzYyUPHqYQg1X2o3mE5rVtEJr0dH4s=',
    'webhook-attempt': '1',
  },
  body: BODY,
};
const CHANGED = {
  ...SUBSCRIPTION,
  description: 'one type of event',
  event_types: [EVENT_TYPE],
};
const PAUSED = {
  ...SUBSCRIPTION,
  state: 'paused',
  circuit: { state: 'open', since: '2026-11-21T10:00:00.000Z' },
};
const ENABLED = { ...SUBSCRIPTION, circuit: { state: 'draining', since: '2026-11-21T10:05:00.000Z' } };
const MESSAGES = { messages: [SUMMARY], next_cursor: CURSOR };
const IDLE = { delivered: 0, acknowledged_within_60_s: 0, failed_attempts: 0, exhausted: 0, cancelled: 0 };

/** Response bodies, by operation id and status. */
export const ANSWER_EXAMPLES: Readonly<Record<string, unknown>> = {
  ...STAGE_ANSWERS,
  'createSubscription.201': { ...SUBSCRIPTION, signing_secret: SECRET },
  'listSubscriptions.200': { subscriptions: [SUBSCRIPTION] },
  'previewFilter.200': {
    looked_at: 1,
    is_more: false,
    messages: [
      {
        message_id,
        event_type: EVENT_TYPE,
        payment_id: 'pay_mwq042wx_2',
        admitted_at: '2026-11-20T18:00:00.000Z',
        taken: false,
        refused_by: 'resource.amount',
      },
    ],
  },
  'checkUrl.200': { verdict: 'allowed', callback_url: EXAMPLE_URL },
  'showSubscription.200': SUBSCRIPTION,
  'updateSubscription.200': CHANGED,
  'pauseSubscription.200': PAUSED,
  'enableSubscription.200': ENABLED,
  'rotateSecret.201': {
    secret_id: NEW_SIGNING_SECRET.secret_id,
    signing_secret: SECRET,
    signing_secrets: [NEW_SIGNING_SECRET, { ...SIGNING_SECRET, expires_at: '2026-11-22T10:00:00.000Z' }],
    effective_within_seconds: 60,
  },
  'revokeSecret.200': {
    secret_id: SIGNING_SECRET.secret_id,
    effective_at: '2026-11-21T10:01:00.000Z',
    signing_secrets: [NEW_SIGNING_SECRET],
  },
  'pingSubscription.202': { message_id: 'msg_8dLw0Zq4TnVb6xKc2mRgQy1ZsHf7PjNa3uXe5oWk', subscription_id },
  'pullMessages.200': { messages: [FED] },
  'reportResults.200': { results: [{ lease_id: LEASE_ID, state: 'recorded' }] },
  'showKeySet.200': {
    keys: [
      {
        kty: 'EC',
        crv: 'P-256',
        alg: 'ES256',
        use: 'sig',
        kid: 'gWjt7nmB1udyFpLYVp0SxJnI8lJEvl7q8AFYZRqnGV8',
        x: 'HhhTL9R1TALzBB2cdc6zO4P_2BrHzk_ogsyxyYvFiW4',
        y: 'pGwxHE4v9A3ZajZT5uRURdMt_khuztdcepDGoYiBwKM',
        created_at: '2026-11-14T10:00:00.000Z',
      },
    ],
  },
  'showStatistics.200': {
    subscription_id,
    by: 'hour',
    periods: [
      { since: '2026-11-21T09:00:00.000Z', ...IDLE },
      {
        since: '2026-11-21T10:00:00.000Z',
        ...IDLE,
        delivered: 214,
        acknowledged_within_60_s: 211,
        failed_attempts: 3,
        time_to_send_p50_ms: 76,
        time_to_send_p95_ms: 215,
        time_to_acknowledge_p50_ms: 304,
        time_to_acknowledge_p95_ms: 861,
      },
    ],
    waiting: { count: 1, is_more: false, oldest_admitted_at: '2026-11-21T10:12:09.481Z' },
  },
  'listNotices.200': {
    contact: { to: 'o***@example.com', state: 'confirmed', since: '2026-11-14T09:41:00.000Z' },
    notices: [
      {
        notice_id: 'ntc_zohGi8FJN4SzQPkyLzHHmYq1',
        kind: 'endpoint.failing',
        at: '2026-11-21T08:02:10.000Z',
        since: '2026-11-21T08:02:00.000Z',
        by: 'mail',
        to: 'o***@example.com',
        result: 'sent',
        ended_at: '2026-11-21T08:02:11.000Z',
      },
    ],
  },
  'listMessages.200': MESSAGES,
  'listMessagesOfPayment.200': MESSAGES,
  'showPayment.200': TIMELINE,
  'showMessage.200': MESSAGE,
  'resendMessage.202': {
    message_id,
    subscription_id,
    state_before: 'exhausted',
    state_reason_before: 'schedule',
  },
  'cancelMessage.202': {
    message_id,
    subscription_id,
    state_before: 'parked',
    state_reason_before: 'disabled',
  },
  'startRecovery.202': RECOVERY,
  'showRecovery.200': {
    ...RECOVERY,
    state: 'done',
    examined_count: 1_840,
    resent_count: 37,
    ended_at: '2026-11-21T10:00:21.300Z',
  },
  'createPortalSession.201': { ...PORTAL_SESSION, console_path: `/v1/console#code=${PORTAL_CODE}` },
  'exchangePortalSession.200': {
    session_id: PORTAL_SESSION.session_id,
    service_id: 'bakery',
    token: PORTAL_TOKEN,
    rights: PORTAL_SESSION.rights,
    subscriptions: PORTAL_SESSION.subscriptions,
    expires_at: PORTAL_SESSION.expires_at,
  },
  'listPortalSessions.200': {
    portal_sessions: [{ ...PORTAL_SESSION, exchanged_at: '2026-11-21T10:01:12.417Z' }],
  },
  'listEventTypes.200': { event_types: [FIRST_TYPE] },
  'showEventType.200': {
    ...FIRST_TYPE,
    schema: { type: 'object', properties: { amount: { type: 'integer' } } },
    sample: { amount: 1_000 },
  },
  'listChanges.200': { changes: [CHANGE], next_cursor: CURSOR },
};

/** The body of a webhook. */
export const WEBHOOK_EXAMPLE: Readonly<Record<string, unknown>> = JSON.parse(MESSAGE.body);
