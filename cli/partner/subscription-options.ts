import { ExplainedError } from '../terminal/explained-error.ts';
import type { Given, Option } from './command.ts';
import { numberOf } from './read-arguments.ts';

/** What can be set of a subscription, when it is created and later. */
export const SETTINGS: Readonly<Record<string, Option>> = {
  description: { value: 'TEXT', help: 'what it is for' },
  'event-type': {
    value: 'TYPE',
    isList: true,
    help: 'such as card_payment_captured or card_payment_*; may be repeated',
  },
  contact: { value: 'EMAIL', help: 'whom to write to when the endpoint fails' },
  'timeout-ms': { value: 'N', help: 'what an attempt may take, 1000 to 30000 (default: 10000)' },
  schedule: { value: 'NAME', help: 'standard or govuk (default: standard)' },
  'rate-limit': { value: 'N', help: 'the most attempts a second, 1 to 100 (default: no limit)' },
  header: {
    value: '"NAME: VALUE"',
    isList: true,
    help: 'sent with each webhook; may be repeated',
  },
  signature: {
    value: 'NAME',
    isList: true,
    help: 'v1a or pay-signature, besides v1; may be repeated',
  },
};

/** A signing secret of one's own is never an argument: other users of the machine would see it. */
export const SECRET: Readonly<Record<string, Option>> = {
  secret: {
    value: 'VARIABLE',
    help: 'the environment variable with a signing secret of your own, whsec_… (default: a new one)',
  },
};

/** @throws ExplainedError when the variable is not set */
export function secretIn(given: Given, env: NodeJS.ProcessEnv): { readonly signing_secret?: string } {
  const variable = given.text('secret');
  if (variable === undefined) {
    return {};
  }
  const secret = env[variable];
  if (secret === undefined) {
    throw new ExplainedError(
      '--secret: names an environment variable, and there is none of that name. The secret itself does not belong on a command line.',
    );
  }
  return { signing_secret: secret };
}

/** The members of a request's body that were given; `none` for a setting removes it. */
export function settingsIn(given: Given): Record<string, unknown> {
  const settings = {
    description: given.text('description'),
    event_types: given.list('event-type'),
    contact: removable(given.text('contact')),
    timeout_ms: numberOf(given, 'timeout-ms'),
    schedule: given.text('schedule'),
    rate_limit: given.text('rate-limit') === 'none' ? null : numberOf(given, 'rate-limit'),
    custom_headers: headersIn(given.list('header')),
    extra_signatures: isNone(given.list('signature')) ? [] : given.list('signature'),
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

function removable(text: string | undefined): string | null | undefined {
  return text === 'none' ? null : text;
}

function isNone(list: readonly string[] | undefined): boolean {
  return list?.length === 1 && list[0] === 'none';
}

/** @throws ExplainedError */
function headersIn(lines: readonly string[] | undefined): Record<string, string> | null | undefined {
  if (lines === undefined || isNone(lines)) {
    return lines === undefined ? undefined : null;
  }
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
      if (name === undefined || value === undefined) {
        // Its value may be a secret, so it is not repeated here.
        throw new ExplainedError('--header: must be "Name: value"');
      }
      return [name.trim(), value.trim()];
    }),
  );
}
