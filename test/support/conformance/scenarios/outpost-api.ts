import { not, type PeerFile, passes, replaced } from '../scenario.ts';

const DOCTOR = replaced('[the doctor](doctor.md) follows a payment through', 'thorough/operations/doctor');
const RESENT_ONCE_ENABLED = replaced(
  'it waits [until enabled](receiving.md#what-an-answer-means)',
  'retries',
);
const NO_TENANT = not('a service is not an object of the API');

const queries: readonly PeerFile[] = [
  {
    peer: 'Outpost',
    file: 'log_queries_test.go',
    commit: '2887439f',
    scenarios: {
      Attempts: replaced(
        'a message [shows its attempts](api.md#operations), no list of theirs',
        'integration/pipeline',
      ),
      Events: passes('thorough/api/history'),
      SortOrder: replaced('[newest first](api.md#operations)', 'thorough/api/api'),
      Pagination: passes('thorough/api/history'),
    },
  },
  {
    peer: 'Outpost',
    file: 'log_test.go',
    scenarios: {
      TestLogAPI: passes('thorough/api/history'),
      TestRetryAPI: RESENT_ONCE_ENABLED,
      TestLegacyLogAPI: not('no old routes'),
      TestAdminLogEndpoints: replaced(
        'by [stage session](security.md#stage-sessions), one service at a time',
        'integration/sessions/stage-sessions',
      ),
    },
  },
];

const resources: readonly PeerFile[] = [
  {
    peer: 'Outpost',
    file: 'api_test.go',
    commit: '0d016c6c',
    scenarios: {
      TestHealthzAPI: DOCTOR,
      TestTenantsAPI: NO_TENANT,
      TestTenantAPIInvalidJSON: passes('routes'),
      TestListTenantsAPI: NO_TENANT,
      TestDestinationsAPI: passes('endpoints'),
      TestEntityUpdatedAt: passes('endpoints'),
      TestDestinationsListAPI: replaced(
        'at most 20, [listed whole](api.md#operations), oldest first',
        'lists',
      ),
      TestDestinationEnableDisableAPI: passes('endpoints'),
      TestTopicsAPI: replaced('[in the OpenAPI document](api.md#operations)', 'lists'),
      TestDestinationTypesAPI: not('one type: webhooks'),
      TestJWTAuthAPI: passes('endpoints'),
    },
  },
  { peer: 'Outpost', file: 'health_test.go', scenarios: { ServerReportsHealthy: DOCTOR } },
  {
    peer: 'Outpost',
    file: 'request_body_test.go',
    scenarios: {
      LargeBodiesAreAccepted: replaced('16 KB; [events 512 KB](publishing.md#size)', 'routes'),
      OverLimitIsRejected: passes('routes'),
    },
  },
];

const errors: readonly PeerFile[] = [
  {
    peer: 'Outpost',
    file: 'error_responses_test.go',
    commit: '1b3ffe96',
    scenarios: {
      RouteTableMatchesRouter: passes('routes'),
      Unauthorized: passes('routes'),
      Forbidden: replaced(
        '403 without the [scope](api.md#what-you-can-rely-on); what is another’s is [404](security.md#threats)',
        'routes',
      ),
      TenantNotFound: passes('routes'),
      MCPDestinationCreate: not('one type: webhooks'),
      UnknownRoute: passes('routes'),
    },
  },
  {
    peer: 'Outpost',
    file: 'error_responses_validation_test.go',
    commit: '040de8aa',
    scenarios: {
      PublishValidation: replaced(
        '[dead-lettered](publishing.md#events-that-cannot-be-used) with the reason',
        'thorough/hostile/hostile-publishers',
      ),
      RetryValidation: replaced(
        'it waits [while its subscription is disabled](receiving.md#what-an-answer-means)',
        'retries',
      ),
      TenantValidation: passes('validation'),
      CreateDestinationValidation: passes('validation'),
      UpdateDestinationValidation: passes('validation'),
      LogQueryValidation: passes('validation'),
      MetricsValidation: passes('validation'),
    },
  },
  {
    peer: 'Outpost',
    file: 'error_responses_not_found_test.go',
    scenarios: { DestinationNotFound: passes('endpoints'), EventAndAttemptNotFound: passes('validation') },
  },
];

const others: readonly PeerFile[] = [
  {
    peer: 'Outpost',
    file: 'spec-sdk-tests',
    scenarios: {
      'CRUD, merge patch, field removal, events, tenants, topics per destination type': replaced(
        'one type; [each operation](api.md#operations) as its document says, whatever the request',
        'thorough/api/schemathesis',
      ),
    },
  },
  {
    peer: 'Outpost',
    file: 'loadtest/app',
    scenarios: {
      ledger: replaced(
        '[a run that lost anything](../load/README.md#read-the-result) fails, one that proves nothing is void',
        'unit/load/results/outcome',
      ),
    },
  },
];

export const OUTPOST_API: readonly PeerFile[] = [...queries, ...resources, ...errors, ...others];
