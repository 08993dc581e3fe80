import type { EventType } from '../../../core/catalogue/event-type.ts';

/** In examples: the first event type of the catalogue at hand, and what its resource is. */
export const EVENT_TYPE = 'an.event.type';
export const RESOURCE_TYPE = 'its.resource.type';

/** Examples as a catalogue has them: readers send them as they are. */
export function toldWith([first]: readonly EventType[]): <Example>(example: Example) => Example {
  return (example) =>
    example === undefined || first === undefined
      ? example
      : JSON.parse(
          JSON.stringify(example)
            .replaceAll(EVENT_TYPE, first.name)
            .replaceAll(RESOURCE_TYPE, first.resource_type ?? 'payment'),
        );
}
