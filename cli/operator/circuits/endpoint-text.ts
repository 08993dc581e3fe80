import { CLOSED } from '../../../functions/core/circuit/circuit.ts';
import { circuitText } from '../../../functions/core/subscription/circuit-text.ts';
import type { Endpoint, Refused } from '../../../functions/core/trouble/endpoints.ts';
import type { Figures } from '../../../functions/core/trouble/health.ts';
import type { LastAttempt } from '../../../functions/core/trouble/last-attempt.ts';
import { MAX_COUNTED } from '../../../functions/core/trouble/max-counted.ts';
import { cutTo, readableTime } from '../../terminal/terminal.ts';

/** Leaves room for another window on most screens. */
const WIDTH = 120;

/** An endpoint in a few lines: its health and since when, whose it is, why, and what waits. */
export function endpointLines(endpoint: Endpoint, nowMs: number): string[] {
  const { subscription, health, figures, lastError, waiting, refused } = endpoint;
  const { subscription_id, service_id, callback_url, description, circuit = CLOSED, state } = subscription;
  const { in_trouble_since, failing_since, since } = circuit;
  const trouble = circuit.state === 'closed' ? undefined : (in_trouble_since ?? failing_since ?? since);
  const stateText = refused !== undefined && health === 'well' ? 'well, but refuses some payments' : health;
  const rows: Row[] = [
    ['state', `${stateText}${trouble === undefined ? '' : `, in trouble ${sinceText(trouble, nowMs)}`}`],
    ['circuit', circuitText({ state, circuit })],
    [
      '',
      failing_since === undefined || health !== 'failing'
        ? undefined
        : `only failures ${sinceText(failing_since, nowMs)}`,
    ],
    ['sends to', callback_url],
    ['description', description || undefined],
    [
      'last error',
      lastError && `${readableTime(Date.parse(lastError.last_attempt_at))}: ${errorText(lastError)}`,
    ],
    ['attempts', figures === undefined ? 'none yet' : figuresText(figures)],
    [
      'waiting',
      `${waiting === MAX_COUNTED ? '1,000 or more' : waiting} ${waiting === 1 ? 'message' : 'messages'}`,
    ],
    ...(refused === undefined ? [] : refusedRows(refused, nowMs)),
  ];
  return [
    cutTo(WIDTH, `${subscription_id} of ${service_id}`),
    ...rows.flatMap(([name, text]) =>
      text === undefined ? [] : cutTo(WIDTH, `  ${name.padEnd(11)}  ${text}`),
    ),
  ];
}

/** Without a text there is no such row. */
type Row = [name: string, text: string | undefined];

function figuresText({ attempts, failed, since, p95_ms }: Figures): string {
  const share = Math.round((100 * failed) / attempts);
  const p95 = p95_ms === undefined ? '' : `; p95 ${p95_ms.toLocaleString('en')} ms`;
  return `${failed} of the last ${attempts} failed (${share} %), since ${readableTime(Date.parse(since))}${p95}`;
}

function refusedRows({ payments, longest }: Refused, nowMs: number): Row[] {
  const { payment_id, message_id, attempt_count, waits_since, next_attempt_at } = longest;
  const count = payments === 1 ? '1 payment is' : `up to ${payments} payments are`;
  return [
    [
      'refused',
      `${count} refused again and again; ${payment_id} ${sinceText(waits_since, nowMs)}, ${attempt_count} attempts`,
    ],
    ['', errorText(longest)],
    ['', `${message_id}${next_attempt_at === undefined ? '' : `, next attempt at ${next_attempt_at}`}`],
  ];
}

/** Class, status and reason, as far as they are known; the reason often names the status itself. */
function errorText({ last_failure_class, last_status_code, failure_reason }: LastAttempt): string {
  const name = [last_failure_class, last_status_code].filter((part) => part !== undefined).join(' ');
  return failure_reason === undefined ? name : `${name}, "${failure_reason}"`;
}

/** `since 2026-11-14 09:59:00 UTC (2 h 3 min)` */
function sinceText(since: string, nowMs: number): string {
  const minutes = Math.max(0, Math.floor((nowMs - Date.parse(since)) / 60_000));
  const [hours, days] = [Math.floor(minutes / 60), Math.floor(minutes / 1_440)];
  const span =
    days > 0 ? `${days} d ${hours % 24} h` : hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
  return `since ${readableTime(Date.parse(since))} (${span})`;
}
