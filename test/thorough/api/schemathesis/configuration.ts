import path from 'node:path';

/** Existing ids by parameter name, so that most requests are about something. */
export interface Existing {
  readonly token: string;
  readonly subscription_id: readonly string[];
  readonly message_id: readonly string[];
  /** Messages that may be sent again. */
  readonly ended: readonly string[];
  /** Messages that have not ended. */
  readonly waiting: readonly string[];
  readonly payment_id: readonly string[];
  readonly cursor: readonly string[];
  /** Instants for which there are records. */
  readonly since: readonly string[];
  /** Subscriptions that may be deleted. */
  readonly doomed: readonly string[];
  /** Subscriptions whose messages are pulled. */
  readonly pulled: readonly string[];
  /** One whose circuit is operated: requests for others may delete them before. */
  readonly operated: readonly string[];
  /** One whose circuit is open. */
  readonly probed: readonly string[];
  /** A subscription whose secrets may be revoked. */
  readonly keyed: readonly string[];
  readonly secrets: readonly string[];
  readonly service_id: readonly string[];
  /** Of links to the console of the whole stage that nobody has used. */
  readonly stage_code: readonly string[];
  readonly stage: StageTokens;
}

/** Of two sessions of the whole stage. */
interface StageTokens {
  readonly lasting: string;
  /** Of one that may be ended. */
  readonly doomed: string;
}

/**
 * A schemathesis configuration, as TOML.
 *
 * Source: https://schemathesis.readthedocs.io/en/stable/reference/configuration/
 */
