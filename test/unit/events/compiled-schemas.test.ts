import type { Validation } from '../../../functions/core/catalogue/schema-check.ts';
import { refuseUncheckable } from '../../../lib/events/compiled-schemas.ts';
import { EventCatalogue } from '../../../lib/events/event-catalogue.ts';

const refusing = (schema: object, validate: Validation, sample?: object) => () =>
  refuseUncheckable({
    events: EventCatalogue.fromTypes([
      {
        name: 'invoice.paid',
        description: 'It was paid.',
        schema: { ...schema },
        ...(sample ? { sample: { ...sample } } : {}),
      },
    ]),
    validate,
  });

const UNIQUE = { properties: { lines: { items: { uniqueItems: true } } } };

test('a check that could take minutes is refused, unless nothing is checked', () => {
  expect(refusing(UNIQUE, 'off')).not.toThrow();
  expect(refusing(UNIQUE, 'mark')).toThrow(
    "invoice.paid: schema has uniqueItems without maxItems of 1000 or less beside it: with validate: 'mark' each item is compared with each other one. Add maxItems.",
  );
  expect(refusing({ uniqueItems: true, maxItems: 1_000 }, 'mark')).not.toThrow();
  expect(refusing({ uniqueItems: true, maxItems: 1_001 }, 'mark')).toThrow('maxItems');
});

test('the doctor has to have an event that passes', () => {
  expect(refusing({}, 'mark')).not.toThrow();
  expect(refusing({}, 'refuse', {})).not.toThrow();
  expect(refusing({}, 'refuse')).toThrow('the doctor has no event to send. Give one type a sample.');
});

test('there are three ways', () => {
  expect(refusing({}, 'strict' as Validation)).toThrow(
    'validate: "strict" given, one of off, mark, refuse expected',
  );
});
