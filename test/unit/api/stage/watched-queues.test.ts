import { lookedAt } from '../../../../functions/api/stage/watched-queues.ts';

test("a queue's URL is that of its neighbour with its own name", () => {
  const base = 'https://sqs.eu-west-1.amazonaws.com/111122223333';
  expect(lookedAt({ 'events-oldest': 'Events.fifo', 'rule-dead-letters': 'Rule' }, `${base}/Timers`)).toEqual(
    [
      {
        runbook: 'events-oldest',
        kind: 'work',
        worker: 'match',
        name: 'Events.fifo',
        url: `${base}/Events.fifo`,
      },
      { runbook: 'rule-dead-letters', kind: 'dead_letters', name: 'Rule', url: `${base}/Rule` },
    ],
  );
});
