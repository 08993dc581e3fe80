import type { SubscriptionView } from '../../../functions/core/subscription/subscription-view.ts';
import { textTable } from '../../terminal/text-table.ts';
import { memberLines } from './member-lines.ts';

type Secrets = Pick<SubscriptionView, 'signing_secrets'>;

/** A subscription line by line, with its signing secrets as a table below. */
export function subscriptionText({ signing_secrets, ...rest }: Secrets): string {
  const rows = signing_secrets.map(({ secret_id, created_at, expires_at, public_key }) => [
    secret_id,
    created_at,
    expires_at ?? 'never',
    public_key,
  ]);
  const titles = ['signing secret', 'created at', 'expires at', 'public key (v1a)'];
  return [memberLines(rest), '', ...textTable([titles, ...rows])].join('\n');
}
