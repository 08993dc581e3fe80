import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { EVENT_SCHEMA_PATH } from '../../../../cli/operator/schema/event-schema.ts';
import { readIntake } from '../../../../functions/pipeline/match/read-intake.ts';
import { intake, paymentEvent } from '../../../support/builders.ts';
import { FUZZED_INPUTS, FUZZING_MS, oneIn } from '../../../support/fuzzed-inputs.ts';
import { GOV_UK_PAY } from '../../../support/gov-uk-pay.ts';

/** In every hostile text, so that it is found wherever it is quoted. */
const MARK = '4929zq';

const HOSTILE: readonly string[] = [
  ...['null', 'true', '0', '-0', '1e400', '1.0', '1.00000000000000000001', '[]', '{}', '""', '2147483648'],
  ...[
    `"${MARK}"`,
    `"${MARK} "`,
    `"${MARK}\\u0000"`,
    `"${MARK}\\ud800"`,
    `"${MARK}\\u202e"`,
    `"${'x'.repeat(65)}"`,
  ],
  ...[
    `{"a":"${MARK}\\ud83d"}`,
    `{"__proto__":{"a":1}}`,
    `{"a":1,"a":2}`,
    '{"\\ud800":1,"\\udc00":2}',
    `[[["${MARK}"]]]`,
  ],
  ...['"2026-13-01T00:00:00Z"', '"2026-11-14T10:00:00+23:59"', '"9999-12-31T23:59:59-01:00"', '"2026-11-14"'],
  ...['"CAPTURE_CONFIRMED"', '"card_payment_captured"', '"toString"', '"refund"', '7', '1'],
];

/** RFC 3339's corners, and what others take for it. */
const moment = fc
  .tuple(
    fc.constantFrom('0000', '0001', '1900', '2000', '2026', '2028', '9999', '10000', '26'),
    fc.constantFrom('-01-01', '-02-28', '-02-29', '-12-31', '-04-31', '-00-10', '-13-01', '1114', ''),
    fc.constantFrom('T', 't', ' '),
    fc.constantFrom('00:00:00', '23:59:59', '23:59:60', '24:00:00', '10:00', '10:60:00', '1:00:00'),
    fc.constantFrom('', '.1', '.123', '.123456789', '.', ',5'),
    fc.constantFrom('Z', 'z', '', '+00:00', '-00:00', '+14:00', '-23:59', '+24:00', '+05', '+0530', 'Z[UTC]'),
  )
  .map((parts) => JSON.stringify(parts.join('')));

/** One to some 64 code points: of one kind with perhaps another character, or any. */
const text = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 66 }),
    fc
      .tuple(
        fc.constantFrom('x', 'é', '😀', '\ud800', '\u0301', '\u200d'),
        fc.constantFrom(0, 1, 32, 63, 64, 65),
        fc.constantFrom(
          '',
          '',
          '\n',
          '\u007f',
          '\u200e',
          '\ufeff',
          '\udc00',
          '👩‍🍳',
          '=',
          '\ue000',
          '\uffff',
        ),
      )
      .map(([unit, times, last]) => unit.repeat(times) + last),
  )
  .map((value) => JSON.stringify(value));

const number = fc.constantFrom(
  ...['1.0', '1e0', '10e-1', '1E+2', '0.5', '2147483647.0', '2147483648', '1e999', '-1', '-0.0', '01'],
);

const hostile = fc.oneof(fc.constantFrom(...HOSTILE), moment, text, number);
const MEMBERS = [...Object.keys(paymentEvent()), 'sequence', 'expires_at', '__proto__', 'v', 'kind'];

/** An event with some members replaced, left out or given again, and perhaps a wrong character. */
const detail = fc
  .record({
    over: fc.array(fc.tuple(fc.constantFrom(...MEMBERS), hostile), { maxLength: 1 }),
    resource: oneIn(
      2,
      fc
        .dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })
        .map((of) => JSON.stringify(of)),
    ),
    without: oneIn(16, fc.constantFrom(...MEMBERS)),
    isTwice: fc.integer({ min: 0, max: 15 }).map((n) => n === 0),
    blank: fc.constantFrom('', ' ', '\n\t'),
    wrong: oneIn(6, fc.tuple(fc.nat(400), fc.constantFrom(...'{}[]",:\\ \u0000é0'))),
  })
  .map(({ over, resource, without, isTwice, blank, wrong }) => {
    const members = new Map(
      Object.entries(paymentEvent()).map(([name, value]) => [name, JSON.stringify(value)]),
    );
    for (const [name, text] of over) {
      members.set(name, text);
    }
    if (resource !== undefined) {
      members.set('resource', resource);
    }
    members.delete(without ?? '');
    const written = [...members].map(([name, text]) => `${blank}"${name}"${blank}:${blank}${text}`);
    const text = `{${[...written, ...(isTwice ? written.slice(0, 1) : [])].join(',')}${blank}}`;
    const [at, character] = wrong ?? [text.length, ''];
    // SQS carries UTF-8, which has no half of a pair.
    return `${text.slice(0, at)}${character}${text.slice(at + 1)}`.toWellFormed();
  });

