import { not, type PeerFile, passes, replaced } from '../scenario.ts';

const NO_APPLICATION = not('a service is not an object of the API');
const TYPES_ARE_CODE = not('types are code: [add one](contributing.md#an-event-type)');

const auth: PeerFile = {
  peer: 'Svix',
  file: 'e2e_auth.rs',
  commit: '1f8ea7d4',
  scenarios: {
    test_restricted_application_access: passes('integration/sessions/portal-sessions'),
    test_dashboard_access_without_body: passes('auth'),
    test_invalid_auth_error_detail: passes('auth'),
    test_app_portal_access_with_application: NO_APPLICATION,
  },
};

const applications: PeerFile = {
  peer: 'Svix',
  file: 'e2e_application.rs',
  commit: '115ffccb',
  scenarios: {
    test_patch: NO_APPLICATION,
    test_crud: NO_APPLICATION,
    test_list: NO_APPLICATION,
    test_uid: NO_APPLICATION,
    test_uid_across_users: passes('thorough/api/history'),
    test_get_or_create: NO_APPLICATION,
    test_idempotency: passes('integration/idempotency'),
  },
};

const idempotency: PeerFile = {
  peer: 'Svix',
  file: 'src/core/idempotency.rs',
  scenarios: {
    test_basic_idempotency: passes('idempotency'),
    test_lock: replaced('the other one [gets 409](openapi.json) and asks again', 'integration/idempotency'),
    test_empty_body: not('each POST answers with a body'),
  },
};

const eventTypes: PeerFile = {
  peer: 'Svix',
  file: 'e2e_event_type.rs',
  scenarios: {
    test_patch: TYPES_ARE_CODE,
    test_event_type_create_read_list: TYPES_ARE_CODE,
    test_event_type_feature_flags: not('no feature flags'),
    test_list: replaced('[in the OpenAPI document](api.md#operations)', 'lists'),
    test_schema: replaced('[one schema](publishing.md#the-event), made of the code', 'unit/docs/publishing'),
  },
};

export const SVIX_ACCOUNTS: readonly PeerFile[] = [auth, applications, idempotency, eventTypes];
