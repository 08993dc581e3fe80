import fc from 'fast-check';
import { changed, malformed, type Play, type Sample, type Sent, unreadable, valid } from '../play.ts';
import { expectedPage, learnPage, pageQuery } from './lists.ts';

const createPortalSession: Play = {
  once: 'console_path',
  body: fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .constantFrom<object | ''>('', {}, { rights: 'read' }, { rights: 'manage', lasts_seconds: 300 })
        .map((body) => valid(() => body)),
    },
    { weight: 2, arbitrary: fc.constantFrom('service', 'stranger').map(limitedTo) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        ...[{ rights: 'all' }, { lasts_seconds: 299 }, { lasts_seconds: 43_201 }, { subscriptions: [] }].map(
          malformed,
        ),
      ),
    },
    { weight: 1, arbitrary: unreadable },
  ),
  expects(sent) {
    const { rights, subscriptions = [] } = sent.body;
    const own = sent.service.subscriptions.filter(({ isDeleted }) => !isDeleted).map(({ id }) => id);
    if (rights === 'manage' && sent.request.rights === 'read') {
      return ['insufficient-scope'];
    }
    return [(subscriptions as string[]).every((id) => own.includes(id)) ? 201 : 'malformed-request'];
  },
  learn(sent, { body }) {
    const code = String(body.console_path).split('#code=')[1];
    sent.service.sessions.push({ id: body.session_id, code, isEnded: false });
    sent.service.hidden.push(String(code));
    changed(sent, 'createPortalSession');
  },
};

function limitedTo(whose: string): Sample<unknown> {
  return valid((at) => {
    const { subscriptions } = whose === 'service' ? at.service : at.stranger;
    const ids = subscriptions.slice(0, 2).map(({ id }) => id);
    return ids.length === 0 ? {} : { subscriptions: ids };
  });
}

const listPortalSessions: Play = {
  expects: () => [200],
  learn({ service }, { body }) {
    const ids: string[] = body.portal_sessions.map(({ session_id }: { session_id: string }) => session_id);
    const open = service.sessions.filter(({ isEnded }) => !isEnded).map(({ id }) => id);
    expect(ids.toSorted()).toEqual(open.toSorted());
  },
};

const revokePortalSession: Play = {
  expects({ service, request }) {
    const isOwn = service.sessions.some(({ id }) => id === request.params.session_id);
    return [request.rights === 'read' ? 'insufficient-scope' : isOwn ? 204 : 'not-found'];
  },
  learn(sent) {
    const session = sent.service.sessions.find(({ id }) => id === sent.request.params.session_id);
    if (session?.isEnded === false) {
      session.isEnded = true;
      changed(sent, 'revokePortalSession');
    }
  },
};

const codeOf = (pick: number) =>
  valid(({ service }) => ({
    code: service.sessions.at(-1 - (pick % Math.max(1, service.sessions.length)))?.code ?? 'none',
  }));

/** The session whose code is sent, if it still works. */
const waiting = ({ service, body }: Sent) =>
  service.sessions.find(({ code, isEnded }) => code !== undefined && code === body.code && !isEnded);

const exchangePortalSession: Play = {
  body: fc.oneof(
    { weight: 4, arbitrary: fc.nat(3).map(codeOf) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('', 'phc_', `phc_${'A'.repeat(43)}`).map((code) => valid(() => ({ code }))),
    },
    { weight: 1, arbitrary: unreadable },
  ),
  expects: (sent) => [waiting(sent) === undefined ? 'portal-code-refused' : 200],
  learn(sent, { body }) {
    const session = waiting(sent);
    expect(body.session_id).toBe(session?.id);
    delete session?.code;
    sent.service.hidden.push(body.token);
    changed(sent, 'exchangePortalSession');
  },
};

const listChanges: Play = {
  query: pageQuery(100, fc.constant(valid(() => ({}))), 'changes'),
  expects: () => [200],
  learn(sent, answer) {
    const page = expectedPage(sent, sent.service.changes);
    const shown: { operation: string }[] = answer.body.changes;
    if (page !== undefined) {
      expect(shown.map(({ operation }) => operation)).toEqual(page);
    }
    learnPage(sent, answer, sent.service.changes);
  },
};

export const ACCOUNT_PLAYS = {
  createPortalSession,
  listPortalSessions,
  revokePortalSession,
  exchangePortalSession,
  listChanges,
};
