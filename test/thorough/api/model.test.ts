import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { apiTokenTable } from '../../../functions/adapters/dynamodb/api/api-token-table.ts';
import { stageSessionTable } from '../../../functions/adapters/dynamodb/api/stage-session-table.ts';
import { createToken } from '../../../functions/api/authorize/create-token.ts';
import { newStage } from '../../support/api-model/known-stage.ts';
import { begin, compare, sequences } from '../../support/api-model/sequences.ts';
import {
  type KnownService,
  newService,
  type Rights,
  type Tested,
  type World,
} from '../../support/api-model/world.ts';
import { paymentEvent } from '../../support/builders.ts';
import type { Service } from '../../support/deployed/deployed-stack.ts';
import { stack } from '../../support/deployed/shared-stack.ts';

/** Drawn; the test's name tells. PAYHOOKS_SEED=7 makes the requests of another run. */
const SEED = Number(process.env.PAYHOOKS_SEED ?? randomInt(2 ** 31));
const SEQUENCES = 6;

test(`whatever two services and those who run their stage ask of the deployed API, each gets what the model says (seed ${SEED})`, async () => {
  let requests = 0;
  await fc.assert(
    fc.asyncProperty(sequences(80), async (commands) => {
      const { model, real, publish } = await deployed(() => {
        requests += 1;
      });
      await begin(model, real);
      await publish();
      await fc.asyncModelRun(() => ({ model, real }), commands);
      await compare(model, real);
    }),
    { seed: SEED, numRuns: SEQUENCES, interruptAfterTimeLimit: 240_000, markInterruptAsFailure: true },
  );
  expect(requests).toBeGreaterThan(100);
}, 300_000);

/** Two new services; `publish` gives each two messages, of payments with the same ids. */
async function deployed(onRequest: () => void) {
  const services = [await stack.newService(), await stack.newService()] as const;
  const limited = await Promise.all(services.map(readingToken));
  const model: World = {
    services: [
      newService(0, services[0].serviceId, services[0].serviceId),
      newService(1, services[1].serviceId, services[1].serviceId),
    ],
    stage: await newStage(stageSessionTable(stack.dynamodb, stack.outputs.tables.apiTokens), Date.now()),
  };
  const tokenOf = (service: 0 | 1, rights: Rights) => {
    switch (rights) {
      case 'on-call':
      case 'analyst':
        return model.stage.sessions[rights].token;
      default:
        return rights === 'read' ? limited[service] : services[service].token;
    }
  };
  const real: Tested = {
    isExact: false,
    acceptedUrl: 'http://127.0.0.1:1',
    nowMs: () => Date.now(),
    messagesOf: () => [],
    async send({ service, rights, method, path, params, query, body, headers }) {
      onRequest();
      const token = tokenOf(service, rights);
      const at = path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(params[name] ?? ''));
      const answer = await fetch(`${stack.outputs.apiUrl}${at}${query === '' ? '' : `?${query}`}`, {
        method,
        headers: {
          'content-type': 'application/json',
          ...headers,
          ...(rights === 'none' ? {} : { authorization: `Bearer ${token}` }),
        },
        ...(body === undefined ? {} : { body }),
      });
      const text = await answer.text();
      return {
        status: answer.status,
        headers: Object.fromEntries(answer.headers),
        body: text === '' ? undefined : JSON.parse(text),
      };
    },
  };
  const publish = async () => {
    for (const [index, service] of services.entries()) {
      await messagesOf(service, model.services[index] as KnownService);
    }
  };
  return { model, real, publish };
}

async function readingToken({ serviceId }: Service): Promise<string> {
  const tokens = apiTokenTable(stack.dynamodb, stack.outputs.tables.apiTokens);
  const { token } = await createToken(tokens, { serviceId, scopes: ['read'], requestsPerMinute: 60_000 });
  return token;
}

async function messagesOf(service: Service, known: KnownService): Promise<void> {
  const events = [1, 2].map((number) =>
    paymentEvent({
      event_id: `evt-${service.serviceId}-${number}`,
      service_id: service.serviceId,
      payment_id: number === 1 ? 'pay_shared' : 'pay_other',
      resource: { note: known.own },
    }),
  );
  await stack.publish(...events);
  for (const { id } of known.subscriptions) {
    const messages = await service.messages(id, ({ length }) => length === events.length);
    known.messages.push(
      ...messages.map((message) => ({
        id: message.message_id,
        subscriptionId: id,
        paymentId: message.payment_id,
        eventType: message.event_type,
        admittedAt: message.admitted_at,
        state: undefined,
      })),
    );
  }
}
