import type { EventType } from '../../../core/catalogue/event-type.ts';

/** The event types that examples tell of. */
const CAPTURED = 'card_payment_captured';
const REFUNDED = 'card_payment_refunded';
const STARTED = 'card_payment_started';
const PATTERN = 'card_payment_*';

/**
 * Examples as a catalogue has them: readers send them as they are, so its types must take the place of those
 * that it lacks.
 */
export function toldWith(types: readonly EventType[]): <Example>(example: Example) => Example {
  const names = new Set(types.map(({ name }) => name));
  const [first, second = first] = types;
  if (
    first === undefined ||
    second === undefined ||
    [CAPTURED, REFUNDED, STARTED].every((one) => names.has(one))
  ) {
    return (example) => example;
  }
  return (example) =>
    example === undefined
      ? example
      : JSON.parse(
          JSON.stringify(example)
            .replaceAll(PATTERN, '*')
            .replaceAll(CAPTURED, first.name)
            .replaceAll(REFUNDED, second.name)
            .replaceAll(STARTED, second.name)
            // Also within a body, which is text.
            .replaceAll(/(resource_type\\*":\\*")payment/g, `$1${first.resource_type ?? 'payment'}`),
        );
}
