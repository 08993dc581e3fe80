import type { SubscriptionView } from '../../../functions/core/subscription/subscription-view.ts';
import { textTable } from '../../terminal/terminal.ts';
import { memberLines } from './changed-text.ts';

type Secrets = Pick<SubscriptionView, 'signing_secrets'> & Partial<Pick<SubscriptionView, 'filter'>>;

/** A subscription line by line, with its signing secrets as a table below. */
export function subscriptionText({ signing_secrets, filter, ...rest }: Secrets): string {
  const rows = signing_secrets.map(({ secret_id, created_at, expires_at, public_key }) => [
    secret_id,
    created_at,
    expires_at ?? 'never',
    public_key,
  ]);
  const titles = ['signing secret', 'created at', 'expires at', 'public key (v1a)'];
  const shown = filter === undefined ? rest : { ...rest, filter: JSON.stringify(filter) };
  return [memberLines(shown), '', ...textTable([titles, ...rows])].join('\n');
}

/** A signing secret for the person who has just asked for it; an answer to a repeated request is without. */
export function secretText(what: string, secret: string | undefined): string {
  return secret === undefined
    ? `The ${what} was shown by an earlier answer to this request, and is kept nowhere. Was it lost: rotate.`
    : `${secret}\n\nThis is the ${what}. It is shown this once.`;
}

/** The last line of a list that continues. */
export function moreText(cursor: string | undefined): string[] {
  return cursor === undefined ? [] : [`  … and more: a greater --limit, or --cursor ${cursor}`];
}
