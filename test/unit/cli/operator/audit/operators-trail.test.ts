import { inMemoryOperators, recorded } from '../../../../../cli/operator/audit/audit-command.ts';
import type { Operators } from '../../../../../functions/api/stage/recorded.ts';

const DEED = { command: 'circuits open', arguments: { service: 'shop', subscription: 'sub_1' } };
const CHANGE = { service_id: 'shop', subscription_id: 'sub_1', operation: 'openCircuit' } as const;

test('an entry is there before anything is done, and has its outcome after it', async () => {
  const operators = inMemoryOperators();
  const result = await recorded(operators, DEED, async () => {
    expect(operators.entries).toEqual([
      { ...DEED, at: expect.any(String), request_id: expect.stringMatching(/^opr_[\w-]{36}$/), who: 'local' },
    ]);
    return { result: 7, outcome: { changed: 1 }, changes: [CHANGE, CHANGE] };
  });
  expect(result).toBe(7);
  expect(operators.entries).toMatchObject([{ ...DEED, outcome: { changed: 1 } }]);
  const [{ request_id } = { request_id: '' }] = operators.entries;
  expect(operators.changes).toMatchObject([
    { ...CHANGE, actor: 'operator', request_id },
    { ...CHANGE, actor: 'operator', request_id: `${request_id}-1` },
  ]);
});

test('what cannot be written down is not done', async () => {
  const act = jest.fn();
  const { trail } = inMemoryOperators();
  const operators: Operators = {
    who: 'local',
    trail: { ...trail, begin: () => Promise.reject(new Error('denied')) },
  };
  await expect(recorded(operators, DEED, act)).rejects.toThrow('denied');
  expect(act).not.toHaveBeenCalled();
});

test('what broke off says so in the trail, and to whoever did it', async () => {
  const operators = inMemoryOperators();
  await expect(recorded(operators, DEED, () => Promise.reject(new Error('no such queue')))).rejects.toThrow(
    'no such queue',
  );
  expect(operators.entries).toMatchObject([{ outcome: { error: 'no such queue' } }]);
  expect(operators.changes).toEqual([]);
});

test('an outcome that cannot be written takes nothing from whoever did it: they are told', async () => {
  const { trail } = inMemoryOperators();
  const told: string[] = [];
  const operators: Operators = {
    who: 'local',
    trail: { ...trail, finish: () => Promise.reject(new Error('throttled')) },
  };
  const act = async () => ({ result: 'a token', outcome: {} });
  expect(await recorded(operators, DEED, act, (text) => told.push(text))).toBe('a token');
  expect(told).toEqual([expect.stringMatching(/could not be written .* opr_.*throttled/)]);
});
