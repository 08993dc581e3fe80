import { not, type PeerFile, passes, replaced } from '../scenario.ts';

const ONE_RETENTION = replaced(
  '[one retention for all](security.md#personal-data)',
  'unit/adapters/dynamodb/history/history-writer',
);
/** Also of an answer, also of many. */
const ERASED = replaced(
  'operators [erase a payment](security.md#export-and-erasure)',
  'thorough/operations/personal-data',
);

const attempts: PeerFile = {
  peer: 'Svix',
  file: 'e2e_attempt.rs',
  commit: '279b2593',
  scenarios: {
    test_expunge_attempt_response_body: ERASED,
    test_list_attempted_messages: passes('thorough/api/history'),
    test_list_attempted_messages_failed: passes('lists'),
    test_list_attempted_messages_sending: passes('lists'),
    test_list_attempted_destinations: passes('lists'),
    test_list_attempts_by_endpoint: replaced(
      '[one syntax](api.md#operations); twice is an error',
      'validation',
    ),
    test_message_attempts: passes('retries'),
    test_message_attempts_empty_retry_schedule: replaced(
      '[two schedules](receiving.md#when-a-webhook-is-tried-again), neither empty',
      'unit/core/attempt/retry-schedule',
    ),
    test_combined_before_after_filtering: passes('thorough/api/history'),
    test_pagination_by_endpoint: passes('thorough/api/api'),
    test_pagination_by_msg: replaced('[a message shows all its attempts](api.md#operations)', 'retries'),
    test_pagination_forward_and_back: replaced('[forward only](api.md#operations)', 'thorough/api/api'),
  },
};

const messages: PeerFile = {
  peer: 'Svix',
  file: 'e2e_message.rs',
  commit: '0037a5d0',
  scenarios: {
    test_message_create_read_list: passes('integration/pipeline'),
    test_message_create_read_list_with_content: passes('integration/pipeline'),
    test_failed_message_gets_recorded: passes('integration/pipeline'),
    test_multiple_endpoints: passes('deliveries'),
    test_failed_message_gets_requeued: passes('integration/pipeline'),
    test_payload_retention_period: ONE_RETENTION,
    test_payload_retention_period_messagecontent: ONE_RETENTION,
    test_expunge_message_payload: ERASED,
    test_message_bulk_expunge: ERASED,
    test_message_conflict: replaced(
      '[accepted, and sent once](publishing.md#repeats)',
      'integration/pipeline',
    ),
    test_message_validation: replaced('[dead-lettered with its reason](publishing.md#size)', 'deliveries'),
    test_raw_payload: passes('deliveries'),
    test_create_message_with_application: not('services need no creation'),
  },
};

const operational: PeerFile = {
  peer: 'Svix',
  file: 'e2e_operational_webhooks.rs',
  commit: '27cf863c',
  scenarios: {
    test_endpoint_create_update_and_delete: replaced(
      '[states](operational-events.md) are told; all changes are [in the trail](security.md#trail)',
      'thorough/api/audit',
    ),
    test_message_attempt_operational_webhooks: replaced(
      '[told when given up](operational-events.md), not while failing',
      'retries',
    ),
    test_operational_webhooks_event_types_exist: passes('unit/docs/operational-events'),
  },
};

export const SVIX_MESSAGES: readonly PeerFile[] = [attempts, messages, operational];
