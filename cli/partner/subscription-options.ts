import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { parseExactly } from '../../functions/core/filter/decimal.ts';
import type { Given, Options } from '../terminal/command.ts';
import { ExplainedError } from '../terminal/explanation.ts';
import { anyNumber } from './partner-command.ts';

export const FILTER = {
  filter: { value: 'JSON', help: 'only events that match: a filter as JSON, or the file that holds it' },
} as const satisfies Options;

/** The settings of a subscription, when it is created and later. */
export const SETTINGS = {
  description: { value: 'TEXT', help: 'what it is for' },
  'event-type': {
    value: 'TYPE',
    isList: true,
    help: "an event type, the beginning of some and *, or '*' for all; may be repeated",
  },
  ...FILTER,
  fields: {
    value: '/NAME',
    isList: true,
    help: 'send only this member of each resource, such as /amount; may be repeated',
  },
  contact: { value: 'EMAIL', help: 'whom to write to when the endpoint fails' },
  'notices-url': { value: 'URL', help: 'where to send the same notices as webhooks' },
  'timeout-ms': {
    value: 'N',
    check: anyNumber,
    help: 'the deadline of an attempt, 1000 to 30000 (default: 10000)',
  },
  schedule: { value: 'NAME', help: 'standard or govuk (default: standard)' },
  'rate-limit': {
    value: 'N',
    check: z.union([z.literal('none').transform(() => null), anyNumber]),
    help: 'attempts a second, 1 to 100 (default: no limit)',
  },
  header: {
    value: '"NAME: VALUE"',
    isList: true,
    help: 'sent with each webhook; may be repeated',
  },
  signature: {
    value: 'NAME',
    isList: true,
    help: 'v1a, pay-signature or rfc9421, in addition to v1; may be repeated',
  },
} as const satisfies Options;

/** A signing secret is never an argument: other users of the machine would see it. */
export const SECRET = {
  secret: {
    value: 'VARIABLE',
    help: 'the environment variable that holds your own signing secret, whsec_… (default: a new one)',
  },
} as const satisfies Options;

/** @throws ExplainedError when the variable is not set */
export function secretIn(
  variable: string | undefined,
  env: NodeJS.ProcessEnv,
): { readonly signing_secret?: string } {
  if (variable === undefined) {
    return {};
  }
  const secret = env[variable];
  if (secret === undefined) {
    throw new ExplainedError(
      '--secret: names an environment variable, and that variable is not set. Do not put the secret itself on a command line.',
    );
  }
  return { signing_secret: secret };
}

/** The members of a request's body that were given; `none` removes a setting. */
export function settingsIn(given: Given<Record<never, never>, typeof SETTINGS>): Record<string, unknown> {
  const settings = {
    description: given.description,
    event_types: given['event-type'],
    filter: given.filter === 'none' ? null : filterIn(given.filter),
    fields: isNone(given.fields) ? null : given.fields,
    contact: given.contact === 'none' ? null : given.contact,
    notices_url: given['notices-url'] === 'none' ? null : given['notices-url'],
    timeout_ms: given['timeout-ms'],
    schedule: given.schedule,
    rate_limit: given['rate-limit'],
    custom_headers: headersIn(given.header),
    extra_signatures: isNone(given.signature) ? [] : given.signature,
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

/** @throws ExplainedError when there is no such file, or no JSON */
export function filterIn(given: string | undefined): unknown {
  if (given === undefined) {
    return undefined;
  }
  try {
    return parseExactly(given.trim().startsWith('{') ? given : readFileSync(given, 'utf8'));
  } catch (error) {
    throw new ExplainedError(
      `--filter: must be JSON such as {"resource":{"amount":[{"numeric":[">",100]}]}}, or a file that holds it: ${(error as Error).message}`,
    );
  }
}

function isNone(list: readonly string[] | undefined): boolean {
  return list?.length === 1 && list[0] === 'none';
}

/** @throws ExplainedError */
function headersIn(lines: readonly string[] | undefined): Record<string, string> | null | undefined {
  if (lines === undefined || isNone(lines)) {
    return lines === undefined ? undefined : null;
  }
  const headers = lines.map((line) => {
    const [, name, value] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      // Its value may be a secret, so it is not repeated here.
      throw new ExplainedError('--header: must be "Name: value"');
    }
    return [name.trim(), value.trim()] as const;
  });
  const names = headers.map(([name]) => name.toLowerCase());
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) {
    throw new ExplainedError(`--header: ${twice} is given twice`);
  }
  return Object.fromEntries(headers);
}
