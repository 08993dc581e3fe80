/** Tests of ours, not written for conformance, that prove what a scenario of a peer does: by file, below `test/`. */
const TITLES = {
  'integration/pipeline': {
    webhook: 'a payment event becomes a webhook that the public library of Standard Webhooks verifies',
    matching: 'each subscription that wants an event gets it, and no other does',
    failedAttempt: 'a failed attempt is recorded with its class and answer, followed by the retry',
    duplicate: 'an event that is published twice is delivered once',
    cancelledRetries: 'messages that wait when their subscription is deleted are cancelled, not sent',
  },
  'integration/recovery': {
    refusedResend: 'a message that cannot be sent again is refused with the reason, and nothing is lost',
  },
  'integration/secrets': {
    overlap: 'while secrets overlap a receiver may verify with either, and then only with the new one',
    broughtSecret: 'without an overlap the old secret stops signing; a partner may supply a secret',
    extraSignatures:
      'a webhook carries its partner’s headers, and the additional signatures that it asked for',
    secretsAtRest: 'secrets are in the secrets table only, until the subscription is deleted',
  },
  'integration/idempotency': {
    idempotent:
      'a subscription registered twice with one key is one; its secret is in the first answer, and in no idempotency record',
    oneOfConcurrent: 'of concurrent requests with one key, one is carried out',
  },
  'integration/sessions/portal-sessions': {
    limitedSession: 'a session that is limited to a subscription sees nothing of the others',
  },
  'integration/sessions/stage-sessions': {
    everyService: '%s sees every service, and of none bodies, answers, secrets or contacts',
  },
  'integration/tenancy': {
    tenancy: '%s answers another service as if nothing existed',
  },
  'integration/subscription-states': {
    gone: 'an endpoint that is gone disables its subscription; once enabled, it gets the messages that were kept',
    disabled: 'a receiver that %s a webhook and says "disable" gets no other one',
    expired: 'expired messages are cancelled instead of sent, whether they arrived late or waited too long',
  },
  'integration/hostile-urls': {
    hostileRegistration: 'registration refuses each with its reason, and stores nothing of it',
    hostileDelivery: 'delivery to each is a failed attempt that never reaches a listener',
  },
  'thorough/api/api': {
    created: 'a subscription is created, shown, listed and deleted; its secret is shown once',
    paging: 'messages are listed newest first, page by page, each once',
    twenty: 'a service can register its twenty subscriptions at once, and no more than twenty',
  },
  'thorough/api/history': {
    filters: 'messages can be filtered by type, payment and time, alone and combined, page by page',
    samePayment:
      "a payment's messages are listed across the subscriptions of its service, without other services’ payments of that id",
  },
  'thorough/api/statistics': {
    statistics: 'deliveries, failures and waiting messages are counted; test pings are not',
  },
  'thorough/api/audit': {
    trail:
      "each change to a subscription is in its service's audit trail, with the token and the request, and in nobody else's",
  },
  'thorough/api/ping': {
    sample:
      'a sample of an event type is marked wherever it goes, and counts nowhere as an event of a payment',
    ping: 'a ping reaches the endpoint of a paused subscription, correctly signed, and is listed as a ping',
  },
  'thorough/api/schemathesis': {
    fuzzing: 'whatever the request, the API answers as its OpenAPI document says',
  },
  'thorough/delivery/rate-limit': {
    rateLimit:
      'a subscription with a rate limit gets this many attempts a second, all messages, and each payment in order',
  },
  'thorough/delivery/operational-events': {
    circuitEvents:
      'a failing endpoint opens its circuit, and a recovered one with an empty backlog closes it: one event each',
    stateEvents:
      'an endpoint that is gone disables its subscription, and its partner enables, pauses and deletes it: one event each',
  },
  'thorough/hostile/hostile-receivers': {
    redirect: 'a redirect is an answer like any other: %i',
  },
  'thorough/hostile/hostile-publishers': {
    oddEvents:
      'each odd value in each field, sent %s, is delivered as written or dead-lettered with its reason, and affects nobody else',
    malformed: 'a malformed event does not delay the events of its payment',
  },
  'thorough/operations/personal-data': {
    erased: "a payment's data is exported in full, then erased for good, and its trail stays",
    erasedAlone: 'payments of other services are not affected, whatever their ids',
  },
  'unit/pipeline/deliver/endpoint/circuit': {
    fiveDays: 'five days of nothing but failures disable a subscription',
  },
  'unit/core/circuit/endpoint-health': {
    notPastSuccess: 'do not count past a success',
    daysAlone: 'do nothing by themselves: it takes a failure',
  },
  'unit/core/attempt/signature': {
    headers: 'An attempt carries exactly these headers',
    publicKey: 'A subscription may be signed with ed25519 too',
  },
  'unit/core/attempt/check-signature': {
    knownAnswers: 'the known answers of the standard are valid',
  },
  'unit/adapters/http/http-post': {
    unchangedRequest: 'sends the request unchanged and returns the answer unchanged',
  },
  'unit/core/event/formats': {
    earlierFormats: 'is still read: a %s',
  },
  'unit/load/results/outcome': {
    voidRun: 'what is broken makes a run fail, though it has gaps; gaps alone make it void',
  },
  'unit/docs/operational-events': {
    eventSchema: 'the published JSON Schema is made of the code; after a change: npm run ops -- schema',
  },
} as const;
type Titles = typeof TITLES;
/** The short name of a test: the key of its title. */
export type OurTest = { [File in keyof Titles]: keyof Titles[File] }[keyof Titles];

interface Reference {
  /** Below `test/`, without `.test.ts`. */
  readonly file: string;
  readonly title: string;
}

export const OUR_TESTS: Readonly<Record<string, Reference>> = Object.fromEntries(
  Object.entries(TITLES).flatMap(([file, titles]) =>
    Object.entries(titles).map(([name, title]) => [name, { file, title }]),
  ),
);