test(
  'what is taken of a record is what its JSON says, and what is refused is not quoted',
  () => {
    const counts = { taken: 0, refused: 0 };
    fc.assert(
      fc.property(detail, (text) => {
        const read = readIntake(intake(text), { catalogue: GOV_UK_PAY });
        const value = parsed(text);
        const faults = {
          isUnsteady: !isDeepStrictEqual(readIntake(intake(text), { catalogue: GOV_UK_PAY }), read),
          ...faultsOf(read, text, value),
        };
        counts.taken += 'event' in read ? 1 : 0;
        counts.refused += 'reason' in read ? 1 : 0;
        // `expect` on each would take most of the time.
        if (Object.values(faults).includes(true)) {
          expect({ text, read, faults }).toBeUndefined();
        }
      }),
      { numRuns: FUZZED_INPUTS },
    );
    expect(Math.min(counts.taken, counts.refused)).toBeGreaterThan(FUZZED_INPUTS / 10);
  },
  FUZZING_MS,
);

test.each(['\\\\', '\\"', '{', '[', '" ', '{"a":', '\ud800', ' ', '1', '"a":1,'])(
  'half a megabyte of %j is read in a moment, and so is twice as much',
  (unit) => {
    for (const bytes of [500_000, 1_000_000]) {
      const filling = unit.repeat(bytes / unit.length);
      for (const body of [
        filling,
        `"${filling}"`,
        `{"resource":"${filling}"}`,
        `{"resource":{${filling}}}`,
      ]) {
        const startedAt = performance.now();
        readIntake(intake(body), { catalogue: GOV_UK_PAY });
        expect(performance.now() - startedAt).toBeLessThan(1_000);
      }
    }
  },
);

/** What is wrong with what was made of a record. */
function faultsOf(
  read: ReturnType<typeof readIntake>,
  text: string,
  value: unknown,
): Record<string, boolean> {
  if ('event' in read) {
    const { public_type, resource, ...fields } = read.event;
    const given = value as Record<string, unknown>;
    return {
      hasOtherFields: Object.entries(fields).some(([name, of]) => given[name] !== of),
      hasOtherResource: !isDeepStrictEqual(resource, given.resource),
      hasOtherText: !isDeepStrictEqual(JSON.parse(read.resource), wellFormed(given.resource)),
      hasOtherType: public_type !== GOV_UK_PAY.typeOf(String(given.event_type))?.name,
      isTakenWrongly: !isGood(value),
    };
  }
  return 'reason' in read
    ? {
        isQuoted: read.explanation.includes(MARK),
        isLong: read.explanation.length > 4_000,
        isRefusedWrongly: isGood(value) && !isUnclear(text, value),
      }
    : {
        isNoSignal: !isDeepStrictEqual(
          { ...(value as object), ...('signal' in read ? read.signal : read.ofOperator) },
          value,
        ),
      };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What publishers are told to validate by. */
const ajv = new Ajv2020({ strict: false });
(addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
const isGood = ajv.compile(JSON.parse(readFileSync(EVENT_SCHEMA_PATH, 'utf8')));

/** JSON that reads well, but not everywhere alike: a member twice. */
function isUnclear(text: string, value: unknown): boolean {
  const withoutBlanks = JSON.stringify(value).length;
  const names = [...text.matchAll(/"([^"\\]|\\.)*"\s*:/g)].map(([name]) =>
    String(parsed(name.replace(/\s*:$/, ''))).toWellFormed(),
  );
  return new Set(names).size < names.length || withoutBlanks === 0;
}

/** Not by way of JSON text, which has no -0 and no number beyond a double's. */
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.toWellFormed();
  }
  if (Array.isArray(value)) {
    return value.map(wellFormed);
  }
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, of]) => [name.toWellFormed(), wellFormed(of)]))
    : value;
}
