import { type Load, loadOf, NoRoomError, Room, roomIn } from '../../../functions/runtime/room.ts';

const AMPLE_MS = 10_000;

beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
afterEach(() => jest.useRealTimers());

const turns = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
};

/** A room and the invocations admitted so far, each with the function that ends its work. */
function room(max: Load) {
  const held = new Room(max);
  const inside: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const enter = (name: string, load: Partial<Load>, longestWaitMs = AMPLE_MS) =>
    held.hold({ records: 0, bytes: 0, ...load }, longestWaitMs, () => {
      inside.push(name);
      return new Promise<string>((resolve, reject) =>
        ends.set(name, (error) => (error === undefined ? resolve(name) : reject(error))),
      );
    });
  const end = (name: string, error?: Error) => ends.get(name)?.(error);
  return { enter, end, inside };
}

test('invocations are admitted while there is room, and the next when one has ended', async () => {
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
  // One that would fit waits behind the one before it.
  expect(inside).toEqual(['a', 'b']);
  end('a');
  await turns();
  expect(inside).toEqual(['a', 'b', 'c', 'd']);
  end('c');
  end('d');
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
});

test('bytes are bounded in the same way', async () => {
  const { enter, inside } = room({ records: 10, bytes: 1_000 });
  void enter('a', { bytes: 600 });
  void enter('b', { bytes: 401 });
  void enter('c', { bytes: 1 });
  await turns();
  expect(inside).toEqual(['a']);
});

test('a lone invocation is admitted, however large', async () => {
  const { enter, end, inside } = room({ records: 10, bytes: 1_000 });
  void enter('large', { records: 500, bytes: 1_000_000 });
  void enter('small', { records: 1 });
  await turns();
  expect(inside).toEqual(['large']);
  end('large');
  await turns();
  expect(inside).toEqual(['large', 'small']);
});

test('an invocation that finds no room in time does nothing, and no longer blocks those behind it', async () => {
  const { enter, inside } = room({ records: 10, bytes: 1_000 });
  void enter('a', { records: 6 });
  const late = enter('late', { records: 5 }, 20);
  void enter('b', { records: 4 });
  const rejection = expect(late).rejects.toThrow(NoRoomError);
  jest.advanceTimersByTime(20);
  await rejection;
  await turns();
  expect(inside).toEqual(['a', 'b']);
});

test('failed work also makes room', async () => {
  const { enter, end, inside } = room({ records: 10, bytes: 1_000 });
  const failing = enter('a', { records: 10 });
  void enter('b', { records: 10 });
  await turns();
  end('a', new Error('no tables'));
  await expect(failing).rejects.toThrow('no tables');
  expect(inside).toEqual(['a', 'b']);
});

test('thirty-two full batches fit, and bodies of an eighth of the memory', async () => {
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
