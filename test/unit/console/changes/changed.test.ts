import { actorText, differencesOf, operationText } from '../../../../console/changes/changed.ts';
import { type Page, withNewest, withOlder } from '../../../../console/changes/listed.ts';
import { OPERATIONS } from '../../../../functions/api/operations.ts';
import { type ChangeView, OTHER_MEMBERS } from '../../../../functions/core/api/change.ts';
import { OPERATORS_OPERATIONS } from '../../../../functions/core/api/operators-trail.ts';
import { AUDITED_FIELDS } from '../../../../functions/core/subscription/subscription-change.ts';
import { spoken } from '../spoken.ts';

/** All but those that only ask: as the tests of the trail have it. */
const ofTheApi = OPERATIONS.filter(
  ({ method, id }) => method !== 'GET' && id !== 'checkUrl' && !id.startsWith('preview'),
);

/** What a change says, as it is read out. */
const said = (changed: Parameters<typeof differencesOf>[0]['changed']) =>
  differencesOf({ changed }).map(({ name, sentence }) => {
    const at = (iso: string) => `<${iso}>`;
    return `${name}: ${spoken(sentence, { at, away: at })}`;
  });

test.each([...ofTheApi.map(({ id }) => id), ...OPERATORS_OPERATIONS])('%s has words', (operation) => {
  expect(operationText(operation)).toMatch(/^[A-Z][a-z]+ \S/);
});

test.each([...AUDITED_FIELDS, ...OTHER_MEMBERS])('what changes in %s has words', (name) => {
  expect(differencesOf({ changed: { [name]: {} } })[0]?.name).toMatch(/^[A-Z][\w ]+$/);
});

test('an operation that is not known yet is named as it is', () => {
  expect(operationText('brewCoffee')).toBe('brewCoffee');
  expect(said({ strength: { from: 1, to: 2 } })).toEqual(['strength: 2']);
});

test('who did it is told apart: a token, a session of the console, an operator', () => {
  expect(actorText({ token_id: 'tok_1' })).toBe('with the token tok_1');
  expect(actorText({ token_id: 'ses_1' })).toBe('in the console, session ses_1');
  expect(actorText({})).toBe('by an operator of ours');
});

test('settings are told with their old and new value, in the words of the settings', () => {
  expect(
    said({
      rate_limit: { to: 5 },
      event_types: { from: ['*'], to: ['card_payment_*', 'x'] },
      timeout_ms: { from: 10_000, to: 2_500 },
      schedule: { from: 'standard', to: 'govuk' },
      extra_signatures: { from: ['v1a'], to: [] },
      circuit: { from: 'half_open', to: 'open' },
      state: { from: 'parked', to: 'cancelled' },
    }),
  ).toEqual([
    'Rate limit: none → 5 attempts per second',
    'Event types: all event types → card_payment_*, x',
    'Longest attempt: 10 s → 2.5 s',
    'Retries: Standard: after 5 s to 24 h, for 76 hours → As GOV.UK Pay: after 1 min to 2 days',
    'Signatures besides v1: v1a → none',
    'Circuit: half-open → open',
    'State: waits → cancelled',
  ]);
});

test('what a session of the whole stage does not see is said to be withheld, and not that there is none', () => {
  const changed = {
    description: { from: '', to: '' },
    contact: {},
    signing_secrets: { from: [], to: [] },
    callback_url: { from: 'https://a.example/', to: 'https://b.example/' },
    rate_limit: { to: 5 },
  };
  const words = { at: String, away: String };
  expect(differencesOf({ changed }, true).map(({ sentence }) => spoken(sentence, words))).toEqual([
    'withheld',
    'withheld',
    'withheld',
    'https://a.example/ → https://b.example/ (path withheld)',
    'none → 5 attempts per second',
  ]);
});

test('what is there only once is told without a before, and times as times', () => {
  expect(
    said({
      portal_session: { to: 'ses_1' },
      rights: { to: 'manage' },
      subscriptions: { to: ['sub_1', 'sub_2'] },
      expires_at: { to: '2026-11-23T12:00:00.000Z' },
      token: { from: 'tok_1' },
      erased_messages: { to: 3 },
    }),
  ).toEqual([
    'Session: ses_1',
    'Rights: manage',
    'Only for: sub_1, sub_2',
    'Ends at: <2026-11-23T12:00:00.000Z>',
    'API token: tok_1',
    'Messages erased: 3',
  ]);
});

test('of secrets only what differs is told', () => {
  const changed = {
    signing_secrets: {
      from: [
        { secret_id: 'sec_a' },
        { secret_id: 'sec_b', expires_at: '12:00' },
        { secret_id: 'sec_d', expires_at: '14:00' },
      ],
      to: [{ secret_id: 'sec_c' }, { secret_id: 'sec_a', expires_at: '13:00' }, { secret_id: 'sec_d' }],
    },
  };
  expect(said(changed)).toEqual([
    'Signing secrets: sec_c added, sec_a signs until <13:00>, sec_d signs until it is rotated or revoked, sec_b removed',
  ]);
});

test('text of an outsider cannot turn what is around it', () => {
  expect(said({ description: { from: 'a\u202eb', to: '' } })).toEqual(['Description: a\\u202eb → none']);
});

const change = (minute: number): ChangeView => ({
  at: `2026-11-23T11:0${minute}:00.000Z`,
  request_id: `req_${minute}`,
  operation: 'pauseSubscription',
});
const page = (minutes: readonly number[], next_cursor?: string): Page => ({
  changes: minutes.map(change),
  ...(next_cursor === undefined ? {} : { next_cursor }),
});

test('older changes are appended, and none leaves when new ones push it out of the first page', () => {
  const first = withNewest(undefined, page([5, 4], 'behind 4'));
  const longer = withOlder(first, page([3, 2], 'behind 2'));
  const later = withNewest(longer, page([6, 5], 'behind 5'));
  expect(later).toEqual(page([6, 5, 4, 3, 2], 'behind 2'));
  expect(withOlder(later, page([2, 1]))).toEqual(page([6, 5, 4, 3, 2, 1]));
});

test('the list begins anew when more came than a page holds, rather than hide what is between', () => {
  expect(withNewest(page([3, 2], 'behind 2'), page([9, 8], 'behind 8'))).toEqual(page([9, 8], 'behind 8'));
});

test('a page on which nothing was found says nothing of what is listed', () => {
  const listed = page([3], 'behind 3');
  expect(withNewest(listed, page([], 'further'))).toBe(listed);
  expect(withNewest(listed, page([]))).toEqual(page([]));
});
