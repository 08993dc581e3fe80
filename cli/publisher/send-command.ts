import * as z from 'zod';
import { CHANGES_STAGE, operatorCommand, SERVICE } from '../operator/operator-command.ts';
import { deployedTypes } from '../stage/deployed-types.ts';
import { numberOption, wholeNumberOption } from '../terminal/option-kinds.ts';
import { sampleTypes } from './sample-payments.ts';
import { runName, sendPayments } from './send-payments.ts';

const eventCount = z
  .string()
  .regex(/^\d+(-\d+)?$/, 'must be a number such as 3, or a range such as 2-4')
  .transform((text) => {
    const [min = 0, max = min] = text.split('-').map(Number);
    return { min, max };
  })
  .refine(({ min, max }) => min >= 1 && min <= max && max <= 20, 'must lie within 1 to 20, the lesser first');

export const send = operatorCommand({
  name: 'send',
  summary: 'Publish sample payments on the bus of a stage',
  options: {
    payments: wholeNumberOption('how many payments', 1, 100_000, { default: '10' }),
    rate: numberOption('how many payments start in a second', 0.1, 1_000, { default: '10' }),
    'events-per-payment': {
      value: 'N',
      default: '3',
      check: eventCount,
      help: '1 to 20, or a range such as 2-4',
    },
    'event-type': {
      value: 'TYPE',
      isList: true,
      help: 'of the events of a payment, in this order; may be repeated (default: all that there are)',
    },
    service: { value: 'ID', default: 'demo', check: SERVICE.check, help: 'the service of the payments' },
    ...CHANGES_STAGE,
    yes: { help: 'needed on prod, where partners would hear of the payments' },
  },
  example: '--payments 100 --rate 20',
  remarks:
    'Events have the types of the catalogue of the stage, in its order, and the samples that it has of them.',
  changesAtOnce: true,
  async run(given, { access, print, progress }) {
    const { service, stage } = given;
    const { apiUrl, paymentBus } = await access(stage);
    const types = sampleTypes(await deployedTypes(await apiUrl()), given['event-type']);
    const putEvents = await paymentBus();
    const run = runName();
    const startedAt = performance.now();
    const sent = await sendPayments(
      {
        serviceId: service,
        payments: given.payments,
        rate: given.rate,
        eventsPerPayment: given['events-per-payment'],
        types,
        run,
        onProgress: ({ payments, events }) =>
          progress?.(`${payments} of ${given.payments} payments, ${events} events`),
      },
      putEvents,
    );
    const seconds = (performance.now() - startedAt) / 1_000;
    const [first, last] = [`pay_${run}_1`, `pay_${run}_${sent.payments}`];
    const isOne = sent.payments === 1;
    const again = sent.repeated === 0 ? '' : `, ${sent.repeated} of them only when put again`;
    print(
      `${sent.payments} ${isOne ? 'payment' : 'payments'} with ${sent.events} ${sent.events === 1 ? 'event' : 'events'} of ${service} ${isOne ? 'is' : 'are'} on the bus of ` +
        `${stage}${again}: ${isOne ? first : `${first} to ${last}`}, in ${seconds.toFixed(1)} s`,
      { ...sent, seconds, first_payment_id: first, last_payment_id: last },
    );
    return true;
  },
});
