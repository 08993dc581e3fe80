import { Webhook } from 'standardwebhooks';
import { messageItem, readMessage } from '../../../../functions/adapters/dynamodb/history/message-item.ts';
import { DELIVERY_POLICY } from '../../../../functions/core/attempt/delivery-policy.ts';
import { NewerFormatError } from '../../../../functions/core/event/format-version.ts';
import { messageRecordSchema } from '../../../../functions/core/message/history.ts';
import { deliver } from '../../../../functions/pipeline/deliver/deliver.ts';
import { signingKeys } from '../../../support/builders.ts';
import { bundledVersion, type Change } from '../../../support/versions/bundled-version.ts';
import type * as Version from '../../../support/versions/version.ts';
import { BUSY, event, OK, signalled, world } from './world.ts';

const MESSAGE = 'core/message/message.ts';
const RESOURCE = 'adapters/dynamodb/history/stored-resource.ts';

/** A form of bodies and a dictionary that today's release does not have. */
const KNOWN: readonly Change[] = [
  [MESSAGE, '= [membersInOrder];', '= [membersInOrder, enveloped];'],
  [
    MESSAGE,
    '/** The message that an event becomes for one subscription',
    'function enveloped(of: Said, resource: string) { return JSON.stringify({ id: of.message_id, data: JSON.parse(resource) }); }\n/** The message that an event becomes for one subscription',
  ],
  [
    RESOURCE,
    '].map((text) => Buffer.from(text));',
    `'{"amount":1000,"état":"☂"}'].map((text) => Buffer.from(text));`,
  ],
];
/** The release after that has both in what it writes. */
const WRITTEN: readonly Change[] = [
  [MESSAGE, 'BODY_FORMAT = 1;', 'BODY_FORMAT = 2;'],
  [RESOURCE, 'WRITTEN = 1;', 'WRITTEN = 2;'],
];

const today: typeof Version = { deliver, messageItem, readMessage, messageRecordSchema };
let next: typeof Version;
let afterNext: typeof Version;

beforeAll(async () => {
  next = await bundledVersion(KNOWN);
  afterNext = await bundledVersion([...KNOWN, ...WRITTEN]);
});

/** A message whose first attempt one version makes, which fails, and whose second another makes. */
async function attempted(first: typeof Version, second: typeof Version) {
  const answers = [BUSY, OK];
  const made = world({ answer: () => answers.shift() ?? OK });
  const message = event('evt-1', { resource: '{"amount":1000,"état":"☂"}' });
  await first.deliver([message], made.ports, DELIVERY_POLICY);
  const { message_id } = message.message;
  const item = first.messageItem(made.records.get(message_id)!);
  const read = second.readMessage(item, second.messageRecordSchema);
  if (read instanceof Error) {
    throw read;
  }
  made.records.set(message_id, read);
  made.pass(60_000);
  await second.deliver([signalled('resume')], made.ports, DELIVERY_POLICY);
  return { item, record: made.records.get(message_id), posts: made.posts };
}

const COMPOSED_TODAY =
  '{"webhook_message_id":"msg_KSSWEQrDb2spm0WtgQeW9elUVZXtpaotFKf1i--V","api_version":1,' +
  '"created_date":"2026-11-14T10:00:00.000Z","resource_id":"pay-1","resource_type":"payment",' +
  '"event_type":"card_payment_captured","resource":{"amount":1000,"état":"☂"}}';
const COMPOSED_AFTER_NEXT =
  '{"id":"msg_KSSWEQrDb2spm0WtgQeW9elUVZXtpaotFKf1i--V","data":{"amount":1000,"état":"☂"}}';

test.each([
  ['today’s', 'the next', 1, COMPOSED_TODAY, () => [today, next]],
  ['the next', 'today’s', 1, COMPOSED_TODAY, () => [next, today]],
  ['today’s', 'the one after the next', 1, COMPOSED_TODAY, () => [today, afterNext]],
  ['the one after the next', 'the next', 2, COMPOSED_AFTER_NEXT, () => [afterNext, next]],
] as const)(
  'what %s release composed for the first attempt, %s signs and sends for the second, byte for byte',
  async (_, __, format, body, versions) => {
    const [first, second] = versions() as [typeof Version, typeof Version];
    const { item, record, posts } = await attempted(first, second);
    expect(record).toMatchObject({ state: 'succeeded', attempt_count: 2, body_format: format });
    expect([item.body_format, (item.resource as Uint8Array)[0]]).toEqual([format, format]);
    expect(posts.map((post) => post.body)).toEqual([body, body]);
    for (const { headers } of posts) {
      const [id, timestamp] = [String(headers['webhook-id']), Number(headers['webhook-timestamp'])];
      const signed = new Webhook(signingKeys().secret).sign(id, new Date(timestamp * 1_000), body);
      expect(headers['webhook-signature']?.split(' ')).toContain(signed);
    }
    expect(new Set(posts.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  },
);

test('a release that does not know the form of a body leaves the message to one that does', async () => {
  await expect(attempted(afterNext, today)).rejects.toThrow('its body has format 2, known: 1 to 1');
  await expect(attempted(afterNext, today)).rejects.toBeInstanceOf(NewerFormatError);
});
