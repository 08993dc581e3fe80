import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { CircuitState } from '../../../../functions/core/circuit/circuit.ts';
import { at } from '../../../../test/support/message-summaries.ts';
import type { LabStage } from '../../../lab/stage/lab-stage.ts';
import { circuitWatch, openings } from '../../../lab/watch/circuit-watch.ts';

const opened = (id: string, subscription_id: string, ms: number) =>
  JSON.stringify({ detail: { type: 'circuit.opened', id, at: at(ms), subscription_id, reason: 'x' } });

test('each opening counts once, by subscription, from the first event on', () => {
  const heard = openings();
  for (const text of [
    opened('op_1', 'sub_1', 500),
    opened('op_2', 'sub_1', 1_500),
    opened('op_2', 'sub_1', 1_500),
    opened('op_3', 'sub_2', 2_000),
    opened('op_4', 'sub_3', 2_000),
  ]) {
    heard.add(text);
  }
  expect(heard.of(new Set(['sub_1', 'sub_2']), Date.parse(at(1_000)))).toBe(2);
});

/** A bus and a queue that has these messages; `asked` hears what is done with them. */
function stageWith(texts: readonly string[], asked: string[] = []): LabStage {
  const left = [...texts];
  const send = async (command: { readonly constructor: { readonly name: string } }) => {
    asked.push(command.constructor.name);
    return command.constructor.name === 'ReceiveMessageCommand'
      ? { Messages: left.splice(0, 10).map((Body) => ({ Body, ReceiptHandle: 'r' })) }
      : { QueueUrl: 'q', Attributes: { QueueArn: 'arn' } };
  };
  return {
    name: 'local',
    busName: 'bus',
    sqs: { send } as unknown as SQSClient,
    events: { send } as unknown as EventBridgeClient,
  } as LabStage;
}

test('the run waits until circuits are closed, and reports how often they opened', async () => {
  const states: CircuitState[] = ['draining', 'draining', 'closed'];
  const asked: string[] = [];
  const texts = Array.from({ length: 12 }, (_, index) => opened(`op_${index}`, 'sub_1', 5_000));
  const watch = await circuitWatch(stageWith(texts, asked), 'r1', [
    { group: 'a', subscriptionIds: ['sub_1'], circuits: async () => [states.shift() ?? 'closed'] },
    { group: 'b', subscriptionIds: ['sub_2', 'sub_3'], circuits: async () => ['closed', 'closed'] },
  ]);
  const circuits = await watch.settled(Date.parse(at(0)), new AbortController().signal);
  expect(Object.fromEntries(circuits)).toEqual({
    a: { states: { closed: 1 }, opened: 12 },
    b: { states: { closed: 2 }, opened: 0 },
  });
  await watch.stop();
  expect(asked.slice(-3)).toEqual(['RemoveTargetsCommand', 'DeleteRuleCommand', 'DeleteQueueCommand']);
});

test('an interrupted run reports the circuits without waiting', async () => {
  const watch = await circuitWatch(stageWith([]), 'r1', [
    { group: 'a', subscriptionIds: ['sub_1'], circuits: async () => ['open'] },
  ]);
  const circuits = await watch.settled(0, AbortSignal.abort());
  expect(circuits.get('a')).toEqual({ states: { open: 1 }, opened: 0 });
});
