import { courseOf } from '../../../../../cli/operator/payment/payment-records.ts';
import { messageRecord } from '../../../api/builders.ts';

const { first_attempt: _, ...RECORD } = messageRecord({ held_ms: 2_000, time_to_send_ms: 7 });
const later = { attempt: 2, started_at: '2026-01-01T00:00:09.000Z', duration_ms: 5, status_code: 200 };

test('a first attempt that may be read is told whole', () => {
  const { attempts } = courseOf({ record: messageRecord(), laterAttempts: [later] });
  expect(attempts).toEqual([messageRecord().first_attempt, later]);
});

test('of a first attempt that may not be read, the only one, the record tells all but how long it took', () => {
  const { attempts } = courseOf({ record: RECORD, laterAttempts: [] });
  expect(attempts).toEqual([{ attempt: 1, started_at: '2026-01-01T00:00:01.007Z', status_code: 200 }]);
});

test('of the first of several it tells when it began', () => {
  const { attempts } = courseOf({ record: { ...RECORD, attempt_count: 2 }, laterAttempts: [later] });
  expect(attempts).toEqual([{ attempt: 1, started_at: '2026-01-01T00:00:03.007Z' }, later]);
});

test('without an attempt there is none', () => {
  const { time_to_send_ms: __, ...untried } = RECORD;
  const record = { ...untried, attempt_count: 0 };
  expect(courseOf({ record, laterAttempts: [] }).attempts).toEqual([]);
});
