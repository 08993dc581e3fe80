import type * as z from 'zod';

type RawIssue = z.core.$ZodRawIssue;

/** What a field must be, by zod's name for its type. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

/** What a string must be, by zod's name for its format. */
const FORMATS: Readonly<Record<string, string>> = {
  datetime: 'must be an instant such as 2026-11-14T10:00:00Z',
  date: 'must be a day such as 2026-11-14',
  url: 'must be a URL',
  email: 'must be an email address in ASCII, such as ops@example.com',
  base64: 'must be base64',
  base64url: 'must be base64url',
};

/**
 * Why a schema refuses a value, for whoever sent it: ends a sentence that begins with the name of the field.
 * Passed to zod with each parse, so that messages in a schema take precedence.
 */
export function reasonOf(issue: RawIssue): string {
  if (issue.input === undefined && issue.code !== 'custom') {
    return (issue.path ?? []).length === 0 ? 'is missing, or is not JSON' : 'is missing';
  }
  switch (issue.code) {
    case 'invalid_type':
      return isNumber(issue.input) && isNumeric(issue.expected)
        ? 'must be a whole number'
        : `must be ${TYPES[issue.expected] ?? issue.expected}, not ${nameOf(issue.input)}`;
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(written).join(', ')}`;
    case 'too_small':
      return `must ${sizeReason(issue, issue.minimum, issue.inclusive ? 'at least' : 'more than')}`;
    case 'too_big':
      return `must ${sizeReason(issue, issue.maximum, issue.inclusive ? 'at most' : 'less than')}`;
    case 'invalid_format':
      return isInstantWithoutPlus(issue)
        ? `${FORMATS.datetime}; in a URL, its + is written %2B`
        : (FORMATS[issue.format] ?? reasonOfFormat(issue));
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_union':
      return reasonOfUnion(issue);
    case 'unrecognized_keys':
      return `must not have ${issue.keys.join(', ')}`;
    case 'invalid_key':
      return 'has a member whose name is not allowed';
    default:
      return 'is not allowed';
  }
}

/** One sentence for each invalid field. @param whole what to call the value as a whole */
export function explanationOf({ issues }: z.core.$ZodError, whole: string): string {
  return issues.map(({ path, message }) => `${path.join('.') || whole}: ${message}`).join('; ');
}

type Sized = Extract<RawIssue, { code: 'too_small' | 'too_big' }>;

/** Strings are measured in characters, lists in entries, numbers by value. */
function sizeReason({ origin, exact }: Sized, bound: number | bigint, least: string): string {
  const often = exact ? 'exactly' : least;
  const count = (thing: string, things: string) =>
    `have ${often} ${bound} ${Number(bound) === 1 ? thing : things}`;
  switch (origin) {
    case 'string':
      return count('character', 'characters');
    case 'array':
      return count('entry', 'entries');
    case 'object':
    case 'record':
    case 'map':
      return count('member', 'members');
    default:
      return `be ${often} ${bound}`;
  }
}

/** In a query, + is a blank. */
function isInstantWithoutPlus({ format, input }: Extract<RawIssue, { code: 'invalid_format' }>): boolean {
  return format === 'datetime' && /T.* \d\d:\d\d$/.test(String(input));
}

function reasonOfFormat(issue: Extract<RawIssue, { code: 'invalid_format' }>): string {
  const { format, prefix, suffix, includes, pattern } = issue as Readonly<Record<string, unknown>>;
  switch (format) {
    case 'starts_with':
      return `must begin with ${written(prefix)}`;
    case 'ends_with':
      return `must end with ${written(suffix)}`;
    case 'includes':
      return `must contain ${written(includes)}`;
    default:
      return pattern === undefined ? 'has the wrong format' : `must match ${pattern}`;
  }
}

function reasonOfUnion({ options, errors, input }: Extract<RawIssue, { code: 'invalid_union' }>): string {
  // A discriminated union: list the allowed values of its discriminator.
  if (Array.isArray(options) && options.length > 0) {
    return `must be one of ${options.map(written).join(', ')}`;
  }
  const types = (errors ?? []).map(([first]) =>
    first?.code === 'invalid_type' && first.path.length === 0 ? TYPES[first.expected] : undefined,
  );
  return types.length > 0 && types.every((type) => type !== undefined)
    ? `must be ${[...new Set(types)].join(' or ')}, not ${nameOf(input)}`
    : 'matches none of the allowed forms';
}

const isNumber = (value: unknown) => typeof value === 'number';
const isNumeric = (expected: string) => expected === 'int' || expected === 'number';

function nameOf(value: unknown): string {
  if (value === null) {
    return 'null';
  }
  return Array.isArray(value) ? 'a list' : (TYPES[typeof value] ?? typeof value);
}

function written(value: unknown): string {
  return typeof value === 'string' ? value : String(value);
}
