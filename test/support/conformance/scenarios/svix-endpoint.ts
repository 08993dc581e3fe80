import { not, type PeerFile, passes, replaced } from '../scenario.ts';

const LISTED_WHOLE = replaced('at most 20, [listed whole](api.md#operations), oldest first', 'lists');
const NO_CHANNELS = not('no channels: event types are the filter');

export const SVIX_ENDPOINT: PeerFile = {
  peer: 'Svix',
  file: 'e2e_endpoint.rs',
  commit: '07fb1e23',
  scenarios: {
    test_create: passes('endpoints'),
    test_patch: passes('endpoints'),
    test_crud: passes('endpoints'),
    test_list: LISTED_WHOLE,
    test_endpoint_list_ordering: LISTED_WHOLE,
    test_uid: replaced(
      'no ids of the caller: [an `Idempotency-Key`](api.md#what-you-can-rely-on)',
      'integration/idempotency',
    ),
    test_endpoint_secret_get_and_rotation: passes('signatures'),
    test_recovery_should_fail_if_start_time_too_old: passes('retries'),
    test_recovery_expected_retry_counts: passes('retries'),
    test_endpoint_rotate_max: passes('signatures'),
    test_endpoint_rotate_signing_e2e: passes('signatures'),
    test_endpoint_rotate_signing_symmetric_and_asymmetric: passes('integration/secrets'),
    test_endpoint_secret_config: replaced(
      'each subscription [asks for `v1a`](receiving.md#other-signatures)',
      'integration/secrets',
    ),
    test_custom_endpoint_secret: passes('signatures'),
    test_endpoint_secret_encryption: replaced(
      '[AWS encrypts the table](security.md#what-is-encrypted-with-what), from the first deployment',
      'stacks/data/data',
    ),
    test_invalid_endpoint_secret: passes('validation'),
    test_endpoint_stats: replaced(
      '[by hour or by day](api.md#operations), no other bounds',
      'thorough/api/statistics',
    ),
    test_legacy_endpoint_secret: not('the old format is theirs'),
    test_endpoint_secret_encryption_in_database: replaced(
      '[a table and a key of their own](security.md#signing-secrets)',
      'integration/secrets',
    ),
    test_endpoint_filter_events: passes('endpoints'),
    test_endpoint_filter_channels: NO_CHANNELS,
    test_rate_limit: passes('thorough/delivery/rate-limit'),
    test_msg_event_types_filter: passes('integration/pipeline'),
    test_msg_channels_filter: NO_CHANNELS,
    test_endpoint_headers_manipulation: passes('endpoints'),
    test_endpoint_headers_sending: passes('integration/secrets'),
    test_endpoint_header_key_capitalization: replaced('[sent in lower case](openapi.json)', 'endpoints'),
    test_endpoint_https_only: passes('integration/hostile-urls'),
    test_send_example: passes('thorough/api/ping'),
  },
};
