import { type Message, messageSchema } from '../message/message.ts';
import { type Hint, hintSchema, type Timer, timerSchema } from '../ordering/signal.ts';
import type { Format } from './format-version.ts';

/** What travels through queues, as this version reads it: each version there ever was in one. */
export const TRAVELLING: {
  readonly message: Format<Message>;
  readonly hint: Format<Hint>;
  readonly timer: Format<Timer>;
} = {
  message: { schema: messageSchema, upgrades: [] },
  hint: { schema: hintSchema, upgrades: [] },
  timer: { schema: timerSchema, upgrades: [] },
};
