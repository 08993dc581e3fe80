import { cpus } from 'node:os';
import { httpSignature } from '../../functions/core/attempt/http-signature.ts';
import { signedHeaders } from '../../functions/core/attempt/signature.ts';
import { newStageKey } from '../../functions/core/attempt/stage-keys.ts';
import { signingKeys } from '../../test/support/builders.ts';
import { cpuOf, medianOf } from './profile-schemas.ts';

const URL = 'https://shop.example/webhooks?till=1';

/** What it costs `deliver` to sign a webhook of 1 KB in each way. */
export function profileSignatures(seconds: number): string {
  const { listed, kept } = newStageKey(Buffer.alloc(32, 1), '2026-11-14T10:00:00.000Z');
  const key = { kid: listed.kid, private_key: kept.private_key };
  const body = 'x'.repeat(1_024);
  const createdSeconds = 1_614_265_330;
  const signable = {
    messageId: 'msg_1',
    timestampSeconds: createdSeconds,
    body,
    keys: [signingKeys()],
    attempt: 1,
  };
  const headers = signedHeaders(signable);
  const rounds = { v1: [] as number[], v1a: [] as number[], rfc9421: [] as number[] };
  const endsAtMs = Date.now() + seconds * 1_000;
  do {
    rounds.v1.push(cpuOf(() => signedHeaders(signable)));
    rounds.v1a.push(cpuOf(() => signedHeaders({ ...signable, extraSignatures: ['v1a'] })));
    rounds.rfc9421.push(cpuOf(() => httpSignature({ url: URL, headers, body, createdSeconds, key })));
  } while (Date.now() < endsAtMs);
  const line = (what: string, values: readonly number[]) =>
    `  ${what.padEnd(28)}${medianOf(values).toFixed(1).padStart(6)} µs`;
  return `CPU for a webhook of 1 KB, median of ${rounds.v1.length} rounds on ${cpus()[0]?.model.trim()}:
${line('v1', rounds.v1)}
${line('v1 and v1a', rounds.v1a)}
${line('rfc9421, beside v1', rounds.rfc9421)}
`;
}
