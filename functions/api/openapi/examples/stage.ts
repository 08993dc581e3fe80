/** Request bodies and answers of the operations for the people who run a stage, as in `examples.ts`. */
const CODE = `phc_stage_${'Zm9vYmFy'.repeat(5)}Zm9`;

export const STAGE_BODIES = {
  operateCircuit: { service_id: 'bakery', subscription_id: 'sub_2cXj1x8', signal: 'open' },
  exchangeStageSession: { code: CODE },
};

export const STAGE_ANSWERS = {
  'listEndpointsInTrouble.200': {
    endpoints: [
      {
        service_id: 'bakery',
        subscription_id: 'sub_2cXj1x8',
        callback_url: 'https://shop.example/',
        state: 'active',
        circuit: {
          state: 'open',
          since: '2026-11-20T18:03:11.000Z',
          in_trouble_since: '2026-11-20T18:01:40.000Z',
          next_probe_at: '2026-11-20T18:08:11.000Z',
        },
        health: 'failing',
        since: '2026-11-20T18:01:40.000Z',
        waiting: 312,
        last_failure_class: 'http_status',
        last_status_code: 503,
        attempts: 50,
        failed_attempts: 41,
        refused_payments: 0,
        payment_id: 'pay_8fQ2',
        message_id: 'msg_5mY1',
      },
    ],
    more: 0,
    is_cut: false,
    unreadable: 0,
  },
  'showQueues.200': {
    work: [{ runbook: 'events-oldest', waiting: 3, oldest_seconds: 1 }],
    dead_letters: [{ runbook: 'events-dead-letters', waiting: 0 }],
    oldest_due_seconds: 0,
    stuck_payments: 0,
    messages_behind_circuits: 312,
    open_circuits: 1,
    draining_circuits: 0,
  },
  'operateCircuit.200': {
    dry_run: true,
    from: 'closed',
    to: 'open',
    text: 'It is closed. It would be opened: nothing is sent to it, not even probes, until you close or drain it; messages more than 76 hours old by then are given up.',
  },
  'exchangeStageSession.200': {
    session_id: 'stg_jrm2Q4Ev3ibAiZhepIZAhY',
    token: `phs_stage_jrm2Q4Ev3ibAiZhepIZAhY${'Zm9vYmFy'.repeat(5)}Zm9`,
    stage: 'on-call',
    deployment: { name: 'prod', account: '111122223333' },
    expires_at: '2026-11-21T02:00:00.000Z',
  },
};
