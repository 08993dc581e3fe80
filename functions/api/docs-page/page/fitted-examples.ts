import { EXAMPLE_URL, EXAMPLES_AT } from '../../openapi/examples/things.ts';

const HOUR_MS = 3_600_000;
const INSTANT = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z/g;

/** Where the receiver in the guide listens. */
const LOCAL_URL = 'http://localhost:8080/webhooks';
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The OpenAPI document with examples that can be sent as they are: their times are recent, and on a local
 * stage, which may have no name servers, the callback URL is a receiver on the same machine.
 *
 * @param document as JSON
 * @param hostname of the stage, as in a URL
 */
export function fittedExamples(document: string, hostname: string, nowMs: number): string {
  // Whole hours: the statistics are by the hour.
  const shiftMs = Math.floor((nowMs - Date.parse(EXAMPLES_AT)) / HOUR_MS) * HOUR_MS;
  const recent = document.replaceAll(INSTANT, (instant) => {
    const iso = new Date(Date.parse(instant) + shiftMs).toISOString();
    return instant.includes('.') ? iso : iso.replace('.000Z', 'Z');
  });
  return LOOPBACK.includes(hostname) ? recent.replaceAll(EXAMPLE_URL, LOCAL_URL) : recent;
}
