// Artillery compiles TypeScript by itself, and not as Node does: so this is JavaScript, and Node strips the types of the rest.
import { generator } from './generator.ts';
import { GENERATOR_TASK } from './link.ts';

// Artillery also loads this where nothing is sent.
let own;
const here = () => (own ??= generator(JSON.parse(process.env[GENERATOR_TASK])));

/** A user of Artillery's is a payment. */
export async function payment({ vars }) {
  vars.lastEventId = await here().payment();
}

export async function untilAccepted({ vars }) {
  await here().untilAccepted(vars.lastEventId);
}

export function isTimeLeft(_context, next) {
  next(here().isTimeLeft());
}
