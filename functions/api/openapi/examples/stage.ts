import { EVENT_TYPE, RESOURCE_TYPE } from './told-with.ts';

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
  'listServices.200': { services: [{ service_id: 'bakery' }, { service_id: 'shop' }], read_units: 0.5 },
  'showStageStatistics.200': {
    rows: [
      {
        service_id: 'bakery',
        subscription_id: 'sub_2cXj1x8',
        since: '2026-11-19',
        delivered: 1_204,
        acknowledged_within_60_s: 1_180,
        failed_attempts: 31,
        exhausted: 2,
        cancelled: 0,
        failures: [
          { reason: '503', count: 27 },
          { reason: 'timeout', count: 4 },
        ],
        acknowledged: [
          { up_to_ms: 304, count: 1_180 },
          { up_to_ms: 92_681, count: 24 },
        ],
      },
    ],
    counted_at: '2026-11-20T18:10:00.000Z',
    read_units: 12.5,
  },
  'listUnacknowledged.200': {
    messages: [
      {
        service_id: 'bakery',
        message_id: 'msg_5mY1',
        event_id: 'evt_1',
        subscription_id: 'sub_2cXj1x8',
        payment_id: 'pay_8fQ2',
        event_type: EVENT_TYPE,
        resource_type: RESOURCE_TYPE,
        resource_id: 'pay_8fQ2',
        live: true,
        occurred_at: '2026-11-16T18:01:40.000Z',
        admitted_at: '2026-11-16T18:01:40.120Z',
        state: 'exhausted',
        state_reason: 'schedule',
        attempt_count: 14,
        last_attempt_at: '2026-11-19T22:01:40.000Z',
        last_failure_class: 'http_status',
        last_status_code: 503,
        ended_at: '2026-11-19T22:01:40.300Z',
      },
    ],
    counted_at: '2026-11-20T09:00:00.000Z',
    read_units: 1.5,
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
