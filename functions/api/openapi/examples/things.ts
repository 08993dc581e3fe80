import { EVENT_TYPE, RESOURCE_TYPE } from './told-with.ts';

/** The present in the examples. The docs page shifts all times so that this becomes the real present. */
export const EXAMPLES_AT = '2026-11-21T10:15:00.000Z';

/**
 * Reserved for examples, and its host resolves, as that of a callback URL must. Source: RFC 2606, section 3.
 */
export const EXAMPLE_URL = 'https://example.com/webhooks';

/** The examples tell of one subscription and one message, both made up. */
const SUBSCRIPTION_ID = 'sub_Zq3kT8vWnR1yLx7uEoPd2A';
const SECRET_ID = 'sec_hB4mQx9wYt2sKj6e';
const PUBLIC_KEY = 'whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=';

export const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD7qt0yN5g2JE=';
export const CURSOR = 'WyJmb2xsb3ctdGhlLW5leHRfY3Vyc29yIl0';

export const SIGNING_SECRET = {
  secret_id: SECRET_ID,
  public_key: PUBLIC_KEY,
  created_at: '2026-11-14T09:30:00.000Z',
};

export const NEW_SIGNING_SECRET = {
  secret_id: 'sec_Rw7nVf3aLp5cZx1g',
  public_key: 'whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
  created_at: '2026-11-21T10:00:00.000Z',
};

export const SUBSCRIPTION = {
  subscription_id: SUBSCRIPTION_ID,
  delivery: 'push',
  callback_url: EXAMPLE_URL,
  description: 'mine',
  event_types: ['*'],
  live: false,
  state: 'active',
  created_at: '2026-11-14T09:30:00.000Z',
  timeout_ms: 10_000,
  schedule: 'standard',
  extra_signatures: [],
  custom_header_names: [],
  signing_secrets: [SIGNING_SECRET],
  circuit: { state: 'closed' },
};

export const SUMMARY = {
  message_id: 'msg_2Ktbxb6MqKrTbSTojdaEXo7LrP3fUe5gTn1iCk9s',
  event_id: 'evt_7f3kq2',
  subscription_id: SUBSCRIPTION_ID,
  payment_id: 'pay_mwq042wx_2',
  event_type: EVENT_TYPE,
  resource_type: RESOURCE_TYPE,
  resource_id: 'pay_mwq042wx_2',
  live: false,
  occurred_at: '2026-11-21T06:02:36.100Z',
  admitted_at: '2026-11-21T06:02:36.192Z',
  state: 'succeeded',
  attempt_count: 2,
  time_to_send_ms: 212,
  ended_at: '2026-11-21T06:02:41.690Z',
  last_attempt_at: '2026-11-21T06:02:41.615Z',
  last_status_code: 204,
};

export const MESSAGE = {
  ...SUMMARY,
  body: `{"webhook_message_id":"msg_2Ktbxb6MqKrTbSTojdaEXo7LrP3fUe5gTn1iCk9s","api_version":1,"created_date":"2026-11-21T06:02:36.100Z","resource_id":"pay_mwq042wx_2","resource_type":"${RESOURCE_TYPE}","event_type":"${EVENT_TYPE}","resource":{"payment_id":"pay_mwq042wx_2","amount":1000}}`,
  attempts: [
    {
      attempt: 1,
      started_at: '2026-11-21T06:02:36.404Z',
      duration_ms: 87,
      status_code: 503,
      failure_class: 'http_status',
      failure_reason: 'answered 503 Service Unavailable',
      response_body: 'back in a moment',
    },
    { attempt: 2, started_at: '2026-11-21T06:02:41.615Z', duration_ms: 62, status_code: 204 },
  ],
};

/** Another payment, whose events have numbers: the second is missing. */
export const TIMELINE = {
  payment_id: 'pay_mwq042wx_3',
  sequence: {
    next: 2,
    next_awaited_until: '2026-11-21T10:25:20.118Z',
    early: [
      {
        sequence: 3,
        event_id: 'evt_9x2mf1',
        since: '2026-11-21T10:10:20.118Z',
        waits_until: '2026-11-21T10:25:20.118Z',
      },
    ],
    missing: [],
    sent: [
      {
        subscription_id: SUBSCRIPTION_ID,
        position: 1,
        message_id: 'msg_2Ktbxb6MqKrTbSTojdaE6RwTq8hXcVb2nM4kPz0s',
      },
    ],
  },
  subscriptions: [
    {
      subscription_id: SUBSCRIPTION_ID,
      description: SUBSCRIPTION.description,
      state: SUBSCRIPTION.state,
      circuit: SUBSCRIPTION.circuit,
    },
  ],
  messages: [
    {
      message_id: 'msg_2Ktbxb6MqKrTbSTojdaE6RwTq8hXcVb2nM4kPz0s',
      event_id: 'evt_9x2mez',
      subscription_id: SUBSCRIPTION_ID,
      event_type: EVENT_TYPE,
      resource_type: RESOURCE_TYPE,
      resource_id: 'pay_mwq042wx_3',
      live: false,
      sequence: 1,
      position: 1,
      state: 'retrying',
      attempt_count: 1,
      waits_for: {
        reason: 'next_attempt',
        since: '2026-11-21T10:14:57.204Z',
        until: '2026-11-21T10:15:02.410Z',
      },
      entries: [
        { at: '2026-11-21T10:14:56.900Z', kind: 'occurred' },
        { at: '2026-11-21T10:14:57.021Z', kind: 'admitted' },
        {
          at: '2026-11-21T10:14:57.204Z',
          kind: 'attempted',
          attempt: 1,
          duration_ms: 87,
          status_code: 503,
          failure_class: 'http_status',
          failure_reason: 'answered 503 Service Unavailable',
        },
      ],
    },
  ],
};

export const RECOVERY = {
  recovery_id: 'rec_Vd5tYb8nQw2xHk4m',
  subscription_id: SUBSCRIPTION_ID,
  state: 'running',
  since: '2026-11-20T18:00:00.000Z',
  until: '2026-11-21T06:00:00.000Z',
  examined_count: 0,
  resent_count: 0,
  started_at: '2026-11-21T10:00:00.000Z',
};

export const PORTAL_SESSION = {
  session_id: 'ses_Hk2vQ9sXw4LmTz7bRc1yNe',
  rights: 'read',
  subscriptions: [SUBSCRIPTION_ID],
  token_id: 'tok_9f86d081884c7d65',
  created_at: '2026-11-21T10:00:00.000Z',
  link_expires_at: '2026-11-21T10:10:00.000Z',
  expires_at: '2026-11-21T18:00:00.000Z',
};

/** Made up: nobody has the code that a link of this form would contain. */
export const PORTAL_CODE = 'phc_Example0Code0Of0A0Link0To0The0Console000000';
export const PORTAL_TOKEN = 'phs_Hk2vQ9sXw4LmTz7bRc1yNeExample0Token0Of0A0Portal0Session0000000000';

export const CHANGE = {
  at: '2026-11-21T10:00:00.000Z',
  request_id: 'JKJaXmPLvHcESHA=',
  token_id: 'tok_9f86d081884c7d65',
  operation: 'updateSubscription',
  subscription_id: SUBSCRIPTION_ID,
  changed: { description: { from: 'mine', to: 'one type of event' } },
};
