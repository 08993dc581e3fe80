import { metrics } from '../shared/metrics.ts';
import { readEnv } from '../shared/read-env.ts';
import { SWEEP_ENV } from './env.ts';
import { observer } from './observe.ts';

readEnv(SWEEP_ENV, process.env);

export async function handler(): Promise<void> {
  observer.swept({ found: 0, woken: 0, latestMs: 0, isComplete: true });
  metrics.publishStoredMetrics();
}
