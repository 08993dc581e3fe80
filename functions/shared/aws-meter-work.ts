import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import type { MeteredLine } from './aws-meter-line.ts';

/** How hard the process works, between `begin` and `end`. */
export interface WorkMeter {
  begin(): void;
  end(): Pick<MeteredLine, 'cpu_ms' | 'event_loop_delay_ms' | 'gc_ms'>;
  /** Up to now, for the line of the first invocation. */
  sinceStart(): Required<Pick<MeteredLine, 'init_ms' | 'init_cpu_ms'>>;
}

/** More samples would cost CPU that is then taken for ours. */
const SAMPLED_EACH_MS = 20;

export function processWork(): WorkMeter {
  const delay = monitorEventLoopDelay({ resolution: SAMPLED_EACH_MS });
  let gcMs = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) gcMs += duration;
  }).observe({ entryTypes: ['gc'] });
  delay.enable();
  let before = process.cpuUsage();
  let gcBefore = 0;
  return {
    begin() {
      delay.reset();
      gcBefore = gcMs;
      before = process.cpuUsage();
    },
    end() {
      const { user, system } = process.cpuUsage(before);
      // What Node measures holds the time between two samples.
      const late = delay.count === 0 ? 0 : delay.percentile(99) / 1e6 - SAMPLED_EACH_MS;
      return {
        cpu_ms: (user + system) / 1_000,
        event_loop_delay_ms: Math.max(0, Math.round(late * 100) / 100),
        gc_ms: Math.round((gcMs - gcBefore) * 100) / 100,
      };
    },
    sinceStart() {
      const { user, system } = process.cpuUsage();
      return {
        init_ms: Math.round(performance.now() - performance.nodeTiming.bootstrapComplete),
        init_cpu_ms: Math.round((user + system) / 1_000),
      };
    },
  };
}
