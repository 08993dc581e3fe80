import type { ProblemKind } from '../../../functions/core/api/problem.ts';
import type { StageRights } from '../../../functions/core/api/stage/stage-rights.ts';
import type { KnownStage } from './known-stage.ts';

/** A subscription as the requests so far have made it. */
export interface KnownSubscription {
  readonly id: string;
  /** The fields of its view that partners set. */
  settings: Readonly<Record<string, unknown>>;
  state: 'active' | 'paused' | 'disabled';
  circuit: 'closed' | 'open' | 'draining';
  /** Every entity tag it has had; the last is current. */
  readonly etags: string[];
  /** Newest first. */
  secrets: readonly { readonly id: string; readonly isEnding: boolean }[];
  recovery?: string;
  pings: number;
  isDeleted: boolean;
}

/** `state` is undefined where the pipeline may be changing it. */
export interface KnownMessage {
  readonly id: string;
  readonly subscriptionId: string;
  readonly paymentId: string;
  readonly eventType: string;
  readonly admittedAt: string;
  readonly state: string | undefined;
  readonly isErased?: boolean;
}

/** The rest of a list behind a cursor. */
export interface KnownCursor {
  readonly cursor: string;
  /** What is listed: cursors of one kind are none of the other. */
  readonly of: 'messages' | 'changes';
  /** The list: its path and filters. */
  readonly list: string;
  readonly rest: readonly string[];
}

export interface KnownService {
  readonly index: 0 | 1;
  readonly id: string;
  /** Contained in ids of its own, and in nothing of anybody else. */
  readonly mark: string;
  /**
   * Contained in every text that the service sends: nobody else may see it, whoever runs the stage included.
   */
  readonly own: string;
  readonly subscriptions: KnownSubscription[];
  readonly messages: KnownMessage[];
  readonly sessions: { readonly id: string; code?: string | undefined; isEnded: boolean }[];
  /** Requests with an idempotency key that succeeded, by key. */
  readonly remembered: Map<string, { readonly request: Sending; readonly answer: Answered }>;
  /** What the audit trail should list, newest first. */
  changes: readonly string[];
  readonly cursors: KnownCursor[];
  /** Texts that no answer may show, or none but the first. */
  readonly hidden: string[];
}

/** Two services that must not learn of each other, and those who run their stage. */
export interface World {
  readonly services: readonly [KnownService, KnownService];
  readonly stage: KnownStage;
}

/** Of a token of the service, of none, or of a session of the whole stage. */
export type Rights = 'all' | 'read' | 'none' | StageRights;

export interface Sending {
  /** Whose token it is; of a session of the whole stage, the service that it asks about. */
  readonly service: 0 | 1;
  readonly rights: Rights;
  readonly method: string;
  /** As in `Operation`: parameters as `:name`. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: string;
  readonly body?: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Answered {
  readonly status: number;
  /** By name, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever the API answers
  readonly body: any;
}

/** The API that is tested, in process or deployed. */
export interface Tested {
  send(request: Sending): Promise<Answered>;
  nowMs(): number;
  /** Whether nothing but the requests changes anything, and no index lags. */
  readonly isExact: boolean;
  /** The beginning of a callback URL that the guard accepts. */
  readonly acceptedUrl: string;
  /** The messages that a new subscription gets at once. */
  messagesOf(service: KnownService, subscriptionId: string): readonly KnownMessage[];
}

/** A status, or the kind of problem. */
export type Outcome = number | ProblemKind;

export function newService(index: 0 | 1, id: string, mark: string): KnownService {
  return {
    index,
    id,
    mark,
    own: `own-${mark}`,
    subscriptions: [],
    messages: [],
    sessions: [],
    remembered: new Map(),
    changes: [],
    cursors: [],
    hidden: [],
  };
}

/** Every id and text by which an answer would show something of the service. */
export function tracesOf({ mark, own, subscriptions, messages, sessions }: KnownService): string[] {
  return [
    mark,
    own,
    ...subscriptions.flatMap(({ id, secrets, recovery }) => [
      id,
      ...secrets.map((secret) => secret.id),
      ...(recovery === undefined ? [] : [recovery]),
    ]),
    ...messages.map(({ id }) => id),
    ...sessions.map(({ id }) => id),
  ];
}
