import { send } from '../../../../cli/publisher/send-command.ts';
import { readArguments } from '../../../../cli/terminal/read-arguments.ts';

const read = (...args: string[]) => readArguments(send, 'npm run ops --', args);

test('events per payment may be a range', () => {
  expect(read('--events-per-payment', '2-4')).toMatchObject({ 'events-per-payment': { min: 2, max: 4 } });
});
