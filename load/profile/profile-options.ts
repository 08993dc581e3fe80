import type { Arguments, Given, Options } from '../../cli/terminal/command.ts';
import { oneOf, wholeNumberOption } from '../../cli/terminal/option-kinds.ts';

export const PROFILE_ARGUMENTS = {
  what: { check: oneOf(['calls', 'cost', 'deliver', 'match']) },
} as const satisfies Arguments;

export const PROFILE_OPTIONS = {
  seconds: wholeNumberOption('under load: how long', 1, 600, { default: '20' }),
  batch: wholeNumberOption('under load: messages per batch', 1, 10, { default: '10' }),
  'delay-ms': wholeNumberOption('how long the partner takes; 200, or 0 under load, if absent', 0, 9_000),
  json: {
    help: 'cost only: usage of each function, in the format of cli/operator/cost/measured/measured.json',
  },
  out: { value: 'DIR', help: 'under load: where the files go, if not to load-runs/profile' },
} as const satisfies Options;

export type ProfileOptions = Given<typeof PROFILE_ARGUMENTS, typeof PROFILE_OPTIONS>;
