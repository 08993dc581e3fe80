import { createPublicKey, verify } from 'node:crypto';
import { noticeOf } from '../../../../functions/core/notices/notice.ts';
import { noticeKey, noticeWebhook } from '../../../../functions/core/notices/notice-webhook.ts';
import { subscription } from '../../../support/builders.ts';

const AT = '2026-11-02T08:00:00.000Z';
const stageKey = Buffer.alloc(32, 1);
const notice = noticeOf('messages.given_up', { subscription_id: 'sub_1' }, 'one', {
  at: AT,
  since: AT,
  given_up: 3,
});

test('a notice is signed as Standard Webhooks says, with a key of its subscription', () => {
  const hostile = 'Shop\r\nwebhook-id: other';
  const { headers, body } = noticeWebhook(notice, subscription({ description: hostile }), {
    stageKey,
    tries: 1,
    nowMs: Date.parse(AT),
  });
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'webhook-id': notice.notice_id,
    'webhook-timestamp': '1793606400',
    'webhook-attempt': '2',
  });
  expect(JSON.stringify(headers)).not.toContain('other');
  expect(JSON.parse(body)).toEqual({
    event_type: 'notice',
    notice_id: notice.notice_id,
    kind: 'messages.given_up',
    text: 'Webhooks to your endpoint were given up',
    service_id: 'bakery',
    subscription_id: 'sub_1',
    description: hostile,
    live: false,
    at: AT,
    since: AT,
    given_up: 3,
  });
  const { public_key } = noticeKey(stageKey, 'sub_1');
  const x = Buffer.from(public_key.slice('whpk_'.length), 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const signed = Buffer.from(`${notice.notice_id}.1793606400.${body}`);
  const signature = Buffer.from(headers['webhook-signature']!.slice('v1a,'.length), 'base64');
  expect(verify(null, signed, key, signature)).toBe(true);
  expect(noticeKey(stageKey, 'sub_2').public_key).not.toBe(public_key);
});
