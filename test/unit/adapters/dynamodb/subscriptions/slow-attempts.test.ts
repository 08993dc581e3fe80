import {
  saySlow,
  slowAttempts,
} from '../../../../../functions/adapters/dynamodb/subscriptions/slow-attempts.ts';
import { secondsTable } from '../periods-table.ts';

function workers() {
  const { rollCall, ...table } = secondsTable();
  const faults: unknown[] = [];
  return {
    say: saySlow(rollCall, (error) => faults.push(error)),
    heard: slowAttempts(rollCall),
    rollCall,
    faults,
    ...table,
  };
}

test('a worker hears how many slow attempts each of its subscriptions has, and the stage', async () => {
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

test('it writes one item of the stage, and one of each subscription: each in a partition of its own', async () => {
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

test('a tick hears what all of them said in the last second', async () => {
  const { say, heard, pass } = workers();
  await say(new Map([['sub_1', 3]]));
  await say(new Map([['sub_2', 4]]));
  pass(1_000);
  expect(await heard('sub_1')).toEqual({ own: 3, all: 7 });
  expect(await heard('sub_3')).toEqual({ own: 0, all: 7 });
});

test('when it cannot be said nobody is crowded: the fault is told, and nothing else happens', async () => {
  const { say, rollCall, faults } = workers();
  const internalError = new Error('throttled');
  rollCall.say = () => Promise.reject(internalError);
  expect(await say(new Map([['sub_1', 300]]))).toBeUndefined();
  expect(faults).toEqual([internalError]);
});
