import {
  saySlow,
  slowAttempts,
} from '../../../../../functions/adapters/dynamodb/subscriptions/slow-attempts.ts';
import { secondsTable } from '../periods-table.ts';

function workers() {
  const { rollCall, ...table } = secondsTable();
  const errors: unknown[] = [];
  return {
    say: saySlow(rollCall, (error) => errors.push(error)),
    heard: slowAttempts(rollCall),
    rollCall,
    errors,
    ...table,
  };
}

test('a worker learns how many slow attempts each of its subscriptions and the stage have', async () => {
  const { say } = workers();
  expect(await say(new Map([['sub_1', 3]]))).toEqual(new Map([['sub_1', { own: 3, all: 3 }]]));
  const own = new Map([
    ['sub_1', 2],
    ['sub_2', 5],
  ]);
  expect(await say(own)).toEqual(
    new Map([
      ['sub_1', { own: 5, all: 10 }],
      ['sub_2', { own: 5, all: 10 }],
    ]),
  );
});

test('it writes one item for the stage and one for each subscription, each in its own partition', async () => {
  const { say, said } = workers();
  await say(
    new Map([
      ['sub_1', 2],
      ['sub_2', 5],
    ]),
  );
  expect(Object.fromEntries(said)).toEqual({
    '#slow 1794650400': 7,
    '#slow#sub_1 1794650400': 2,
    '#slow#sub_2 1794650400': 5,
  });
});

test('a timer reads what all workers reported in the last second', async () => {
  const { say, heard, pass } = workers();
  await say(new Map([['sub_1', 3]]));
  await say(new Map([['sub_2', 4]]));
  pass(1_000);
  expect(await heard('sub_1')).toEqual({ own: 3, all: 7 });
  expect(await heard('sub_3')).toEqual({ own: 0, all: 7 });
});
