import { not, type PeerFile, passes, replaced } from '../scenario.ts';

const DOCTOR = replaced('[the doctor](doctor.md) follows a payment through');
const NO_TENANT = not('a service is not an object of the API');

const queries: readonly PeerFile[] = [
  {
    peer: 'Outpost',
    file: 'log_queries_test.go',
    commit: '2887439f',
    scenarios: {
      Attempts: passes('webhook'),
      Events: passes('filters'),
      SortOrder: replaced('[newest first](api.md#operations)', 'paging'),
      Pagination: passes('filters'),
    },
  },
  {
    peer: 'Outpost',
    file: 'log_test.go',
    scenarios: {
      TestLogAPI: passes('paging'),
      TestRetryAPI: passes('refusedResend'),
      TestLegacyLogAPI: not('no old routes'),
      TestAdminLogEndpoints: replaced('operators have [commands](operations-by-hand.md)'),
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
      TestDestinationsListAPI: replaced('at most 20, [listed whole](api.md#operations)', 'twenty'),
      TestDestinationEnableDisableAPI: passes('endpoints'),
      TestTopicsAPI: replaced('[in the OpenAPI document](api.md#operations)'),
      TestDestinationTypesAPI: not('one type: webhooks'),
      TestJWTAuthAPI: passes('tenancy'),
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
      Forbidden: passes('routes'),
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
      PublishValidation: passes('oddEvents'),
      RetryValidation: passes('validation'),
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
    scenarios: { 'per destination type': passes('fuzzing') },
  },
  {
    peer: 'Outpost',
    file: 'loadtest/app',
    scenarios: { ledger: replaced('[a run that lost anything](performance.md#reading-a-load-report) fails') },
  },
];

export const OUTPOST_API: readonly PeerFile[] = [...queries, ...resources, ...errors, ...others];
