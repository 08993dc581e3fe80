import { paymentEvent } from '../../support/builders.ts';

/** What a publisher may write where something else is expected: JSON text, or nothing at all. */
export const VALUES = {
  'half of a surrogate pair': String.raw`"\ud800"`,
  'a nul': String.raw`"a\u0000b"`,
  'text that is turned round': String.raw`"a\u202eb"`,
  'what colours a terminal': String.raw`"\u001b[31m"`,
  'a line break': String.raw`"a\nb"`,
  'a letter beyond ASCII': '"pay-ö"',
  'what every object inherits': '"constructor"',
  'the name of a prototype': '"__proto__"',
  'an empty text': '""',
  '200 KB': `"${'x'.repeat(200_000)}"`,
  'a time that there is not': '"yesterday"',
  'a time that is in the year 10000 in UTC': '"9999-12-31T23:59:59.999-01:00"',
  'a whole number': '42',
  'a decimal with a nought': '10.50',
  'a decimal that no double holds': '999999999999999.99',
  'a whole number that no double holds': '123456789012345678901234567890',
  'a number beyond all doubles': '1e400',
  'less than nought, and nought': '-0',
  null: 'null',
  true: 'true',
  'an empty list': '[]',
  'a list': '["pay-1"]',
  'ninety lists in each other': `${'['.repeat(90)}${']'.repeat(90)}`,
  'more lists in each other than are read': `${'['.repeat(101)}${']'.repeat(101)}`,
  'an object': '{"id":"pay-1"}',
  'an object with a prototype': '{"__proto__":{"polluted":true}}',
  'an object with a constructor': '{"constructor":{"prototype":{"polluted":true}}}',
  'an object with a member twice': '{"amount":1,"amount":2}',
  nothing: undefined,
} as const;
type Value = keyof typeof VALUES;
const ALL = Object.keys(VALUES) as Value[];

/** Nobody can tell what they mean, wherever they stand. */
const UNCLEAR: readonly Value[] = ['more lists in each other than are read', 'an object with a member twice'];
const ANYTHING = ALL.filter((value) => !UNCLEAR.includes(value));
const IDS: readonly Value[] = [
  'what every object inherits',
  'the name of a prototype',
  'a time that there is not',
];
const LINES: readonly Value[] = [...IDS, 'a letter beyond ASCII', 'a time that is in the year 10000 in UTC'];
const OBJECTS: readonly Value[] = ['an object', 'an object with a prototype', 'an object with a constructor'];

/** What each field takes; whatever else stands there, the event is put aside. */
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
  /** A member of the resource: that is the publisher's own affair. */
  'resource.note': ANYTHING,
  /** One that no event has. */
  remark: ANYTHING,
} as const satisfies Readonly<Record<string, readonly Value[]>>;
type Field = keyof typeof FIELDS;

/** Texts that name a type, though none that there is. */
const NAMES: readonly Value[] = [...LINES, 'an empty text', '200 KB'];

/** What becomes of an odd event. `nobody`: it is one of a service that there is not, or one that its subscription does not want. */
export type Fate =
  | { readonly kind: 'delivered'; readonly part: string }
  | { readonly kind: 'nobody' }
  | { readonly kind: 'put aside'; readonly reason: 'malformed' | 'unknown_type'; readonly names: string };

export interface OddEvent {
  readonly what: string;
  /** Is in its id and in that of its payment, of which the odd value may have taken the place of one. */
  readonly mark: string;
  /** Of its payment's id, which decides by which way it comes. */
  readonly ending: string;
  readonly text: string;
  readonly fate: Fate;
}

/**
 * Each value in each field of an event of the service, everything else as it should be.
 *
 * @param endings of their payments, in turn
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
      kind: 'put aside',
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

/** As it was written, but for what is no Unicode. */
function sunkEventOf(text: string | undefined): string {
  const note = text === undefined ? '' : `,"note":${text.replace(String.raw`\ud800`, '\ufffd')}`;
  return `"resource":{"amount":1000${note}}}`;
}
