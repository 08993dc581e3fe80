import type { Format } from '../event/format-version.ts';
import { type Signal, signalSchema } from '../signal/signal.ts';
import { type Message, messageSchema } from './message.ts';

// What travels through `deliveries.fifo`, in every version that has ever been written.
export const MESSAGE_FORMAT: Format<Message> = { schema: messageSchema, upgrades: [] };
export const SIGNAL_FORMAT: Format<Signal> = { schema: signalSchema, upgrades: [] };