export function configuration({ token, stage, ...ids }: Existing): string {
  const given = Object.entries(ids);
  return `
hooks = ${text(path.join(import.meta.dirname, 'hooks.py'))}
headers = { Authorization = ${text(`Bearer ${token}`)} }
continue-on-failure = true
workers = 1

[checks]
not_a_server_error.expected-statuses = ["2xx", "3xx", "4xx"]
negative_data_rejection.expected-statuses = ["400", "401", "404", "405", "409", "412", "413", "422"]
# 412: an invented ETag. 422: a URL that leads nowhere, an idempotency key that another request used, or an invented code.
positive_data_acceptance.expected-statuses = ["2xx", "3xx", "404", "409", "412", "422"]

[phases.coverage]
# Without TRACE and OPTIONS, which the gateway answers itself.
unexpected-methods = ["get", "put", "post", "delete", "patch"]
generate-duplicate-query-parameters = true

[phases.fuzzing.generation]
max-examples = 6

[phases.stateful.generation]
max-examples = 6

[dictionaries]
${given.map(([name, values]) => `${name} = { values = ${list(values)} }`).join('\n')}
# On the loopback, so that no name is looked up; nothing listens there.
callback_url = { values = ["http://127.0.0.1:1/hooks", "http://localhost:1/"] }
event_type = { values = ["card_payment_captured", "card_payment_*", "*"] }
etag = { values = ["*"] }
yesterday = { values = ["${daysFromNow(-1)}"] }
tomorrow = { values = ["${daysFromNow(1)}"] }
time_zone = { values = ["UTC", "Europe/London"] }
# Behind a service "a", and of that service alone.
place_service = { values = ["a"] }
place = { values = ["eyJzZXJ2aWNlX2lkIjoiYSJ9"] }

[parameters]
"path.subscription_id" = { dictionary = "subscription_id", probability = 0.8 }
"path.message_id" = { dictionary = "message_id", probability = 0.8 }
"path.payment_id" = { dictionary = "payment_id", probability = 0.8 }
"query.payment_id" = { dictionary = "payment_id", probability = 0.8 }
"body.event_types[*]" = { dictionary = "event_type", probability = 0.9 }
"body.since" = { dictionary = "since", probability = 0.7 }
"query.cursor" = { dictionary = "cursor", probability = 0.7 }
"body.callback_url" = { dictionary = "callback_url", probability = 1.0 }
"body.notices_url" = { dictionary = "callback_url", probability = 1.0 }
"body.subscriptions[*]" = { dictionary = "subscription_id", probability = 0.9 }
"header.if-match" = { dictionary = "etag", probability = 0.8 }

# A schema cannot say whether a cursor was issued, an instant is past, a text is printable, or an event type or a subscription exists.
[[operations]]
include-operation-id = ["createSubscription", "updateSubscription", "listMessages", "listMessagesOfPayment", "listChanges", "showPayment", "previewFilter", "previewRecovery", "startRecovery", "rotateSecret", "showStatistics", "createPortalSession", "reportResults"]
[operations.checks]
positive_data_acceptance.expected-statuses = ["2xx", "3xx", "400", "404", "409", "412", "422"]

# Only what is behind an open circuit is probed, once a minute.
[[operations]]
include-operation-id = "probeSubscription"
[operations.parameters]
"path.subscription_id" = { dictionary = "probed", probability = 0.9 }
[operations.checks]
positive_data_acceptance.expected-statuses = ["2xx", "404", "409", "429"]

# A subscription takes five pings a minute; whether a sixth falls into the same minute depends on the machine.
[[operations]]
include-operation-id = "pingSubscription"
[operations.checks]
positive_data_acceptance.expected-statuses = ["2xx", "3xx", "404", "409", "412", "422", "429"]

[[operations]]
include-operation-id = ["listEndpointsInTrouble", "showQueues", "operateCircuit"]
headers = { Authorization = ${text(`Bearer ${stage.lasting}`)} }
[operations.parameters]
"body.service_id" = { dictionary = "service_id", probability = 0.9 }
"body.subscription_id" = { dictionary = "operated", probability = 0.9 }

# A schema cannot say that a period ends after it begins, nor whether a cursor was issued.
[[operations]]
include-operation-id = ["listServices", "showStageStatistics", "listUnacknowledged"]
headers = { Authorization = ${text(`Bearer ${stage.lasting}`)} }
[operations.parameters]
"query.since" = { dictionary = "yesterday", probability = 0.8 }
"query.until" = { dictionary = "tomorrow", probability = 0.8 }
"query.time_zone" = { dictionary = "time_zone", probability = 0.8 }
"query.service_id" = { dictionary = "place_service", probability = 0.8 }
"query.cursor" = { dictionary = "place", probability = 0.8 }
[operations.checks]
positive_data_acceptance.expected-statuses = ["2xx", "400"]

# Only the first request ends it.
[[operations]]
include-operation-id = "endStageSession"
headers = { Authorization = ${text(`Bearer ${stage.doomed}`)} }
[operations.checks]
positive_data_acceptance.expected-statuses = ["2xx", "401"]

[[operations]]
include-operation-id = "exchangeStageSession"
[operations.parameters]
"body.code" = { dictionary = "stage_code", probability = 0.8 }

[[operations]]
include-operation-id = "deleteSubscription"
[operations.parameters]
"path.subscription_id" = { dictionary = "doomed", probability = 0.8 }

[[operations]]
include-operation-id = ["pullMessages", "reportResults"]
[operations.parameters]
"path.subscription_id" = { dictionary = "pulled", probability = 0.8 }

[[operations]]
include-operation-id = "resendMessage"
[operations.parameters]
"path.message_id" = { dictionary = "ended", probability = 0.9 }

[[operations]]
include-operation-id = "cancelMessage"
[operations.parameters]
"path.message_id" = { dictionary = "waiting", probability = 0.9 }

[[operations]]
include-operation-id = "revokeSecret"
[operations.parameters]
"path.subscription_id" = { dictionary = "keyed", probability = 0.9 }
"path.secret_id" = { dictionary = "secrets", probability = 0.8 }
`;
}

function daysFromNow(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString();
}

function list(values: readonly string[]): string {
  return `[${values.map(text).join(', ')}]`;
}

/** A JSON string is also a TOML basic string. */
function text(value: string): string {
  return JSON.stringify(value);
}
