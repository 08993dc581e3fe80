import type { SubscriptionView } from '../../../functions/core/subscription/subscription-view.ts';
import { numberOption } from '../../terminal/option-kinds.ts';
import { ID, partnerCommand } from '../partner-command.ts';
import { SECRET, secretIn } from '../subscription-options.ts';
import { secretText, subscriptionText } from '../text/subscription-text.ts';

/** A week, as the API has it in seconds. */
const MAX_OVERLAP_HOURS = 168;

interface Rotated extends Pick<SubscriptionView, 'signing_secrets'> {
  readonly secret_id: string;
  readonly signing_secret?: string;
  readonly effective_within_seconds: number;
}

export const rotate = partnerCommand({
  name: 'rotate',
  arguments: { subscription: ID },
  summary: 'Sign with a new secret, and for a while with the earlier ones too',
  example: 'sub_2cXj1x8 --overlap-hours 48',
  options: {
    'overlap-hours': numberOption('how long earlier secrets sign too (default: 24)', 0, MAX_OVERLAP_HOURS),
    ...SECRET,
  },
  async run(given, { api, print, now }) {
    const hours = given['overlap-hours'];
    const body = {
      ...(hours === undefined ? {} : { overlap_seconds: Math.round(hours * 3_600) }),
      ...secretIn(given.secret, process.env),
    };
    const id = given.subscription;
    const rotated = (await api('POST', `/subscriptions/${id}/secrets`, { body })) as Rotated;
    const { signing_secret: secret, ...rest } = rotated;
    print(
      [subscriptionText(rest), secretText('new signing secret', secret), nextSteps(id, rest, now())].join(
        '\n\n',
      ),
      rotated,
    );
    return true;
  },
});

export const revoke = partnerCommand({
  name: 'revoke',
  arguments: { subscription: ID, secret: ID },
  summary: 'Revoke a signing secret; takes effect within a minute',
  example: 'sub_2cXj1x8 sec_1',
  async run(given, { api, print }) {
    const revoked = (await api(
      'DELETE',
      `/subscriptions/${given.subscription}/secrets/${given.secret}`,
    )) as Pick<SubscriptionView, 'signing_secrets'>;
    print(subscriptionText(revoked), revoked);
    return true;
  },
});

function nextSteps(
  id: string,
  { secret_id, signing_secrets, effective_within_seconds }: Rotated,
  nowMs: number,
) {
  const effective = new Date(nowMs + effective_within_seconds * 1_000).toISOString();
  const earlier = signing_secrets.filter((secret) => secret.secret_id !== secret_id);
  return [
    `What to do next: have your receiver verify with ${secret_id}. From ${effective} on every webhook is signed with it.`,
    ...earlier.map(
      (secret) =>
        `${secret.secret_id} signs too until ${secret.expires_at ?? 'it is revoked'}; to end it sooner: npm run webhooks -- revoke ${id} ${secret.secret_id}`,
    ),
  ].join('\n');
}
