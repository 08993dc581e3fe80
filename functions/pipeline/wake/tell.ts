import { eventsOfChange } from '../../core/operational-events/operational-events-of.ts';
import type { OperationalEvents } from '../../telemetry/operational-events.ts';
import type { WakePorts } from './ports.ts';

type WakeObserver = WakePorts['observer'];

/** An observer that also collects operational events, for one invocation. */
export function telling(observer: WakeObserver, { collect }: OperationalEvents): WakeObserver {
  return {
    ...observer,
    timerFired(subscription, before, after, signalled) {
      const { service_id, subscription_id } = subscription;
      collect(eventsOfChange({ service_id, subscription_id }, before, after, Date.now()));
      observer.timerFired(subscription, before, after, signalled);
    },
  };
}
