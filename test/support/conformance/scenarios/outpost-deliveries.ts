import { not, type PeerFile, passes, replaced } from '../scenario.ts';

const ONE_ALERT = replaced(
  'one event at [twenty payments](receiving.md#when-your-endpoint-is-down)',
  'thorough/delivery/operational-events',
);

export const OUTPOST_DELIVERIES: readonly PeerFile[] = [
  {
    peer: 'Outpost',
    file: 'delivery_pipeline_test.go',
    commit: '6c02c733',
    scenarios: {
      PublishDeliversToWebhook: passes('integration/pipeline'),
      PublishRespectsDataFilter: not('event types are the filter'),
      DisabledDestinationSkipsDelivery: passes('integration/subscription-states'),
      MultipleDestinationsEachReceiveDelivery: passes('deliveries'),
      DuplicateEventPublishReturnsDuplicate: replaced(
        '[accepted, and sent once](publishing.md#repeats)',
        'integration/pipeline',
      ),
      TopicRoutesOnlyToMatchingDestinations: passes('integration/pipeline'),
      EnableAfterDisableResumesDelivery: replaced(
        '[what waited](receiving.md#what-an-answer-means) is delivered, too',
        'integration/subscription-states',
      ),
      PreservesJsonKeyOrder: passes('deliveries'),
      RetryPreservesJsonKeyOrder: passes('deliveries'),
    },
  },
  {
    peer: 'Outpost',
    file: 'retry_test.go',
    commit: '6775114d',
    scenarios: {
      FailedDeliveryAutoRetries: passes('retries'),
      ManualRetryCreatesNewAttempt: passes('retries'),
      DuplicateManualRetryExecutesBoth: replaced(
        'of two at once [one may be refused](openapi.json)',
        'retries',
      ),
      ManualRetryOnDisabledDestinationRejected: replaced(
        'it waits [until enabled](receiving.md#what-an-answer-means)',
        'retries',
      ),
    },
  },
  {
    peer: 'Outpost',
    file: 'regressions_test.go',
    commit: '131a85fe',
    scenarios: {
      AutoDisableWithoutCallbackURL: passes('integration/subscription-states'),
      ManualRetryScheduleInteraction: passes('retries'),
      RetryRaceCondition: passes('retries'),
    },
  },
  {
    peer: 'Outpost',
    file: 'regression_format_error_test.go',
    scenarios: {
      FormatErrorIsDeliveredAttempt: replaced(
        '[dead-lettered](publishing.md#events-that-cannot-be-used) before any attempt',
        'thorough/hostile/hostile-publishers',
      ),
    },
  },
  {
    peer: 'Outpost',
    file: 'regression_response_body_cap_test.go',
    scenarios: { WebhookResponseBodyCap: passes('deliveries') },
  },
  {
    peer: 'Outpost',
    file: 'publish_test.go',
    scenarios: { TestPublishAPI: passes('integration/pipeline') },
  },
  {
    peer: 'Outpost',
    file: 'alerts_test.go',
    commit: '07ced216',
    scenarios: {
      ConsecutiveFailuresTriggerAlertCallback: ONE_ALERT,
      SuccessResetsConsecutiveFailureCounter: passes('deliveries'),
    },
  },
  {
    peer: 'Outpost',
    file: 'alert_test.go',
    commit: '26639000',
    scenarios: {
      TestConsecutiveFailuresAlert: ONE_ALERT,
      TestConsecutiveFailuresAlertReset: replaced(
        'no alert before [twenty payments](receiving.md#when-your-endpoint-is-down) in a row',
        'deliveries',
      ),
    },
  },
  {
    peer: 'Outpost',
    file: 'opevents_test.go',
    commit: '1d28a047',
    scenarios: {
      ConsecutiveFailuresAndDisable: replaced(
        'no thresholds; [events](operational-events.md) of circuit and state',
        'thorough/delivery/operational-events',
      ),
      ExhaustedRetries: passes('retries'),
      SubscriptionUpdated: replaced('changes are [in the trail](security.md#trail)', 'thorough/api/audit'),
    },
  },
];
