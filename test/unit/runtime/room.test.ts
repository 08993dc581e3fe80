import { type Load, loadOf, NoRoomError, Room, roomIn } from '../../../functions/runtime/room.ts';

const AMPLE_MS = 10_000;

beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
afterEach(() => jest.useRealTimers());

const turns = async (count = 20) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
};

/** A room, and who was let in so far, each with what ends its work. */
function room(max: Load) {
  const held = new Room(max);
  const inside: string[] = [];
  const ends = new Map<string, (internalError?: Error) => void>();
  const enter = (name: string, load: Partial<Load>, longestWaitMs = AMPLE_MS) =>
    held.hold({ records: 0, bytes: 0, ...load }, longestWaitMs, () => {
      inside.push(name);
      return new Promise<string>((resolve, reject) =>
        ends.set(name, (internalError) =>
          internalError === undefined ? resolve(name) : reject(internalError),
        ),
      );
    });
  const end = (name: string, internalError?: Error) => ends.get(name)?.(internalError);
  return { enter, end, inside };
}

test('as many are let in as there is room for, and the next when one has ended', async () => {
  const { enter, end, inside } = room({ records: 10, bytes: 1_000 });
  const all = [
    enter('a', { records: 6 }),
    enter('b', { records: 4 }),
    enter('c', { records: 5 }),
    enter('d', { records: 1 }),
  ];
  await turns();
  expect(inside).toEqual(['a', 'b']);
  end('b');
  await turns();
  // What would fit waits behind what came before it.
  expect(inside).toEqual(['a', 'b']);
  end('a');
  await turns();
  expect(inside).toEqual(['a', 'b', 'c', 'd']);
  end('c');
  end('d');
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
});

test('bytes are bounded likewise', async () => {
  const { enter, inside } = room({ records: 10, bytes: 1_000 });
  void enter('a', { bytes: 600 });
  void enter('b', { bytes: 401 });
  void enter('c', { bytes: 1 });
  await turns();
  expect(inside).toEqual(['a']);
});

test('who is alone is let in, however large', async () => {
  const { enter, end, inside } = room({ records: 10, bytes: 1_000 });
  void enter('large', { records: 500, bytes: 1_000_000 });
  void enter('small', { records: 1 });
  await turns();
  expect(inside).toEqual(['large']);
  end('large');
  await turns();
  expect(inside).toEqual(['large', 'small']);
});

test('who finds no room in time does nothing, and keeps nobody behind it', async () => {
  const { enter, inside } = room({ records: 10, bytes: 1_000 });
  void enter('a', { records: 6 });
  const late = enter('late', { records: 5 }, 20);
  void enter('b', { records: 4 });
  const told = expect(late).rejects.toThrow(NoRoomError);
  jest.advanceTimersByTime(20);
  await told;
  await turns();
  expect(inside).toEqual(['a', 'b']);
});

test('what fails makes room too', async () => {
  const { enter, end, inside } = room({ records: 10, bytes: 1_000 });
  const failing = enter('a', { records: 10 });
  void enter('b', { records: 10 });
  await turns();
  end('a', new Error('no tables'));
  await expect(failing).rejects.toThrow('no tables');
  expect(inside).toEqual(['a', 'b']);
});

test('thirty-two full batches fit, and an eighth of the memory in bodies', async () => {
  const held = roomIn({ AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '2048' });
  let inside = 0;
  const enter = (load: Load) =>
    void held.hold(load, AMPLE_MS, () => {
      inside += 1;
      return new Promise(() => {});
    });
  for (let batch = 0; batch < 40; batch += 1) enter({ records: 10, bytes: 8 * 1_048_576 });
  await turns();
  expect(inside).toBe(32);
  expect(loadOf([{ body: 'four' }, { body: 'x' }])).toEqual({ records: 2, bytes: 5 });
});
