import { paymentEvent } from '../../support/builders.ts';

/** Odd JSON values that a publisher may write, or undefined for a missing field. */
export const VALUES = {
  'half of a surrogate pair': String.raw`"\ud800"`,
  'a nul': String.raw`"a\u0000b"`,
  'text with a right-to-left override': String.raw`"a\u202eb"`,
  'a terminal colour code': String.raw`"\u001b[31m"`,
  'a line break': String.raw`"a\nb"`,
  'a non-ASCII letter': '"pay-ö"',
  'the name of an inherited property': '"constructor"',
  'the name of a prototype': '"__proto__"',
  'an empty string': '""',
  '200 KB': `"${'x'.repeat(200_000)}"`,
  'a time that does not exist': '"yesterday"',
  'a time that is in the year 10000 in UTC': '"9999-12-31T23:59:59.999-01:00"',
  'a whole number': '42',
  'a decimal with a trailing zero': '10.50',
  'a decimal that no double can hold': '999999999999999.99',
  'a whole number that no double can hold': '123456789012345678901234567890',
  'a number larger than any double': '1e400',
  'negative zero': '-0',
  null: 'null',
  true: 'true',
  'an empty list': '[]',
  'a list': '["pay-1"]',
  'ninety nested lists': `${'['.repeat(90)}${']'.repeat(90)}`,
  'more nested lists than are accepted': `${'['.repeat(101)}${']'.repeat(101)}`,
  'an object': '{"id":"pay-1"}',
  'an object with a prototype': '{"__proto__":{"polluted":true}}',
  'an object with a constructor': '{"constructor":{"prototype":{"polluted":true}}}',
  'an object with a duplicate field': '{"amount":1,"amount":2}',
  nothing: undefined,
} as const;
type Value = keyof typeof VALUES;
const ALL = Object.keys(VALUES) as Value[];

/** Values that make any event ambiguous, in whatever field. */
const UNCLEAR: readonly Value[] = ['more nested lists than are accepted', 'an object with a duplicate field'];
const ANYTHING = ALL.filter((value) => !UNCLEAR.includes(value));
const IDS: readonly Value[] = [
  'the name of an inherited property',
  'the name of a prototype',
  'a time that does not exist',
];
const LINES: readonly Value[] = [...IDS, 'a non-ASCII letter', 'a time that is in the year 10000 in UTC'];
const OBJECTS: readonly Value[] = ['an object', 'an object with a prototype', 'an object with a constructor'];

/** The odd values that each field accepts; with any other, the event is dead-lettered. */
const FIELDS = {
  event_id: IDS,
  service_id: IDS,
  gateway_account_id: LINES,
  live: ['true'],
  payment_id: IDS,
  resource_type: [],
  resource_id: LINES,
  event_type: [],
  occurred_at: [],
  sequence: ['a whole number', 'nothing'],
  expires_at: ['nothing'],
  resource: OBJECTS,
  /** A field of the resource: the publisher's own. */
  'resource.note': ANYTHING,
  /** A field that no event has. */
  remark: ANYTHING,
} as const satisfies Readonly<Record<string, readonly Value[]>>;
type Field = keyof typeof FIELDS;

/** Strings that could name an event type, but no existing one. */
const NAMES: readonly Value[] = [...LINES, 'an empty string', '200 KB'];

/**
 * The expected fate of an odd event. `nobody`: its service does not exist, or its subscription does not want
 * it.
 */
export type Fate =
  | { readonly kind: 'delivered'; readonly part: string }
  | { readonly kind: 'nobody' }
  | { readonly kind: 'dead-lettered'; readonly reason: 'malformed' | 'unknown_type'; readonly names: string };

export interface OddEvent {
  readonly what: string;
  /** Part of its event id and payment id, one of which the odd value may replace. */
  readonly mark: string;
  /** The last character of its payment id, which decides its shard. */
  readonly ending: string;
  readonly text: string;
  readonly fate: Fate;
}

/**
 * Each odd value in each field of an otherwise valid event of the service.
 *
 * @param endings last characters of the payment ids, used in turn
 */
export function oddEvents(serviceId: string, endings: readonly string[]): OddEvent[] {
  const fields = Object.keys(FIELDS) as Field[];
  const pairs = fields.flatMap((field) => ALL.map((value) => ({ field, value })));
  return pairs.map(({ field, value }, index) => {
    const mark = `odd-${serviceId.slice(4, 12)}-${index}-`;
    const ending = endings[index % endings.length]!;
    const members = paymentEvent({
      event_id: `${mark}evt`,
      service_id: serviceId,
      payment_id: `${mark}${ending}`,
    });
    return {
      what: `${value} for ${field}`,
      mark,
      ending,
      text: written(members, field, VALUES[value]),
      fate: fateOf(field, value),
    };
  });
}

function written(members: Record<string, unknown>, field: Field, text: string | undefined): string {
  const isNested = field === 'resource.note';
  const own = isNested ? 'note' : field;
  const around: Record<string, string> = Object.fromEntries(
    Object.entries(isNested ? (members.resource as object) : members).map(([name, value]) => [
      name,
      JSON.stringify(value),
    ]),
  );
  delete around[own];
  const parts = Object.entries(around).map(([name, value]) => `"${name}":${value}`);
  const object = `{${[...parts, ...(text === undefined ? [] : [`"${own}":${text}`])].join(',')}}`;
  return isNested ? written(members, 'resource', object) : object;
}

function fateOf(field: Field, value: Value): Fate {
  if (!(FIELDS[field] as readonly Value[]).includes(value)) {
    const isName = field === 'event_type' && NAMES.includes(value);
    return {
      kind: 'dead-lettered',
      reason: isName ? 'unknown_type' : 'malformed',
      names: UNCLEAR.includes(value) ? 'detail' : field,
    };
  }
  switch (field) {
    case 'service_id':
    case 'live':
      return { kind: 'nobody' };
    case 'resource_id':
      return { kind: 'delivered', part: `"resource_id":${VALUES[value]}` };
    case 'resource':
      return { kind: 'delivered', part: `"resource":${VALUES[value]}}` };
    case 'resource.note':
      return { kind: 'delivered', part: sunkEventOf(VALUES[value]) };
    default:
      return { kind: 'delivered', part: '"resource":{"amount":1000}}' };
  }
}

/** As written, except for invalid Unicode. */
function sunkEventOf(text: string | undefined): string {
  const note = text === undefined ? '' : `,"note":${text.replace(String.raw`\ud800`, '\ufffd')}`;
  return `"resource":{"amount":1000${note}}}`;
}
