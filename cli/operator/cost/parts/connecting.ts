import { KEPT_MS } from '../../../../functions/adapters/http/keep-alive.ts';
import type { Ground } from '../ground.ts';
import { MONTH_SECONDS, messagesPerMonth, type Traffic } from '../traffic.ts';
import type { Usage } from '../usage.ts';
import { attempting } from './attempting.ts';

/** A resumed TLS 1.3 handshake, by `npm run load -- connections`. Bytes without headers of IP and TCP. */
const HANDSHAKE = { seconds: 0.0024, bytesOut: 1_985, bytesIn: 1_368 };

/**
 * Handshakes with partners, which do not say how long they keep an idle connection. Each environment of
 * deliver has connections of its own, and meets each busy partner at random instants. The two round trips
 * that one takes depend on the partner, as `partnerMs` does.
 */
export function connecting(traffic: Traffic, ground: Ground): Usage {
  const messages = messagesPerMonth(traffic);
  const memoryGb = ground.functions.get('deliver')?.memoryGb ?? 0;
  const { lambdaGbSecond = 0 } = attempting(messages, traffic, ground);
  const environments = Math.max(1, lambdaGbSecond / memoryGb / MONTH_SECONDS);
  const meetingsASecond = messages / MONTH_SECONDS / (traffic.partners * environments);
  const handshakes = messages * Math.exp((-meetingsASecond * KEPT_MS.untold) / 1_000);
  return {
    lambdaGbSecond: handshakes * HANDSHAKE.seconds * memoryGb,
    sentGigabyte: (handshakes * HANDSHAKE.bytesOut) / 1e9,
    ...(ground.hasNat ? { natGigabyte: (handshakes * (HANDSHAKE.bytesOut + HANDSHAKE.bytesIn)) / 1e9 } : {}),
  };
}
