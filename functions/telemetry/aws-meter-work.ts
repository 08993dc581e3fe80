import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import type { MeteredLine } from './aws-meter-line.ts';

type Work = Pick<MeteredLine, 'cpu_ms' | 'event_loop_delay_ms' | 'gc_ms'>;

/** Measures the work of the process for an invocation. */
export interface WorkMeter {
  /** Returns a function to call when the invocation ends. */
  begin(): () => Work;
  /** The work since the start of the process, for the log entry of the first invocation. */
  sinceStart(): Required<Pick<MeteredLine, 'init_ms' | 'init_cpu_ms'>>;
}

/** Sampling more often would use CPU that is then counted as the function's. */
const SAMPLED_EACH_MS = 20;

export function processWork(): WorkMeter {
  const cpu = sharedCpu(() => {
    const { user, system } = process.cpuUsage();
    return user + system;
  });
  let gcMs = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) gcMs += duration;
  }).observe({ entryTypes: ['gc'] });
  // One per concurrent invocation, because a new invocation resets its monitor.
  const idle = [delayMonitor()];
  return {
    begin() {
      const delay = idle.pop() ?? delayMonitor();
      delay.reset();
      const gcBefore = gcMs;
      const cpuMicroseconds = cpu.begin();
      return () => {
        const cpu_ms = Math.round(cpuMicroseconds()) / 1_000;
        // Node's delays include the interval between two samples.
        const late = delay.count === 0 ? 0 : delay.percentile(99) / 1e6 - SAMPLED_EACH_MS;
        idle.push(delay);
        return {
          cpu_ms,
          event_loop_delay_ms: Math.max(0, Math.round(late * 100) / 100),
          gc_ms: Math.round((gcMs - gcBefore) * 100) / 100,
        };
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

function delayMonitor() {
  const delay = monitorEventLoopDelay({ resolution: SAMPLED_EACH_MS });
  delay.enable();
  return delay;
}

/**
 * Divides the CPU of a process equally among its concurrent invocations, since there is no way to tell for
 * which one it worked. The shares add up to the total.
 *
 * @param used what the process has used so far
 */
export function sharedCpu(used: () => number) {
  let underWay = 0;
  /** The share of an invocation that runs from the beginning. */
  let share = 0;
  let usedBefore = used();

  function advance(): void {
    const usedNow = used();
    if (underWay > 0) {
      share += (usedNow - usedBefore) / underWay;
    }
    usedBefore = usedNow;
  }

  return {
    /** Returns a function to call once at the end; it returns the share since now. */
    begin(): () => number {
      advance();
      underWay += 1;
      const shareBefore = share;
      return () => {
        advance();
        underWay -= 1;
        return share - shareBefore;
      };
    },
  };
}
