import { isPing } from '../../core/catalogue/ping-names.ts';
import type { MessageRecord } from '../../core/message/history.ts';
import { eventsOfChange, eventsOfRecord } from '../../core/operational-events/operational-events-of.ts';
import type { OperationalEvents } from '../../telemetry/operational-events.ts';
import type { DeliverObserver } from './ports.ts';

/** An observer that also collects operational events, for one invocation. */
export function telling(observer: DeliverObserver, { collect }: OperationalEvents): DeliverObserver {
  const tell = (record: MessageRecord) => {
    if (!isPing(record)) {
      collect(eventsOfRecord(record, Date.now()));
    }
  };
  return {
    ...observer,
    tried(tried) {
      observer.tried(tried);
      tell(tried.record);
    },
    concluded(record) {
      observer.concluded(record);
      tell(record);
    },
    endpointHealthChanged(subscription, before, after) {
      const { service_id, subscription_id } = subscription;
      collect(eventsOfChange({ service_id, subscription_id }, before, after, Date.now()));
      observer.endpointHealthChanged(subscription, before, after);
    },
  };
}
