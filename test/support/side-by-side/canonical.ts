/** Measurements, positions in a bundle, and what is drawn at random: they differ each time. */
const MEASURED =
  /^(timestamp|duration_ms|took_ms|at_ms|cpu_ms|gc_ms|event_loop_delay_ms|init_ms|init_cpu_ms|invocation|AttemptDuration|stack|location|:name)$/;
const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g;

/** A canonical text: without measurements, and with every list sorted. */
export function canonical(value: unknown): string {
  return JSON.stringify(sorted(value)).replaceAll(UUID, '<uuid>');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(sorted).toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
  }
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([name]) => !/^init_/.test(name))
          .toSorted(([one], [other]) => (one < other ? -1 : 1))
          .map(([name, of]) => [name, MEASURED.test(name) ? sizeOf(of) : sorted(of)]),
      )
    : value;
}

/** How often something was measured is not a measurement itself. */
function sizeOf(value: unknown): unknown {
  return Array.isArray(value) ? value.length : '<measured>';
}
