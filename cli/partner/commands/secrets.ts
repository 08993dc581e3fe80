import type { SubscriptionView } from '../../../functions/core/subscription/subscription-view.ts';
import { ExplainedError } from '../../terminal/explained-error.ts';
import type { Command } from '../command.ts';
import { numberOf } from '../read-arguments.ts';
import { SECRET, secretIn } from '../subscription-options.ts';
import { secretText } from '../text/secret-text.ts';
import { subscriptionText } from '../text/subscription-text.ts';

/** A week, as the API has it in seconds. */
const MAX_OVERLAP_HOURS = 168;

interface Rotated extends Pick<SubscriptionView, 'signing_secrets'> {
  readonly secret_id: string;
  readonly signing_secret?: string;
  readonly effective_within_seconds: number;
}

export const rotate: Command = {
  name: 'rotate',
  takes: ['subscription'],
  summary: 'Sign with a new secret, and for a while with the earlier ones too',
  options: {
    'overlap-hours': { value: 'N', help: `for how long, 0 to ${MAX_OVERLAP_HOURS} (default: 24)` },
    ...SECRET,
  },
  async run(given, { api, print, now }) {
    const hours = numberOf(given, 'overlap-hours');
    if (hours !== undefined && !(hours >= 0 && hours <= MAX_OVERLAP_HOURS)) {
      throw new ExplainedError(`--overlap-hours: must be 0 to ${MAX_OVERLAP_HOURS} hours`);
    }
    const body = {
      ...(hours === undefined ? {} : { overlap_seconds: Math.round(hours * 3_600) }),
      ...secretIn(given, process.env),
    };
    const id = given.named.subscription ?? '';
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
};

export const revoke: Command = {
  name: 'revoke',
  takes: ['subscription', 'secret'],
  summary: 'Have a signing secret sign no more, by its id',
  async run({ named }, { api, print }) {
    const revoked = (await api(
      'DELETE',
      `/subscriptions/${named.subscription}/secrets/${named.secret}`,
    )) as Pick<SubscriptionView, 'signing_secrets'>;
    print(subscriptionText(revoked), revoked);
    return true;
  },
};

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
        `${secret.secret_id} signs too until ${secret.expires_at ?? 'it is revoked'}; sooner it ends by: npm run webhooks -- revoke ${id} ${secret.secret_id}`,
    ),
  ].join('\n');
}
