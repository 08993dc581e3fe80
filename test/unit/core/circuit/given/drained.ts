import { type AnswerKind, type Answers, NO_ANSWERS } from '../../../../../functions/core/attempt/answers.ts';
import { DELIVERY_POLICY } from '../../../../../functions/core/attempt/delivery-policy.ts';
import type { Circuit, CircuitState } from '../../../../../functions/core/circuit/circuit.ts';
import { nextCircuit } from '../../../../../functions/core/circuit/transitions.ts';
import { at, probing } from './circuits.ts';

const policy = DELIVERY_POLICY.circuit;
/** From a timer to the start of the attempts that it signals. */
const WAY_MS = 50;

/** How much of an endless backlog a timer sees: twice the widest window. */
const SEEN = 200;

/** The endpoint's answer to an attempt, by its number from 1 and its start in ms after ten. */
export type Endpoint = (
  attempt: number,
  atMs: number,
) => { readonly takesMs: number; readonly kind: AnswerKind };

interface Scenario {
  readonly timeoutMs?: number;
  readonly seconds: number;
  /** How many payments wait at ten o'clock; `perSecond` more arrive. @default - an endless backlog */
  readonly waiting?: number;
  readonly perSecond?: number;
  readonly from?: Circuit;
}

/** One second: the window that its timer set, and the maximum under way. */
interface Second {
  readonly state: CircuitState;
  readonly window: number;
  readonly underWay: number;
}

interface Payment {
  readonly key: string;
  readonly backloggedAtMs: number;
  isInHand: boolean;
}

interface End {
  readonly payment: Payment;
  readonly kind: AnswerKind;
  readonly startsMs: number;
  readonly atMs: number;
}

/** A drain just started by a probe. */
function begun(): Circuit {
  return nextCircuit(
    probing({ cool_down_ms: policy.firstCoolDownMs }),
    { kind: 'succeeded', key: 'a', isProbe: true },
    { nowMs: at(0), policy },
  );
}

/**
 * Drains a backlog of payments with one message each, in a loop of timers, signals and answers as in wake and
 * deliver. A timer signals the ordering keys within its window and rate that are not in hand. What succeeds
 * leaves the backlog; what fails leaves it too, as if for its retry delay. While the circuit is open, probes
 * get one attempt each.
 */
export function drained(endpoint: Endpoint, scenario: Scenario) {
  const {
    timeoutMs = 10_000,
    seconds,
    waiting = Number.POSITIVE_INFINITY,
    perSecond = 0,
    from = begun(),
  } = scenario;
  let circuit = from;
  let counted: Answers = NO_ANSWERS;
  let attempts = 0;
  let came = 0;
  let backlog: Payment[] = [];
  let ends: End[] = [];
  const history: Second[] = [];
  const answered = { succeeded: 0, refused: 0, overloaded: 0, unwell: 0 };

  const come = (count: number, nowMs: number) => {
    for (let index = 0; index < count; index += 1) {
      came += 1;
      backlog.push({
        key: `k${String(came).padStart(8, '0')}`,
        backloggedAtMs: at(0) + nowMs,
        isInHand: false,
      });
    }
  };
  const start = (payment: Payment, nowMs: number) => {
    attempts += 1;
    payment.isInHand = true;
    const startsMs = nowMs + WAY_MS;
    const { takesMs, kind } = endpoint(attempts, startsMs);
    const isLate = takesMs > timeoutMs;
    const atMs = startsMs + Math.min(takesMs, timeoutMs);
    ends.push({ payment, kind: isLate ? 'unwell' : kind, startsMs, atMs });
  };
  /** Ends the attempts that are over by then. */
  const passTo = (nowMs: number) => {
    for (const { payment, kind, atMs } of ends.filter((end) => end.atMs <= nowMs)) {
      const isProbe = circuit.state === 'half_open' && circuit.probes.includes(payment.key);
      answered[kind] += 1;
      if (isProbe) {
        const input = { key: payment.key, isProbe } as const;
        circuit = nextCircuit(
          circuit,
          kind === 'succeeded'
            ? { kind, ...input }
            : { kind: 'failed', answer: kind, isNews: true, ...input },
          { nowMs: at(0) + atMs, policy },
        );
      } else {
        counted = { ...counted, [kind]: counted[kind] + 1 };
      }
      payment.isInHand = false;
      if (!isProbe || kind === 'succeeded') {
        backlog = backlog.filter((one) => one !== payment);
      }
    }
    ends = ends.filter((end) => end.atMs > nowMs);
  };

  come(waiting === Number.POSITIVE_INFINITY ? SEEN : waiting, -60_000);
  for (let second = 0; second < seconds; second += 1) {
    const nowMs = second * 1_000;
    passTo(nowMs);
    if (waiting === Number.POSITIVE_INFINITY) {
      come(SEEN - backlog.length, -60_000);
    } else {
      come(perSecond, nowMs);
    }
    const before = circuit;
    if (circuit.timer_at !== undefined && Date.parse(circuit.timer_at) <= at(0) + nowMs) {
      const isDrain = before.state === 'draining';
      const max = isDrain ? before.window : policy.widestWindow;
      const slow = ends.filter(({ startsMs }) => nowMs - startsMs >= policy.slowMs).length;
      const keys = backlog.slice(0, max + 1);
      const seen = isDrain ? { drains: 1, answers: counted, slow: { own: slow, all: slow } } : {};
      circuit = nextCircuit(
        circuit,
        { kind: 'timer_fired', backlog: { keys }, sample: backlog.map(({ key }) => key), timeoutMs, ...seen },
        { nowMs: at(0) + nowMs, policy },
      );
      const isWaiting = circuit.state === 'draining' && circuit.waits_for_room === true;
      if (isDrain && circuit.state === 'draining' && !isWaiting) {
        const free = keys.slice(0, max).filter(({ isInHand }) => !isInHand);
        for (const payment of free.slice(0, circuit.rate)) {
          start(payment, nowMs);
        }
      }
      if (circuit.state === 'half_open') {
        const { probes } = circuit;
        for (const payment of backlog.filter(({ key, isInHand }) => probes.includes(key) && !isInHand)) {
          start(payment, nowMs);
        }
      }
    }
    const window = circuit.state === 'draining' ? circuit.window : 0;
    history.push({ state: circuit.state, window, underWay: ends.length });
  }
  return { history, circuit, answered, backlog };
}
