import fc from 'fast-check';
import type { StageRights } from '../../../../functions/core/api/stage/stage-rights.ts';
import { type Play, type Sample, type Sent, unreadable, valid } from '../play.ts';
import { operateCircuit } from './circuits.ts';

type Params = Readonly<Record<string, string>>;

const linkOf = ({ stage, body }: Sent) =>
  stage.links.find(({ code, isUsed }) => code === body.code && !isUsed);

const exchangeStageSession: Play = {
  body: fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .nat(9)
        .map((pick) => valid(({ stage: { links } }) => ({ code: links[pick % links.length]?.code }))),
    },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom('', 'phc_stage_', `phc_stage_${'A'.repeat(43)}`, `phc_${'A'.repeat(43)}`)
        .map((code) => valid(() => ({ code }))),
    },
    { weight: 1, arbitrary: unreadable },
  ),
  expects: (sent) => [linkOf(sent) === undefined ? 'portal-code-refused' : 200],
  learn(sent, { body }) {
    const link = linkOf(sent);
    if (link !== undefined) {
      expect(body.stage).toBe(link.rights);
      link.isUsed = true;
      sent.stage.sessions[link.rights] = { token: body.token, isEnded: false };
      sent.service.hidden.push(link.code, body.token);
    }
  },
};

const endStageSession: Play = {
  expects: () => [204],
  learn({ stage, request }) {
    stage.sessions[request.rights as StageRights].isEnded = true;
  },
};

const listEndpointsInTrouble: Play = {
  query: fc.oneof(
    fc.constantFrom<Params>({}, { limit: '1' }, { limit: '100' }).map((query) => valid(() => query)),
    fc
      .constantFrom<Params>({ limit: '0' }, { limit: '101' }, { service_id: 'shop' })
      .map((query): Sample<Params> => ({ value: () => query, refusal: 'malformed-request' })),
  ),
  expects: () => [200],
  learn({ service, stranger, tested, query: { limit = '25' } }, { body }) {
    const found: { subscription_id: string; service_id: string }[] = body.endpoints;
    expect(found.length).toBeLessThanOrEqual(Number(limit));
    if (tested.isExact) {
      const inTrouble = [service, stranger].flatMap(({ id, subscriptions }) =>
        subscriptions
          .filter(({ circuit, isDeleted }) => circuit !== 'closed' && !isDeleted)
          .map((one) => `${id} ${one.id}`),
      );
      const shown = found.map(({ service_id, subscription_id }) => `${service_id} ${subscription_id}`);
      expect(inTrouble).toEqual(expect.arrayContaining(shown));
      expect(shown.length + body.more).toBe(inTrouble.length);
    }
  },
};

const showQueues: Play = {
  expects: () => [200],
  learn: (_, { body }) => expect(body.work.length).toBeGreaterThan(0),
};

export const STAGE_PLAYS = {
  exchangeStageSession,
  endStageSession,
  operateCircuit,
  listEndpointsInTrouble,
  showQueues,
};
