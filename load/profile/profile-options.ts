import type { Arguments, Given, Options } from '../../cli/terminal/command.ts';
import { oneOf, wholeNumberOption } from '../../cli/terminal/option-kinds.ts';

export const PROFILE_ARGUMENTS = {
  what: { check: oneOf(['cost', 'deliver']) },
} as const satisfies Arguments;

export const PROFILE_OPTIONS = {
  seconds: wholeNumberOption('deliver only: how long', 1, 600, { default: '20' }),
  batch: wholeNumberOption('deliver only: messages in a batch, 1 for lone deliveries', 1, 10, {
    default: '10',
  }),
  json: {
    help: 'cost only: usage of each function, in the format of cli/operator/cost/measured/measured.json',
  },
} as const satisfies Options;

export type ProfileOptions = Given<typeof PROFILE_ARGUMENTS, typeof PROFILE_OPTIONS>;
