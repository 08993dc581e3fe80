import { changed, type Play, type Sent } from '../play.ts';
import type { KnownSubscription } from '../world.ts';
import { ifFound, learnEtag, obstacle, seen, viewOf } from './conditional.ts';
import { changeBody, isRefusedUrl, newBody, urlBody } from './subscription-bodies.ts';

const MAX_SUBSCRIPTIONS = 20;
const DEFAULTS = {
  description: '',
  timeout_ms: 10_000,
  schedule: 'standard',
  extra_signatures: [],
  custom_header_names: [],
};

const living = ({ service }: Sent) => service.subscriptions.filter(({ isDeleted }) => !isDeleted);

const createSubscription: Play = {
  body: newBody,
  once: 'signing_secret',
  expects: (sent) => {
    if (isRefusedUrl(sent.body.callback_url)) {
      return ['callback-url-refused'];
    }
    return [living(sent).length >= MAX_SUBSCRIPTIONS ? 'too-many-subscriptions' : 201];
  },
  learn(sent, { body, headers }) {
    const { custom_headers, ...settings } = sent.body;
    const made: KnownSubscription = {
      id: body.subscription_id,
      settings: { ...DEFAULTS, ...settings, ...namesOf(custom_headers) },
      state: 'active',
      circuit: 'closed',
      etags: [headers.etag ?? ''],
      secrets: [{ id: body.signing_secrets[0].secret_id, isEnding: false }],
      pings: 0,
      isDeleted: false,
    };
    const { signing_secret, ...view } = body;
    expect(seen(view)).toEqual(viewOf(made));
    sent.service.hidden.push(signing_secret, ...hiddenIn(custom_headers));
    sent.service.subscriptions.push(made);
    sent.service.messages.push(...sent.tested.messagesOf(sent.service, made.id));
    changed(sent, 'createSubscription');
  },
};

const checkUrl: Play = {
  body: urlBody,
  expects: () => [200],
  learn(sent, { body }) {
    expect(body.verdict).toBe(isRefusedUrl(sent.body.callback_url) ? 'refused' : 'allowed');
  },
};

const listSubscriptions: Play = {
  expects: () => [200],
  learn(sent, { body }) {
    expect(body.subscriptions.map(seen)).toEqual(living(sent).map(viewOf));
  },
};

const showSubscription: Play = {
  expects: (sent) => ifFound(sent, 200),
  learn(sent, { body, headers }) {
    const known = sent.subscription as KnownSubscription;
    expect(seen(body)).toEqual(viewOf(known));
    expect(headers.etag).toBe(known.etags.at(-1));
    expectCircuit(sent, body.circuit);
  },
};

const updateSubscription: Play = {
  body: changeBody,
  expects(sent) {
    if (sent.subscription !== undefined && isRefusedUrl(sent.body.callback_url)) {
      return ['callback-url-refused'];
    }
    // With a new URL, the subscription is looked up first.
    return sent.subscription === undefined && 'callback_url' in sent.body
      ? ['not-found']
      : [obstacle(sent) ?? 200];
  },
  learn(sent, answer) {
    const known = sent.subscription as KnownSubscription;
    const { custom_headers, ...settings } = sent.body;
    const before = JSON.stringify(sorted(known.settings));
    const wasLimited = known.settings.rate_limit !== undefined;
    known.settings = withoutNulls({
      ...known.settings,
      ...settings,
      ...(custom_headers === undefined ? {} : namesOf(custom_headers)),
    });
    if (wasLimited && known.settings.rate_limit === undefined && known.circuit === 'closed') {
      known.circuit = 'draining';
    }
    sent.service.hidden.push(...hiddenIn(custom_headers));
    const hasChanged = custom_headers !== undefined || JSON.stringify(sorted(known.settings)) !== before;
    learnEtag(sent, answer, 'updateSubscription', hasChanged);
    expect(seen(answer.body)).toEqual(viewOf(known));
  },
};

const deleteSubscription: Play = {
  expects: (sent) => [obstacle(sent) ?? 204],
  learn(sent) {
    (sent.subscription as KnownSubscription).isDeleted = true;
    changed(sent, 'deleteSubscription');
  },
};

/** Pausing and enabling: without effect where it is so already. */
const setting = (operationId: string, state: 'paused' | 'active'): Play => ({
  expects(sent) {
    const isBarred = state === 'paused' && sent.subscription?.state === 'disabled';
    return [obstacle(sent) ?? (isBarred ? 'subscription-disabled' : 200)];
  },
  learn(sent, answer) {
    const known = sent.subscription as KnownSubscription;
    const hasChanged = known.state !== state;
    known.state = state;
    if (hasChanged) {
      known.circuit = state === 'paused' ? 'open' : 'draining';
    }
    learnEtag(sent, answer, operationId, hasChanged);
    expect(seen(answer.body)).toEqual(viewOf(known));
  },
});

/** Endpoints of the deployed stack change their circuits, too. */
function expectCircuit({ tested, subscription }: Sent, circuit: { readonly state: string }): void {
  if (tested.isExact) {
    expect(circuit.state).toBe(subscription?.circuit);
  }
}

function namesOf(headers: unknown): { custom_header_names: string[] } {
  return { custom_header_names: Object.keys((headers ?? {}) as object) };
}

function hiddenIn(headers: unknown): string[] {
  return Object.values((headers ?? {}) as Record<string, string>);
}

function withoutNulls(settings: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null));
}

function sorted(settings: object): unknown[] {
  return Object.entries(settings).sort(([one], [other]) => (one < other ? -1 : 1));
}

export const SUBSCRIPTION_PLAYS = {
  checkUrl,
  createSubscription,
  listSubscriptions,
  showSubscription,
  updateSubscription,
  deleteSubscription,
  pauseSubscription: setting('pauseSubscription', 'paused'),
  enableSubscription: setting('enableSubscription', 'active'),
};
