// JavaScript, because Artillery compiles TypeScript itself and not as Node does. Node strips the types of the
// imported files.
import { generator } from './generator.ts';
import { GENERATOR_TASK } from './link.ts';

// Created on first use: Artillery also loads this file in processes that send nothing.
let worker;
const get = () => (worker ??= generator(JSON.parse(process.env[GENERATOR_TASK])));

/** Each Artillery user is a payment. */
export async function payment({ vars }) {
  vars.lastEventId = await get().payment();
}

export async function untilAccepted({ vars }) {
  await get().untilAccepted(vars.lastEventId);
}

export function isTimeLeft(_context, next) {
  next(get().isTimeLeft());
}
