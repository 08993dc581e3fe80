import fc from 'fast-check';
import { MAX_BODY_BYTES, receivedAnswer } from '../../../../functions/adapters/http/received-answer.ts';
import { ANSWER_KINDS, answerOf, reasonToDisable } from '../../../../functions/core/attempt/answers.ts';
import { DELIVERY_POLICY } from '../../../../functions/core/attempt/delivery-policy.ts';
import { decide } from '../../../../functions/core/message/decision.ts';
import { TEN_O_CLOCK_MS } from '../../../support/builders.ts';
import { FUZZED_INPUTS, FUZZING_MS, oneIn } from '../../../support/fuzzed-inputs.ts';

const retryAfter = fc.oneof(
  fc.nat(999_999_999).map(String),
  fc.constantFrom('-1', '1e9', '0x7f', '9'.repeat(400), ' 5 ', '', 'Infinity', 'soon'),
  fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
  fc.constantFrom('Fri, 31 Dec 275760 00:00:00 GMT', 'x GMT', 'GMT'),
  fc.string({ unit: 'binary' }),
);
const headers = fc.record({
  'retry-after': oneIn(2, fc.oneof(retryAfter, fc.array(retryAfter, { minLength: 1, maxLength: 3 }))),
  'webhook-delivery': oneIn(4, fc.constantFrom('disable', ' DISABLE ', 'abort-message', 'disabled', '')),
  'set-cookie': oneIn(4, fc.string()),
});
/** It takes bytes, and is not in the text: so the text shows how many bytes were kept. */
const BYTE_ORDER_MARK = '\ufeff';
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('é', '日本', '\u{1f4b3}', BYTE_ORDER_MARK),
);
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 40 }).map((all) => Buffer.from(all)),
  fc.tuple(text, fc.constantFrom(1, 1, 1, 900, 2_100)).map(([of, times]) => Buffer.from(of.repeat(times))),
);
const status = fc.oneof(
  fc.integer({ min: 200, max: 599 }),
  fc.constantFrom(200, 204, 408, 410, 425, 429, 503, 999),
);
const LONGEST_CHARACTER_BYTES = 4;
const broken = { failure_class: 'timeout', failure_reason: 'no complete answer within 1000 ms' } as const;

test(
  'whatever an endpoint answers, what is kept is bounded text, and the decision is one that can be carried out',
  () => {
    fc.assert(
      fc.property(
        status,
        headers,
        fc.array(bytes, { maxLength: 5 }),
        fc.boolean(),
        (code, sent, chunks, isBroken) => {
          const answer = receivedAnswer();
          answer.begin(code, sent);
          const whole = Buffer.concat(chunks);
          const isEnough = !chunks.every((chunk) => {
            const lent = Buffer.from(chunk);
            const isMoreWanted = answer.take(lent);
            // As does whoever receives the next chunk into the same memory.
            lent.fill('?');
            return isMoreWanted;
          });
          const result = { ...answer.outcome(isBroken ? broken : undefined), duration_ms: 1 };

          const { response_body = '', response_headers = {}, failure_class } = result;
          expect(Buffer.byteLength(response_body)).toBeLessThanOrEqual(MAX_BODY_BYTES);
          expect(isEnough).toBe(whole.length >= MAX_BODY_BYTES);
          const start = new TextDecoder().decode(whole.subarray(0, MAX_BODY_BYTES), { stream: isEnough });
          expect(start.startsWith(response_body)).toBe(true);
          // All that fits, but for a character that is cut in two.
          expect(Buffer.byteLength(response_body)).toBeGreaterThan(
            Math.min(Buffer.byteLength(start), MAX_BODY_BYTES) - LONGEST_CHARACTER_BYTES,
          );
          expect(response_body.isWellFormed()).toBe(true);
          expect(response_headers['retry-after']).toBe([sent['retry-after']].flat()[0]);
          expect(
            Object.keys(response_headers).filter(
              (name) => !['retry-after', 'webhook-delivery'].includes(name),
            ),
          ).toEqual([]);
          const isSuccess = code < 300;
          expect(failure_class).toBe(isSuccess ? (isBroken ? 'timeout' : undefined) : 'http_status');

          expect(ANSWER_KINDS).toContain(answerOf(result));
          expect(answerOf(result) === 'succeeded').toBe(isSuccess && !isBroken);
          const isDisabled = reasonToDisable(result) !== undefined;
          expect(isDisabled).toBe(code === 410 || /^\s*disable\s*$/i.test(String(sent['webhook-delivery'])));
          const decision = decide(
            result,
            {
              isDisabled: false,
              isProbe: false,
              isPaced: false,
              attempt: 1,
              failedAttempts: 0,
              sinceMs: TEN_O_CLOCK_MS,
              schedule: [5_000],
              draw: 0.5,
              nowMs: TEN_O_CLOCK_MS,
            },
            DELIVERY_POLICY,
          );
          if (decision.state === 'retrying') {
            const delayMs = decision.nextAttemptAtMs - TEN_O_CLOCK_MS;
            expect(Number.isInteger(delayMs) && delayMs >= 5_000 && delayMs <= 10_000).toBe(true);
          }
          expect(decision.state === 'succeeded').toBe(isSuccess && !isBroken);
        },
      ),
      { numRuns: FUZZED_INPUTS },
    );
  },
  FUZZING_MS,
);
