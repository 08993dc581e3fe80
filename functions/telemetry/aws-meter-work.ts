import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import type { MeteredLine } from './aws-meter-line.ts';

type Work = Pick<MeteredLine, 'cpu_ms' | 'event_loop_delay_ms' | 'gc_ms'>;

/** How hard the process works for an invocation. */
export interface WorkMeter {
  /** Call what it answers when the invocation ends. */
  begin(): () => Work;
  /** Up to now, for the line of the first invocation. */
  sinceStart(): Required<Pick<MeteredLine, 'init_ms' | 'init_cpu_ms'>>;
}

/** More samples would cost CPU that is then taken for ours. */
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
  // One for each invocation under way: whoever begins must not forget what another has seen.
  const idle = [delayMonitor()];
  return {
    begin() {
      const delay = idle.pop() ?? delayMonitor();
      delay.reset();
      const gcBefore = gcMs;
      const cpuMicroseconds = cpu.begin();
      return () => {
        const cpu_ms = Math.round(cpuMicroseconds()) / 1_000;
        // What Node measures holds the time between two samples.
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
 * Shares what a process uses among those who are under way in it: nobody can tell for whom it worked, and the shares of all add up to what it used.
 *
 * @param used all that the process has used so far
 */
export function sharedCpu(used: () => number) {
  let underWay = 0;
  /** What one would have got who was there from the beginning on. */
  let share = 0;
  let usedBefore = used();

  function reckon(): void {
    const usedNow = used();
    if (underWay > 0) {
      share += (usedNow - usedBefore) / underWay;
    }
    usedBefore = usedNow;
  }

  return {
    /** Call what it answers at the end, once: it tells the share since now. */
    begin(): () => number {
      reckon();
      underWay += 1;
      const shareBefore = share;
      return () => {
        reckon();
        underWay -= 1;
        return share - shareBefore;
      };
    },
  };
}
