import { type Message, messageSchema } from '../message/message.ts';
import { type Signal, signalSchema, type Timer, timerSchema } from '../ordering/signal.ts';
import { type GapSignal, gapSignalSchema } from '../sequence/gap-signal.ts';
import type { Format } from './format-version.ts';

/** What travels through queues, in every version that has ever been written. */
export const TRAVELLING: {
  readonly message: Format<Message>;
  readonly signal: Format<Signal>;
  readonly timer: Format<Timer>;
  readonly gap: Format<GapSignal>;
} = {
  message: { schema: messageSchema, upgrades: [] },
  signal: { schema: signalSchema, upgrades: [] },
  timer: { schema: timerSchema, upgrades: [] },
  gap: { schema: gapSignalSchema, upgrades: [] },
};
