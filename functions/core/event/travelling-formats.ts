import { type Message, messageSchema } from '../message/message.ts';
import { type Signal, signalSchema } from '../ordering/signal.ts';
import type { Format } from './format-version.ts';

// What travels through `deliveries.fifo`, in every version that has ever been written.
export const MESSAGE_FORMAT: Format<Message> = { schema: messageSchema, upgrades: [] };
export const SIGNAL_FORMAT: Format<Signal> = { schema: signalSchema, upgrades: [] };
