import { send } from '../../../../cli/publisher/send-command.ts';
import { readArguments } from '../../../../cli/terminal/read-arguments.ts';

const read = (...args: string[]) => readArguments(send, 'npm run ops --', args);

test('ten payments a second with three events each are sent by default', () => {
  expect(read()).toEqual({
    payments: 10,
    rate: 10,
    'events-per-payment': { min: 3, max: 3 },
    service: 'demo',
    stage: 'local',
    yes: false,
    json: false,
    help: false,
  });
});

test('events per payment may be a range', () => {
  expect(read('--events-per-payment', '2-4')).toMatchObject({ 'events-per-payment': { min: 2, max: 4 } });
});
