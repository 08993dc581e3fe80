import type { EventTypeSummary } from '../../functions/core/catalogue/event-type-view.ts';
import { type Live, useLive } from './live.ts';

export interface EventTypes extends Pick<Live<unknown>, 'failure'> {
  /** Empty until they are read. */
  readonly types: readonly EventTypeSummary[];
}

/** What can be subscribed to. It changes with deployments only. */
export function useEventTypes(): EventTypes {
  const { data, failure } = useLive<{ event_types: readonly EventTypeSummary[] }>('/event-types');
  return { types: data?.event_types ?? [], failure };
}

/** The names of event types, and one that is chosen, though it may be no type any more. */
export function namesWith({ types }: EventTypes, chosen: string): readonly string[] {
  const names = types.map(({ event_type }) => event_type);
  return chosen === '' || names.includes(chosen) ? names : [...names, chosen];
}
