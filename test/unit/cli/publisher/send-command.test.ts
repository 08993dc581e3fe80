import { givenToOps } from '../../../support/operator-run.ts';

const read = (...args: string[]) => givenToOps('send', ...args);

test('events per payment may be a range', () => {
  expect(read('--events-per-payment', '2-4')).toMatchObject({ 'events-per-payment': { min: 2, max: 4 } });
});
