import { not, type PeerFile, passes, replaced } from '../scenario.ts';

const NO_PROXY = not('no proxy: [fixed addresses](operations.md#fixed-addresses) by NAT');
const DOCTOR = replaced('[the doctor](doctor.md) follows a payment through', 'thorough/operations/doctor');
const NO_MIGRATIONS = not('no SQL, no migrations');

const workers: readonly PeerFile[] = [
  {
    peer: 'Svix',
    file: 'worker.rs',
    commit: '16fc3226',
    scenarios: {
      test_no_redirects_policy: passes('thorough/hostile/hostile-receivers'),
      test_endpoint_disable_on_repeated_failure: passes('unit/pipeline/deliver/endpoint/circuit'),
      test_endpoint_disable_expiration_duration: replaced(
        '[five days](receiving.md#what-an-answer-means), however far apart; a failure ends them',
        'unit/core/circuit/endpoint-health',
      ),
      test_endpoint_disable_on_sporadic_failure: passes('unit/core/circuit/endpoint-health'),
    },
  },
  {
    peer: 'Svix',
    file: 'src/worker.rs',
    scenarios: {
      test_generate_msg_headers: passes('unit/core/attempt/signature'),
      test_generate_msg_headers_with_signing_key: passes('unit/core/attempt/signature'),
      test_asymmetric_key_signing: passes('unit/core/attempt/signature'),
      test_bytes_to_string: passes('deliveries'),
    },
  },
  {
    peer: 'Svix',
    file: 'e2e_proxy.rs',
    commit: '34636f7b',
    scenarios: {
      test_message_delivery_via_socks5: NO_PROXY,
      test_message_delivery_via_http_proxy: NO_PROXY,
      test_http_proxy_exceptions: NO_PROXY,
      test_socks5_proxy_exceptions: NO_PROXY,
    },
  },
  {
    peer: 'Svix',
    file: 'integ_webhook_http_client.rs',
    commit: '18422e86',
    scenarios: {
      test_client_basic_operation: passes('unit/adapters/http/http-post'),
      test_filtering: passes('integration/hostile-urls'),
    },
  },
  {
    peer: 'Svix',
    file: 'redis_queue.rs',
    commit: '333f591f',
    scenarios: {
      test_many_queue_consumers: passes('deliveries'),
      test_many_queue_consumers_delayed: passes('deliveries'),
    },
  },
  {
    peer: 'Svix',
    file: 'src/queue/redis.rs',
    scenarios: { 'queue migration v1 -> v3': passes('unit/core/event/formats') },
  },
];

const operations: readonly PeerFile[] = [
  {
    peer: 'Svix',
    file: 'message_app.rs',
    commit: '2a7f11c1',
    scenarios: {
      test_app_deletion: not('a service is not an object of the API'),
      test_endp_deletion: passes('deliveries'),
    },
  },
  {
    peer: 'Svix',
    file: 'db.rs',
    commit: '27cf863c',
    scenarios: {
      test_wiping_organization: replaced(
        'operators [erase a payment](security.md#export-and-erasure)',
        'thorough/operations/personal-data',
      ),
    },
  },
  { peer: 'Svix', file: 'e2e_health.rs', scenarios: { 'health ping': DOCTOR } },
  {
    peer: 'Svix',
    file: 'e2e_endp_stats.rs',
    scenarios: {
      'application attempt stats': replaced(
        '[of a subscription](api.md#operations), no other bounds',
        'validation',
      ),
    },
  },
  {
    peer: 'Svix',
    file: 'config.rs',
    scenarios: {
      test_environment_parsing: not('settings are [code](deploying.md#stages), not read from an environment'),
    },
  },
  {
    peer: 'Svix',
    file: 'background_migrations.rs',
    commit: '19bf03b2',
    scenarios: Object.fromEntries(
      [
        'test_fresh_apply_succeeds',
        'test_apply_is_idempotent',
        'test_cleanup_runs_on_retry',
        'test_failed_sql_records_error',
        'test_failed_cleanup_records_error',
        'test_revert_succeeds',
        'test_empty_revert_sql_deletes_row',
        'test_revert_unapplied_migration_errors',
        'test_concurrent_apply',
        'test_revert_failed_migration_errors',
        'test_failure_stops_subsequent_migrations',
        'test_revert_non_latest_errors',
      ].map((name) => [name, NO_MIGRATIONS]),
    ),
  },
];

export const SVIX_WORKERS: readonly PeerFile[] = [...workers, ...operations];
