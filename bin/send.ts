import { SEND_HELP, sendOptions } from '../cli/publisher/send-options.ts';
import { runName, type Sent, sendPayments } from '../cli/publisher/send-payments.ts';
import { stageBus } from '../cli/stage/stage-bus.ts';
import { runCommand } from '../cli/terminal/explanation.ts';

await runCommand(async (args) => {
  const options = sendOptions(args);
  if (options === 'help') {
    process.stdout.write(SEND_HELP);
    return;
  }
  const putEvents = await stageBus(options.stage);
  const run = runName();
  const startedAt = performance.now();
  const showsProgress = process.stderr.isTTY && !options.json;
  const onProgress = ({ payments, events }: Sent) =>
    process.stderr.write(`\r${payments} of ${options.payments} payments, ${events} events`);
  const sent = await sendPayments(
    {
      serviceId: options.service,
      payments: options.payments,
      rate: options.rate,
      eventsPerPayment: options['events-per-payment'],
      run,
      ...(showsProgress ? { onProgress } : {}),
    },
    putEvents,
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  const first = `pay_${run}_1`;
  const last = `pay_${run}_${sent.payments}`;
  if (options.json) {
    console.log(JSON.stringify({ ...sent, seconds, first_payment_id: first, last_payment_id: last }));
    return;
  }
  const again = sent.repeated === 0 ? '' : `, ${sent.repeated} of them only when put again`;
  console.log(
    `${showsProgress ? '\r' : ''}${sent.payments} ${sent.payments === 1 ? 'payment' : 'payments'} with ${sent.events} ${sent.events === 1 ? 'event' : 'events'} of ${options.service} ${sent.payments === 1 ? 'is' : 'are'} on the bus of ` +
      `${options.stage}${again}: ${first === last ? first : `${first} to ${last}`}, in ${seconds.toFixed(1)} s`,
  );
});
