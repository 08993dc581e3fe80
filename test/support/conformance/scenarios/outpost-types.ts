import { not, type PeerFile, passes, replaced } from '../scenario.ts';

const NO_IDENTITY = not('no cloud destinations');
const TYPES_IN_DOCUMENT = replaced('[in the OpenAPI document](api.md#operations)', 'lists');
const NO_MCP = not('no MCP destinations');

export const OUTPOST_TYPES: readonly PeerFile[] = [
  {
    peer: 'Outpost',
    file: 'topic_schemas_test.go',
    commit: '22531590',
    scenarios: {
      Enforce_InvalidPublishRejectedWithoutValues: replaced(
        '[dead-lettered](publishing.md#events-that-cannot-be-used), no value told',
        'thorough/hostile/hostile-publishers',
      ),
      Enforce_ValidPublishDelivered: passes('integration/pipeline'),
      Warn_InvalidPublishAcceptedAndMarked: not('no warnings: an event is usable or not'),
      TopicsWithoutSchemaAreNotValidated: replaced(
        '[one schema](publishing.md#the-event) for all events, with any resource',
        'deliveries',
      ),
      ListTopics_ReturnsNames: TYPES_IN_DOCUMENT,
      InvalidConfigFailsStartup: not('nobody configures schemas'),
      TopicsFromSchemaKeys: TYPES_IN_DOCUMENT,
      BreakingChangeAtStartup: replaced(
        '[two releases](releasing.md#read-first-write-later)',
        'unit/core/event/formats',
      ),
    },
  },
  {
    peer: 'Outpost',
    file: 'workload_identity_test.go',
    scenarios: {
      DisabledByDefault: NO_IDENTITY,
      IssuerEndpoints: NO_IDENTITY,
      TenantValues: NO_IDENTITY,
      DestinationTypeOffersAuthMethod: NO_IDENTITY,
      CreateDestination: NO_IDENTITY,
    },
  },
  {
    peer: 'Outpost',
    file: 'mcp_test.go',
    commit: 'a6b85305',
    scenarios: {
      EventsList: NO_MCP,
      Subscribe_VerifiesCallbackAndReturnsResult: replaced(
        '[a test ping](receiving.md#test-pings)',
        'thorough/api/ping',
      ),
      Publish_SignedEnvelope: passes('deliveries'),
      Filters: not('event types are the filter'),
      TTLGrants: NO_MCP,
      Retries_UntilSuccess: passes('retries'),
      Retries_ExhaustMCPSchedule: passes('retries'),
      NonRetryableStatuses: replaced(
        '[410 disables](receiving.md#what-an-answer-means), 413 is retried',
        'retries',
      ),
      PayloadTooLarge: replaced('[dead-lettered](publishing.md#size), never sent', 'deliveries'),
      Refresh_IdempotentWithDeliveryStatus: NO_MCP,
      Refresh_SecretRotationDualSigns: passes('integration/secrets'),
      Unsubscribe: passes('deliveries'),
      Unsubscribe_DropsPendingRetries: passes('integration/pipeline'),
      Expiry: replaced(
        '[events expire](publishing.md#the-event), subscriptions do not',
        'integration/subscription-states',
      ),
      RevokeOne: NO_MCP,
      RevokeByPrincipal: NO_MCP,
      AutoDisable_RefreshReenablesAndResumesParkedRetries: passes('integration/subscription-states'),
      Visibility_V1V2: NO_MCP,
      SubscribeErrors: passes('validation'),
      PrincipalLimit: passes('thorough/api/api'),
      TestE2E_MCP_NoAllowlist: passes('integration/hostile-urls'),
    },
  },
  { peer: 'Outpost', file: 'mcp_expiry_test.go', scenarios: { ExpirySweep: NO_MCP } },
  {
    peer: 'Outpost',
    file: 'mcp_schema_evolution_test.go',
    scenarios: { BreakingChangeStartup: NO_MCP, BreakingChangeRefresh: NO_MCP },
  },
];
