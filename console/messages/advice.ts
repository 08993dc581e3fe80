import type { MessageView } from '../../functions/core/message/message-view.ts';
import { TEXT } from '../texts.ts';

type Failed = Pick<MessageView['attempts'][number], 'failure_class' | 'status_code'>;

/** What failed, and what whoever runs the endpoint does first. */
export interface Advice {
  /** `answered 503`, `no answer in time`. */
  readonly failed: string;
  readonly first: string;
  /** Whether the callback URL may be what is wrong. */
  readonly isOfUrl: boolean;
}

/** @returns undefined unless the last attempt on record failed, and nothing has been delivered since */
export function adviceOf({ state, attempts }: Pick<MessageView, 'state' | 'attempts'>) {
  const attempt = attempts.at(-1);
  const advice = state === 'succeeded' || attempt === undefined ? undefined : adviceOn(attempt);
  return attempt && advice && { ...advice, attempt };
}

/** @returns undefined for an attempt that delivered */
export function adviceOn({ failure_class, status_code }: Failed): Advice | undefined {
  if (failure_class === undefined) return undefined;
  const text = TEXT.advice;
  if (failure_class === 'http_status' && status_code !== undefined) {
    const kind = kindOf(status_code);
    return {
      failed: text.answered(status_code),
      first: text.first[kind],
      isOfUrl: kind === 'redirect' || kind === 'notFound',
    };
  }
  return {
    failed: TEXT.failureClass[failure_class],
    first: text.first[failure_class],
    isOfUrl: ['dns', 'connect', 'tls', 'blocked_address'].includes(failure_class),
  };
}

type Kind = Exclude<keyof typeof TEXT.advice.first, keyof typeof TEXT.failureClass> | 'http_status';

function kindOf(status: number): Kind {
  switch (status) {
    case 400:
    case 422:
      return 'unwanted';
    case 401:
    case 403:
      return 'forbidden';
    case 404:
    case 405:
    case 410:
      return 'notFound';
    case 413:
      return 'large';
    case 429:
      return 'many';
    default:
      return status < 400 ? 'redirect' : status < 500 ? 'http_status' : 'broken';
  }
}
