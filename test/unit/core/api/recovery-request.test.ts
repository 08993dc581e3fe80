import { spanOf } from '../../../../functions/core/api/recovery-request.ts';

const NOW = Date.parse('2026-11-14T10:00:00.000Z');

test('a recovery reaches back as far as messages are kept, and not a moment further', () => {
  expect(spanOf({ since: '2026-10-15T10:00:00Z' }, NOW, 30)).toHaveProperty('span');
  expect(spanOf({ since: '2026-10-15T09:59:59.999Z' }, NOW, 30)).toEqual({
    fieldErrors: [
      { field: 'since', reason: 'must be within the last 30 days: what is older goes by itself' },
    ],
  });
});
