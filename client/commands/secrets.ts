import type { Command } from '../command.ts';
import { memberLines } from '../member-lines.ts';
import { numberOf } from '../read-arguments.ts';
import { secretText } from '../secret-text.ts';
import { SECRET, secretIn } from '../shared-options.ts';

export const rotate: Command = {
  name: 'rotate',
  takes: ['subscription'],
  summary: 'Sign with a new secret, and for a while with the earlier ones too',
  options: {
    'overlap-hours': { value: 'N', help: 'for how long, 0 to 168 (default: 24)' },
    ...SECRET,
  },
  async run(given, { api, print }) {
    const hours = numberOf(given, 'overlap-hours');
    const body = {
      ...(hours === undefined ? {} : { overlap_seconds: Math.round(hours * 3_600) }),
      ...secretIn(given, process.env),
    };
    const path = `/subscriptions/${given.named.subscription}/secrets`;
    const rotated = (await api('POST', path, { body })) as { signing_secret?: string };
    const { signing_secret: secret, ...rest } = rotated;
    print(`${memberLines(rest)}\n\n${secretText('new signing secret', secret)}`, rotated);
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
    )) as object;
    print(memberLines(revoked), revoked);
    return true;
  },
};
