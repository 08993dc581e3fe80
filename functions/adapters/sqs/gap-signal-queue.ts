import type { SQSClient } from '@aws-sdk/client-sqs';
import type { GapSignals } from '../../core/sequence/ports.ts';
import type { GapSignal } from '../../core/signal/gap-signal.ts';
import { freshSignals } from './fresh-signals.ts';

/** Sends gap signals to `events.fifo`, each in the group of its payment's events; see `freshSignals`. */
export function gapSignalQueue(
  client: SQSClient,
  eventsQueueUrl: string,
  onInternalError: (error: unknown) => void,
): GapSignals['signalGaps'] {
  return freshSignals<GapSignal>(client, eventsQueueUrl, ({ group }) => group, onInternalError);
}
