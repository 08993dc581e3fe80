import type { SQSClient } from '@aws-sdk/client-sqs';
import { orderingKey } from '../../core/message/message.ts';
import type { GapSignals } from '../../core/sequence/ports.ts';
import type { GapSignal } from '../../core/signal/gap-signal.ts';
import type { Signals } from '../../core/signal/ports.ts';
import type { Signal } from '../../core/signal/signal.ts';
import { freshSignals } from './fresh-signals.ts';

/** Sends signals to `deliveries.fifo`, each in the message group of its ordering key; see `freshSignals`. */
export function signalQueue(
  client: SQSClient,
  queueUrl: string,
  onInternalError: (error: unknown) => void,
): Signals['signal'] {
  return freshSignals<Signal>(client, queueUrl, orderingKey, onInternalError);
}

/** Sends gap signals to `events.fifo`, each in the group of its payment's events; see `freshSignals`. */
export function gapSignalQueue(
  client: SQSClient,
  eventsQueueUrl: string,
  onInternalError: (error: unknown) => void,
): GapSignals['signalGaps'] {
  return freshSignals<GapSignal>(client, eventsQueueUrl, ({ group }) => group, onInternalError);
}
