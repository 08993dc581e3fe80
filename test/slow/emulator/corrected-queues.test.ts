import { emulatorSays } from './python-says.ts';

const START = `
import copy, json, random, sys, time
from ministack.services import sqs
from corrected_queues import COMPLETE, pruning_once_a_second, whole_messages_left_alone
`;

/** What a script prints that has the emulator's queues and their corrections. */
async function said(script: string, ...args: string[]): Promise<unknown> {
  return JSON.parse(await emulatorSays([`${START}\n${script}`, ...args])) as unknown;
}

const SEEDS = [1, 2, 3];

test.each(SEEDS)(
  'messages get the fields that the emulator gives them, whichever they lack (%i)',
  async (seed) => {
    const script = `
dice = random.Random(int(sys.argv[1]))
own, corrected = sqs._ensure_msg_fields, whole_messages_left_alone(sqs._ensure_msg_fields)
whole = {"id": "1", "body": "a body"}
own(whole)
differing, left_alone = [], 0
for _ in range(2_000):
    lacking = dice.sample(sorted(whole), dice.randrange(4)) if dice.random() < 0.8 else []
    message = {name: value for name, value in whole.items() if name not in lacking}
    one, other = copy.deepcopy(message), copy.deepcopy(message)
    now = time.time
    sqs.time.time = lambda: 5.0
    own(one)
    corrected(other)
    sqs.time.time = now
    left_alone += message == other
    if one != other or list(one) != list(other):
        differing.append([one, other])
print(json.dumps({"differing": differing[:3], "some were whole, others not": 0 < left_alone < 2_000, "complete": sorted(set(whole) - {"id", "body"}) == sorted(COMPLETE)}))
`;
    expect(await said(script, String(seed))).toEqual({
      differing: [],
      'some were whole, others not': true,
      complete: true,
    });
  },
);

test('what has expired is looked for once a second in each queue, each kind by itself', async () => {
  const script = `
seen = []
def ids(queue): seen.append(("ids", queue["name"]))
def messages(queue): seen.append(("messages", queue["name"]))
prune_ids, prune_messages = pruning_once_a_second(ids), pruning_once_a_second(messages)
clock = 100.0
time.monotonic = lambda: clock
one, other = {"name": "one"}, {"name": "other"}
for seconds in (0, 0.5, 0.5, 0.2):
    clock += seconds
    for queue in (one, other):
        prune_ids(queue)
    prune_messages(one)
print(json.dumps(seen))
`;
  const each = [
    ['ids', 'one'],
    ['ids', 'other'],
    ['messages', 'one'],
  ];
  expect(await said(script)).toEqual([...each, ...each]);
});
