import os from 'node:os';
import type { MessageSummary } from '../functions/core/message-view.ts';
import { ExplainedError } from '../local/explained-error.ts';
import { runCommand } from '../local/explanation.ts';
import { type LocalOutputs, readOutputs } from '../local/outputs.ts';
import { runName } from '../local/send-payments.ts';
import { type Customer, newCustomer } from './customers.ts';
import { MEASURE_HELP, type MeasureOptions, measureOptions } from './measure-options.ts';
import { percentile } from './percentile.ts';
import { readUntil } from './read-until.ts';
import { type ReceiverServer, startReceiverServer } from './receiver-server.ts';
import { type Sent, traffic } from './traffic.ts';
import { verdict } from './verdict.ts';

await runCommand(async (args) => {
  const options = measureOptions(args);
  if (options === 'help') {
    process.stdout.write(MEASURE_HELP);
    return;
  }
  const outputs = await readOutputs();
  const receiver = await startReceiverServer({ port: 0 });
  try {
    await measure(options, outputs, receiver);
  } finally {
    await receiver.stop();
  }
});

async function measure(options: MeasureOptions, outputs: LocalOutputs, receiver: ReceiverServer) {
  const say = (line: string) => options.json || process.stderr.write(`${line}\n`);
  const run = runName();
  const made = await Promise.allSettled(
    Array.from({ length: options.services }, (_, index) =>
      newCustomer(outputs, receiver, options.delay, `m${run}${index}`),
    ),
  );
  const customers = made.filter((one) => one.status === 'fulfilled').map(({ value }) => value);
  try {
    const failed = made.find((one) => one.status === 'rejected');
    if (failed !== undefined) {
      throw failed.reason;
    }
    if (options['warm-up'] > 0) {
      const payments = options['warm-up'] * options.rate * 2;
      say(`Warming up: ${payments} payments at ${options.rate * 2}/s`);
      const { expected, accepted } = await traffic(
        `w${run}`,
        { ...options, payments, rate: options.rate * 2 },
        outputs,
        customers,
      );
      if (accepted < expected.length) {
        throw new ExplainedError(
          `The warm-up got stuck: ${accepted} of ${expected.length} events were accepted.`,
        );
      }
    }
    say(
      `Measuring: ${options.payments} payments at ${options.rate}/s, receivers ${options.delay.join(' to ')} ms`,
    );
    const sent = await traffic(`p${run}`, options, outputs, customers);
    await report(options, sent, customers);
  } finally {
    await Promise.allSettled(customers.map((customer) => customer.leave()));
  }
}

async function report(options: MeasureOptions, { expected, seconds }: Sent, customers: readonly Customer[]) {
  const ids = new Set(expected.map(({ eventId }) => eventId));
  const isOfThisRun = ({ event_id, state }: MessageSummary) => ids.has(event_id) && state === 'succeeded';
  const recorded = async () =>
    (await Promise.all(customers.map((customer) => customer.messages()))).flat().filter(isOfThisRun);
  // A receiver has accepted a moment before the history knows of it.
  const messages = await readUntil(expected.length, recorded, { patienceMs: 10_000, pauseMs: 500 });
  const receipts = (await Promise.all(customers.map((customer) => customer.receipts()))).flat();
  const outcome = verdict(expected, messages, receipts);
  const times = messages.map(({ time_to_send_ms = Number.NaN }) => time_to_send_ms);
  const timeToSend = Object.fromEntries(
    [50, 90, 95, 99, 100].map((percent) => [
      percent === 100 ? 'max' : `p${percent}`,
      percentile(times, percent),
    ]),
  );
  const machine = `${os.cpus().length} cores of ${os.cpus()[0]?.model ?? 'an unknown kind'}, Node ${process.version}`;
  if (options.json) {
    console.log(JSON.stringify({ ...outcome, seconds, time_to_send_ms: timeToSend, machine }));
  } else {
    console.log(`
${outcome.delivered} of ${outcome.expected} events delivered in ${seconds.toFixed(1)} s, emulator included (${machine})
time to send, ms     ${Object.entries(timeToSend)
      .map(([name, value]) => `${name} ${value}`)
      .join('   ')}
lost ${outcome.lost}   out of order ${outcome.orderViolations}   repeated without a reason ${outcome.repeats}   invalid signatures ${outcome.invalidSignatures}`);
  }
  if (outcome.lost + outcome.orderViolations + outcome.repeats + outcome.invalidSignatures > 0) {
    throw new ExplainedError('The run broke a promise: see the numbers above.');
  }
}
