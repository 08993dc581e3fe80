import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { metrics } from '../shared/metrics.ts';
import { readEnv } from '../shared/read-env.ts';
import { WAKE_ENV } from './env.ts';
import { observeUnreadable } from './observe.ts';
import { readTimers } from './read-timers.ts';

readEnv(WAKE_ENV, process.env);

export async function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  try {
    const { unreadable } = readTimers(event.Records);
    unreadable.forEach(observeUnreadable);
    return { batchItemFailures: [] };
  } finally {
    metrics.publishStoredMetrics();
  }
}
