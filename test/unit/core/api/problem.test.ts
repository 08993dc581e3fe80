import * as z from 'zod';
import { cursorOf, positionOf } from '../../../../functions/core/api/cursor.ts';
import { etagOf, type IfMatch, isMatch, isOurs, readIfMatch } from '../../../../functions/core/api/etag.ts';
import { contextOf, identityOf } from '../../../../functions/core/api/identity-context.ts';
import { detailOf, fieldErrorsOf } from '../../../../functions/core/api/problem.ts';
import type { Identity } from '../../../../functions/core/api/rate-limit.ts';
import { selectionOf } from '../../../../functions/core/api/recovery-request.ts';
import { reasonOf } from '../../../../functions/core/errors/error-reason.ts';

describe('problem', () => {
  test('each field that is wrong, missing or unknown is an error of its own', () => {
    const schema = z.strictObject({ name: z.string(), tags: z.array(z.string()), live: z.boolean() });
    const { error } = schema.safeParse(
      { name: 1, tags: ['a', 2], colour: 'red', size: 3 },
      { error: reasonOf },
    );

    expect(fieldErrorsOf(error!)).toEqual([
      { field: 'name', reason: 'must be a string, not a number' },
      { field: 'tags.1', reason: 'must be a string, not a number' },
      { field: 'live', reason: 'is missing' },
      { field: 'colour', reason: 'is not known' },
      { field: 'size', reason: 'is not known' },
    ]);
  });

  test('the detail names the first three of several errors', () => {
    const fieldError = (field: string) => ({ field, reason: 'is missing' });
    expect(detailOf(['a', 'b', 'c'].map(fieldError), 'field')).toBe(
      '3 fields are wrong: a is missing; b is missing; c is missing.',
    );
    expect(detailOf(['a', 'b', 'c', 'd'].map(fieldError), 'query parameter')).toBe(
      '4 query parameters are wrong: a is missing; b is missing; c is missing; the rest is in errors.',
    );
    expect(
      detailOf(
        Array.from({ length: 20 }, () => fieldError('a')),
        'field',
      ),
    ).toMatch(/^At least 20 fields are wrong: /);
  });

  test.each([1e20, -1e20])('for %d the chosen bound is reported, not that of JavaScript', (limit) => {
    const schema = z.strictObject({ limit: z.int().min(1).max(100), at: z.int() });
    const { error } = schema.safeParse({ limit, at: limit }, { error: reasonOf });
    expect(fieldErrorsOf(error!)).toEqual([
      { field: 'limit', reason: limit > 0 ? 'must be at most 100' : 'must be at least 1' },
      { field: 'at', reason: expect.stringContaining('9007199254740991') },
    ]);
  });

  const NOW = Date.parse('2026-11-14T10:00:00.000Z');

  test('a recovery reaches back as far as messages are kept, and not a moment further', () => {
    expect(selectionOf({ since: '2026-10-15T10:00:00Z' }, NOW, 30)).toHaveProperty('selection');
    expect(selectionOf({ since: '2026-10-15T09:59:59.999Z' }, NOW, 30)).toEqual({
      fieldErrors: [
        { field: 'since', reason: 'must be within the last 30 days: what is older goes by itself' },
      ],
    });
  });

  const position = { message_id: 'msg_1', admitted_at: '2026-01-01T00:00:00.123Z' };

  function encoded(value: unknown): string {
    return Buffer.from(JSON.stringify(value)).toString('base64url');
  }

  test('a cursor leads back to its position', () => {
    expect(positionOf(cursorOf(position))).toEqual(position);
  });

  test('a cursor holds only its position, nothing else of the message', () => {
    const message = { ...position, service_id: 'shop' };
    expect(cursorOf(message)).toBe(cursorOf(position));
  });

  test('a cursor needs no encoding in a URL', () => {
    expect(cursorOf(position)).toMatch(/^[A-Za-z0-9_-]+$/);
  });

  test.each([
    ['nothing', ''],
    ['not base64', '%%%'],
    ['not JSON', 'abcd'],
    ['not a position', encoded(null)],
    ['an incomplete position', encoded({ message_id: 'msg_1' })],
    ['not an instant', encoded({ ...position, admitted_at: 'yesterday' })],
    ['an instant with too many digits', encoded({ ...position, admitted_at: '2026-01-01T00:00:00.1234Z' })],
    ['not the id of a message', encoded({ ...position, message_id: 'sub_1' })],
    ['a subscription id', encoded({ ...position, subscription_id: 'sub_other' })],
  ])('a cursor with %s is not one of ours', (_, cursor) => {
    expect(positionOf(cursor)).toBeUndefined();
  });

  test('the tag is the revision', () => {
    expect(etagOf({ revision: 7 })).toBe('"7"');
    expect(etagOf({})).toBe('"1"');
  });

  test.each([
    ['*', '*'],
    ['"7"', ['"7"']],
    [' "6" ,"7"', ['"6"', '"7"']],
    ['W/"7"', ['W/"7"']],
    ['""', ['""']],
    ['"6",', ['"6"']],
    [', "6", ,"7"', ['"6"', '"7"']],
    ['"a,b", "7"', ['"a,b"', '"7"']],
  ])('%s is understood', (header, wanted) => {
    expect(readIfMatch(header)).toEqual(wanted);
  });

  test.each(['', ',', '0', '7', '"7', '7"', '"6" "7"', '*, "7"', 'w/"7"'])('%j is malformed', (header) => {
    expect(readIfMatch(header)).toBeUndefined();
  });

  test.each<IfMatch>(['*', ['"6"', '"7"'], ['W/"7"'], ['"7-gzip"'], ['W/"7--br"']])(
    '%s names revision 7',
    (wanted) => {
      expect(isMatch(wanted, { revision: 7 })).toBe(true);
    },
  );

  test.each([
    [['"6"'], true],
    [['W/"77"'], true],
    [['"7-x"'], false],
    [['"a"', '""'], false],
  ])('%s does not; is it a tag of ours: %s', (wanted, ours) => {
    expect(isMatch(wanted, { revision: 7 })).toBe(false);
    expect(isOurs(wanted)).toBe(ours);
  });

  test('a long header is read at once', () => {
    expect(readIfMatch(`"7"${', '.repeat(4_000)} x`)).toBeUndefined();
  });
});

