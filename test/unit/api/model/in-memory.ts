import { inMemoryAuditTrail } from '../../../../functions/core/api/audit-trail.ts';
import { inMemoryRegistry } from '../../../../functions/core/api/subscription-registry.ts';
import { inMemoryHistory, type RecordedMessage } from '../../../../functions/core/message/message-history.ts';
import {
  parseCallbackUrlRules,
  vetCallbackUrl,
} from '../../../../functions/core/subscription/callback-url.ts';
import { instant } from '../../../../functions/core/text/instant.ts';
import { newStage } from '../../../support/api-model/known-stage.ts';
import {
  type KnownMessage,
  type KnownService,
  newService,
  type Rights,
  type Tested,
  type World,
} from '../../../support/api-model/world.ts';
import { keptSecrets, subscription, TEN_O_CLOCK_MS } from '../../../support/builders.ts';
import { apiOver, messageRecord } from '../builders.ts';
import { stageInMemory } from './stage-in-memory.ts';

const SERVICES = ['shop', 'other'] as const;
const SCOPES = { all: 'read write', read: 'read' } as const;
const RULES = parseCallbackUrlRules('{}');

/** Messages that each subscription gets, one of each kind. */
const KINDS = [
  { state: 'succeeded' },
  { state: 'exhausted', state_reason: 'schedule' },
  { state: 'retrying' },
  { state: 'succeeded', body_erased_at: '2026-11-14T09:59:00.000Z' },
  { state: 'succeeded', event_type: 'ping' },
] as const;

/** The API over in-memory ports, with a clock that moves a millisecond per request. */
export async function inMemory(): Promise<{ readonly model: World; readonly real: Tested }> {
  const recorded: RecordedMessage[] = [];
  const pings: string[] = [];
  const subscriptions = inMemoryRegistry();
  const audit = inMemoryAuditTrail();
  let nowMs = TEN_O_CLOCK_MS;
  const now = () => nowMs;
  const stage = stageInMemory({ serviceIds: SERVICES, subscriptions, audit, now });
  const model: World = {
    services: [newService(0, SERVICES[0], 'zq-shop-7f'), newService(1, SERVICES[1], 'zq-other-3b')],
    stage: await newStage(stage.sessions, nowMs),
  };
  const api = apiOver({
    subscriptions,
    history: inMemoryHistory(recorded),
    callbackUrls: { vet: async (callback) => vetCallbackUrl(callback, RULES) },
    async countPing({ service_id, subscription_id }) {
      pings.push(`${service_id} ${subscription_id}`);
      return {
        ofSubscription: pings.filter((one) => one === `${service_id} ${subscription_id}`).length,
        ofService: pings.filter((one) => one.startsWith(`${service_id} `)).length,
      };
    },
    audit,
    now,
  });

  const messagesOf = (service: KnownService, subscriptionId: string): KnownMessage[] =>
    KINDS.map((kind, index) => {
      const record = messageRecord({
        ...kind,
        message_id: `msg_${service.mark}_${recorded.length}`,
        event_id: `evt_${service.mark}`,
        service_id: SERVICES[service.index],
        subscription_id: subscriptionId,
        payment_id: 'pay_shared',
        resource_id: service.mark,
        admitted_at: instant(nowMs - index),
        resource: `{"note":"${service.own}"}`,
        first_attempt: {
          attempt: 1,
          started_at: instant(nowMs),
          duration_ms: 12,
          status_code: 500,
          response_body: service.own,
          failure_reason: service.own,
        },
      });
      recorded.push({ record, laterAttempts: [] });
      return {
        id: record.message_id,
        subscriptionId,
        paymentId: record.payment_id,
        eventType: record.event_type,
        admittedAt: record.admitted_at,
        state: record.state,
        isErased: record.body_erased_at !== undefined,
      };
    });

  for (const service of model.services) {
    const id = `sub_${service.mark}_disabled`;
    const disabled = subscription({
      service_id: SERVICES[service.index],
      subscription_id: id,
      state: 'disabled',
      disabled_reason: 'gone',
      disabled_at: instant(nowMs),
      description: service.own,
      signing_secrets: [
        { secret_id: `sec_${service.mark}`, public_key: 'whpk_a', created_at: instant(nowMs - 1_000) },
      ],
    });
    await subscriptions.add(disabled, keptSecrets());
    const { callback_url, description, event_types, live, timeout_ms } = disabled;
    service.subscriptions.push({
      id,
      settings: {
        callback_url,
        description,
        event_types,
        live,
        timeout_ms,
        schedule: 'standard',
        extra_signatures: [],
        custom_header_names: [],
      },
      state: 'disabled',
      circuit: 'closed',
      etags: ['"1"'],
      secrets: [{ id: `sec_${service.mark}`, isEnding: false }],
      pings: 0,
      isDeleted: false,
    });
  }

  async function contextOf(service: 0 | 1, rights: Rights) {
    switch (rights) {
      case 'none':
        return null;
      case 'on-call':
      case 'analyst':
        return stage.contextOf(model.stage.sessions[rights].token);
      default: {
        const name = SERVICES[service];
        return {
          service_id: name,
          token_id: `tok_${name}`,
          token_hash: `hash_${name}`,
          scopes: SCOPES[rights],
        };
      }
    }
  }

  const real: Tested = {
    isExact: true,
    acceptedUrl: 'https://hooks.example',
    nowMs: () => nowMs,
    messagesOf,
    async send({ service, rights, method, path, params, query, body, headers }) {
      nowMs += 1;
      const {
        status = 0,
        headers: answered,
        body: content,
      } = await (path.startsWith('/v1/stage/') ? stage.call : api)({
        method,
        path: path.replace(/:(\w+)/g, (_, param) => params[param] ?? ''),
        query,
        headers,
        requestId: `req_${nowMs}`,
        ...(body === undefined ? {} : { body }),
        context: await contextOf(service, rights),
      });
      return { status, headers: answered as Record<string, string>, body: content };
    },
  };
  return { model, real };
}
