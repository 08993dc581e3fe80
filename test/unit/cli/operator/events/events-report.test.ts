import {
  narrowedBy,
  narrowedText,
  typeLines,
  typesText,
} from '../../../../../cli/operator/events/events-report.ts';

const ALL = [
  { service_id: 'shop', subscription_id: 'sub_all', event_types: ['*'] },
  { service_id: 'shop', subscription_id: 'sub_some', event_types: ['invoice.*', 'parcel.lost'] },
  { service_id: 'bank', subscription_id: 'sub_one', event_types: ['invoice.sent'] },
];

test('each type is listed with how often it came and who takes it', () => {
  const types = [{ name: 'invoice.paid' }, { name: 'parcel.lost', deprecated: {} }];
  const lines = typeLines(types, ALL.slice(1), new Map([['invoice.paid', 12]]));
  expect(typesText(lines)).toBe(
    [
      '  event type                messages  subscriptions',
      '  invoice.paid              12        sub_some',
      '  parcel.lost (deprecated)  0         sub_some',
    ].join('\n'),
  );
  expect(typesText(typeLines(types, [], new Map()))).toContain('invoice.paid              0         none');
});

test('a catalogue that lacks types is told whose patterns would match less', () => {
  const before = ['invoice.paid', 'invoice.sent', 'parcel.lost'];
  const narrowed = narrowedBy(before, ['invoice.paid', 'parcel.found'], ALL);
  expect(narrowed).toEqual([
    { service_id: 'shop', subscription_id: 'sub_all', pattern: '*', lost: ['invoice.sent', 'parcel.lost'] },
    { service_id: 'shop', subscription_id: 'sub_some', pattern: 'invoice.*', lost: ['invoice.sent'] },
    { service_id: 'shop', subscription_id: 'sub_some', pattern: 'parcel.lost', lost: ['parcel.lost'] },
    { service_id: 'bank', subscription_id: 'sub_one', pattern: 'invoice.sent', lost: ['invoice.sent'] },
  ]);
  expect(narrowedText(narrowed, 'events')).toContain(
    '  bank sub_one: invoice.sent would no longer match invoice.sent',
  );
});

test('one that only adds types narrows nothing', () => {
  expect(narrowedBy(['a'], ['b', 'a'], ALL)).toEqual([]);
  expect(narrowedText([], 'events')).toBe(
    'With events, every subscription keeps matching what it matches now.',
  );
});
