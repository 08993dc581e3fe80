import { DeleteMessageCommand, type Message, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { nameOption } from '../../terminal/option-kinds.ts';
import { recorded } from '../audit/audit-command.ts';
import type { ExaminedStage } from '../doctor/examined-stage.ts';
import { CHANGES_STAGE, limit, operatorCommand } from '../operator-command.ts';
import { findStage, type StageFinder } from '../stage-finder.ts';

/** The part of the stage, and its output with the URL. */
const QUEUES = {
  rule: ['pipeline', 'RuleDeadLettersUrl'],
  events: ['pipeline', 'EventsDeadLettersUrl'],
  deliveries: ['pipeline', 'DeliveriesDeadLettersUrl'],
  'retry-timers': ['pipeline', 'RetryTimersDeadLettersUrl'],
  unclaimed: ['pipeline', 'UnclaimedEventsUrl'],
  statistics: ['pipeline', 'StatisticsDeadLettersUrl'],
  archive: ['archive', 'ArchiveDeadLettersUrl'],
} as const;
type QueueName = keyof typeof QUEUES;
const { check, help } = nameOption(Object.keys(QUEUES) as QueueName[]);

/** A look at a queue leaves what it shows to others soon. */
const LOOK_SECONDS = 5;
const DISCARD_SECONDS = 60;

export function discardCommand(find: StageFinder = findStage) {
  return operatorCommand({
    name: 'discard',
    synonyms: ['peek'],
    summary: 'Print dead letters or unclaimed events as JSON, one a line, and with --yes delete them',
    arguments: { queue: { check, help } },
    options: { ...limit(10, 'how many at most'), ...CHANGES_STAGE },
    example: 'unclaimed --stage dev',
    remarks:
      'Keep what it prints: >> discarded.jsonl. Without --yes, what it prints is hidden from others for 5 s.',
    async run({ queue, limit, stage, yes }, { access, print }) {
      const found = await find(stage);
      const show = (letter: object) => print(JSON.stringify(letter), letter);
      const act = async () => {
        const count = await take(found, queue, { limit, deletes: yes, show });
        return { result: count, outcome: { discarded: yes ? count : 0 } };
      };
      const deed = { command: 'discard', arguments: { queue, limit } };
      const count = yes
        ? await recorded(await (await access(stage)).operators(), deed, act)
        : (await act()).result;
      if (count === 0) {
        print(`There is nothing in ${queue} on ${stage}.`, {});
      }
      return true;
    },
  });
}

interface Taking {
  readonly limit: number;
  readonly deletes: boolean;
  /** Is called before a letter is deleted. */
  readonly show: (letter: object) => void;
}

async function take(stage: ExaminedStage, queue: QueueName, { limit, deletes, show }: Taking) {
  const [part, output] = QUEUES[queue];
  const QueueUrl = stage.output(part, output);
  let count = 0;
  while (count < limit) {
    const { Messages = [] } = await stage.clients.sqs.send(
      new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: Math.min(10, limit - count),
        WaitTimeSeconds: 2,
        VisibilityTimeout: deletes ? DISCARD_SECONDS : LOOK_SECONDS,
        MessageSystemAttributeNames: ['All'],
        MessageAttributeNames: ['All'],
      }),
    );
    for (const message of Messages) {
      show(letterOf(message));
      if (deletes) {
        const { ReceiptHandle } = message;
        await stage.clients.sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
      }
    }
    count += Messages.length;
    // Another look would show the same again, once it is not hidden any more.
    if (Messages.length === 0 || !deletes) {
      break;
    }
  }
  return count;
}

function letterOf({ Body = '', Attributes = {}, MessageAttributes = {} }: Message) {
  return {
    sent_at: new Date(Number(Attributes.SentTimestamp ?? 0)).toISOString(),
    receive_count: Number(Attributes.ApproximateReceiveCount ?? 0),
    group: Attributes.MessageGroupId,
    why: Object.fromEntries(
      Object.entries(MessageAttributes).map(([name, { StringValue }]) => [name, StringValue]),
    ),
    body: Body,
  };
}
