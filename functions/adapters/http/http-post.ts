import type { Dispatcher } from 'undici';
// Not from 'undici' itself, which includes fetch, WebSocket and a cache: half of the bundle's size.
import Agent from 'undici/lib/dispatcher/agent.js';
import type { AttemptResult } from '../../core/attempt/attempt.ts';
import {
  type Callback,
  type CallbackUrlRules,
  vetCallbackUrl,
} from '../../core/subscription/callback-url.ts';
import { addressGuard, type OnRefused } from './address-guard.ts';
import { type ConnectionFailure, failureOf } from './connection-failure.ts';
import { countedConnections } from './counted-connections.ts';
import type { Resolve } from './dns-resolver.ts';
import { guardedConnector } from './guarded-connector.ts';
import { KEPT_MS } from './keep-alive.ts';
import { receivedAnswer } from './received-answer.ts';

/**
 * How many connections are kept for further requests; a request beyond that closes its connection afterwards.
 * A worker may have 1,024 files open.
 */
const MAX_KEPT_OPEN = 200;

/** A timer that is later than this was kept waiting by its process. */
const USUALLY_LATE_MS = 100;

/** An answer that came while the process could not look is read at once; the rest is for a connection. */
const LONGEST_LOOK_MS = 1_000;

interface Post extends Callback {
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** For DNS, connection, TLS, headers and body together. */
  readonly deadlineMs: number;
}

/**
 * Sends one request, once: without redirects and retries. Never rejects, and always returns by the deadline,
 * or a second after a process that was stopped at the deadline can look again.
 * A 2xx status counts only with a complete answer (its first 4 KB); any other status is enough by itself.
 */
export type HttpPost = (post: Post) => Promise<AttemptResult>;

export interface HttpPostOptions {
  readonly rules: CallbackUrlRules;
  /** Resolves names; by default with the name servers of the machine. */
  readonly resolve?: Resolve;
  /** Certificate authorities (PEM) to trust instead of Node's own. */
  readonly ca?: string;
  /** Whether to connect over IPv6. @default false */
  readonly hasIpv6?: boolean;
  /** Called with each refused address. */
  readonly onRefused?: OnRefused;
  /** Connections kept open between requests. @default 200 */
  readonly keptOpen?: number;
}

/** Create one per process: it keeps connections open between calls. */
export function httpPost({
  rules,
  resolve,
  ca,
  hasIpv6,
  onRefused,
  keptOpen = MAX_KEPT_OPEN,
}: HttpPostOptions): HttpPost {
  const guard = addressGuard({
    allowLoopback: rules.allowLoopback,
    ...(resolve && { resolve }),
    ...(hasIpv6 && { hasIpv6 }),
    ...(onRefused && { onRefused }),
  });
  const connections = countedConnections(guardedConnector({ guard, ca }));
  // Connections per origin are unlimited and carry one request at a time, so none waits behind one that
  // hangs. They do not pile up: an environment limits the attempts under way (`Room`), few connections are
  // kept, for a minute at most, and the agent forgets an origin with its last connection.
  const agent = new Agent({
    connect: connections.connect,
    pipelining: 1,
    keepAliveTimeout: KEPT_MS.untold,
    keepAliveMaxTimeout: KEPT_MS.longest,
    keepAliveTimeoutThreshold: KEPT_MS.margin,
    // undici's own timeouts are idle timers, which a slow trickle evades; the deadline is enforced below.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  return (post) => {
    const startedAt = performance.now();
    const vetted = vetCallbackUrl(post, rules);
    const result =
      vetted.kind === 'accepted'
        ? exchange(agent, new URL(vetted.url), post, connections.open() > keptOpen)
        : Promise.resolve({ failure_class: 'blocked_address', failure_reason: vetted.reason } as const);
    return result.then((outcome) => ({
      ...outcome,
      duration_ms: Math.round(performance.now() - startedAt),
    }));
  };
}

function exchange(
  agent: Agent,
  { origin, pathname, search }: URL,
  { headers, body, deadlineMs }: Post,
  isLast: boolean,
): Promise<Omit<AttemptResult, 'duration_ms'>> {
  return new Promise((resolve) => {
    const answer = receivedAnswer();
    let connection: Dispatcher.DispatchController | undefined;
    let isOver = false;

    const finish = (failure?: ConnectionFailure) => {
      if (!isOver) {
        isOver = true;
        clearTimeout(deadline);
        resolve(answer.outcome(failure));
      }
    };
    const finishAndHangUp = (failure?: ConnectionFailure) => {
      finish(failure);
      connection?.abort(new Error('the rest of the answer is not needed'));
    };
    const giveUp = (lookedLateMs: number) => {
      const missing =
        connection === undefined ? 'connection' : answer.hasBegun() ? 'complete answer' : 'answer';
      const reason = `no ${missing} within ${deadlineMs} ms`;
      const blind = `, and our worker could not look until ${Math.round(lookedLateMs)} ms later`;
      finishAndHangUp(
        lookedLateMs === 0
          ? { failure_class: 'timeout', failure_reason: reason }
          : {
              failure_class: 'timeout',
              failure_reason: reason + blind,
              looked_late_ms: Math.round(lookedLateMs),
            },
      );
    };
    const dueAt = performance.now() + deadlineMs;
    let deadline = setTimeout(() => {
      const lateMs = performance.now() - dueAt;
      if (lateMs <= USUALLY_LATE_MS) {
        giveUp(0);
      } else {
        // The process was stopped or busy: what has come meanwhile is still to be read.
        deadline = setTimeout(giveUp, Math.min(lateMs, LONGEST_LOOK_MS), lateMs);
      }
    }, deadlineMs);

    const options = {
      origin,
      path: pathname + search,
      method: 'POST',
      // The answer is stored as text and never decompressed.
      headers: { ...headers, 'accept-encoding': 'identity' },
      body,
      ...(isLast ? { reset: true } : {}),
    } as const;

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(controller) {
        // A connection that is ready only after the deadline must not send the request, nor must a second
        // connection after the first.
        if (isOver || connection !== undefined) {
          controller.abort(new Error('not sent'));
          return;
        }
        connection = controller;
      },
      onResponseStart: (_controller, statusCode, responseHeaders) =>
        answer.begin(statusCode, responseHeaders),
      onResponseData(_controller, chunk) {
        if (!answer.take(chunk)) {
          finishAndHangUp();
        }
      },
      onResponseEnd: () => finish(),
      onResponseError: (_controller, error) => finish(failureOf(error)),
    };

    try {
      agent.dispatch(options, handler);
    } catch (error) {
      finish(failureOf(error as Error));
    }
  });
}