describe('identity context', () => {
  test('a service is passed as flat text', () => {
    const identity: Identity = {
      kind: 'service',
      service_id: 'shop',
      token_id: 'tok_1',
      scopes: ['read', 'write'],
    };
    const context = { service_id: 'shop', token_id: 'tok_1', scopes: 'read write' };

    expect(contextOf(identity)).toEqual(context);
    expect(identityOf(context)).toEqual(identity);
  });

  test('the token and the subscriptions that it is limited to are passed as flat text', () => {
    const identity: Identity = {
      kind: 'service',
      service_id: 'shop',
      token_id: 'ses_1',
      token_hash: 'hash',
      scopes: ['read'],
      subscriptions: ['sub_1', 'sub_2'],
    };
    const context = {
      service_id: 'shop',
      token_id: 'ses_1',
      token_hash: 'hash',
      scopes: 'read',
      subscriptions: 'sub_1 sub_2',
    };

    expect(contextOf(identity)).toEqual(context);
    expect(identityOf(context)).toEqual(identity);
  });

  test('a refusal is passed with how long to wait, and with its token for the access log only', () => {
    const context = contextOf({
      kind: 'refused',
      refusal: 'too_many',
      retry_after_seconds: 17,
      token_id: 'tok_1',
    });

    expect(context).toEqual({
      service_id: '',
      token_id: 'tok_1',
      refusal: 'too_many',
      retry_after_seconds: '17',
    });
    expect(identityOf(context)).toEqual({ kind: 'refused', refusal: 'too_many', retry_after_seconds: 17 });
  });

  test.each([
    ['there is none', undefined],
    ['it has no token', { service_id: 'shop', scopes: 'read' }],
    ['it has no scopes', { service_id: 'shop', token_id: 'tok_1' }],
    ['its scopes are empty', { service_id: 'shop', token_id: 'tok_1', scopes: '' }],
    ['it has an unknown scope', { service_id: 'shop', token_id: 'tok_1', scopes: 'read admin' }],
    ['its subscriptions are empty', { service_id: 'shop', token_id: 't', scopes: 'read', subscriptions: '' }],
    [
      'its subscriptions are no text',
      { service_id: 'shop', token_id: 't', scopes: 'read', subscriptions: [] },
    ],
    ['its scopes are not text', { service_id: 'shop', token_id: 'tok_1', scopes: ['read'] }],
  ])('a context identifies nobody when %s', (_, context) => {
    expect(identityOf(context)).toEqual({ kind: 'refused', refusal: 'missing' });
  });
});
