import type * as z from 'zod';

type RawIssue = z.core.$ZodRawIssue;

/** What a member has to be, by zod's name of its type. */
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

/** What a text has to be, by zod's name of its format. */
const FORMATS: Readonly<Record<string, string>> = {
  datetime: 'must be an instant such as 2026-11-14T10:00:00Z',
  date: 'must be a day such as 2026-11-14',
  url: 'must be a URL',
  email: 'must be an email address',
  base64: 'must be base64',
  base64url: 'must be base64url',
};

/**
 * Why a schema refuses a value, in words for whoever sent it: ends a sentence that begins with the member's name. Given to zod with each parse, so
 * that what a schema itself says about its member goes first.
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
      return `must ${sized(issue, issue.minimum, issue.inclusive ? 'at least' : 'more than')}`;
    case 'too_big':
      return `must ${sized(issue, issue.maximum, issue.inclusive ? 'at most' : 'less than')}`;
    case 'invalid_format':
      return FORMATS[issue.format] ?? formOf(issue);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_union':
      return reasonOfUnion(issue);
    case 'unrecognized_keys':
      return `may not have ${issue.keys.join(', ')}`;
    case 'invalid_key':
      return 'has a member whose name is not allowed';
    default:
      return 'is not allowed';
  }
}

/** One sentence for each member that a schema refuses. @param whole what the value is called */
export function explanationOf({ issues }: z.core.$ZodError, whole: string): string {
  return issues.map(({ path, message }) => `${path.join('.') || whole}: ${message}`).join('; ');
}

type Sized = Extract<RawIssue, { code: 'too_small' | 'too_big' }>;

/** Of a text its characters are meant, of a list its entries, of a number itself. */
function sized({ origin, exact }: Sized, bound: number | bigint, least: string): string {
  const often = exact ? 'exactly' : least;
  const many = (thing: string, things: string) =>
    `have ${often} ${bound} ${Number(bound) === 1 ? thing : things}`;
  switch (origin) {
    case 'string':
      return many('character', 'characters');
    case 'array':
      return many('entry', 'entries');
    case 'object':
    case 'record':
    case 'map':
      return many('member', 'members');
    default:
      return `be ${often} ${bound}`;
  }
}

function formOf(issue: Extract<RawIssue, { code: 'invalid_format' }>): string {
  const { format, prefix, suffix, includes, pattern } = issue as Readonly<Record<string, unknown>>;
  switch (format) {
    case 'starts_with':
      return `must begin with ${written(prefix)}`;
    case 'ends_with':
      return `must end with ${written(suffix)}`;
    case 'includes':
      return `must contain ${written(includes)}`;
    default:
      return pattern === undefined ? 'is not of the right form' : `must match ${pattern}`;
  }
}

function reasonOfUnion({ options, errors, input }: Extract<RawIssue, { code: 'invalid_union' }>): string {
  // Of a union that is told apart by one member: what this may be.
  if (Array.isArray(options) && options.length > 0) {
    return `must be one of ${options.map(written).join(', ')}`;
  }
  const types = (errors ?? []).map(([first]) =>
    first?.code === 'invalid_type' && first.path.length === 0 ? TYPES[first.expected] : undefined,
  );
  return types.length > 0 && types.every((type) => type !== undefined)
    ? `must be ${[...new Set(types)].join(' or ')}, not ${nameOf(input)}`
    : 'is none of what it may be';
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
