import { type Check, judged } from '../check.ts';

/** Looks like a token, but is nobody's. */
const NOBODYS = `phk_${'A'.repeat(43)}`;

/** Whether the API refuses a request without a token: a check of API Gateway, authorizer and api. */
export const refusals: Check = {
  name: 'refusals',
  async run({ output, signal = AbortSignal.timeout(30_000) }) {
    const url = `${output('api', 'ApiUrl').replace(/\/$/, '')}/v1/subscriptions`;
    const faults = await Promise.all(
      [undefined, `Bearer ${NOBODYS}`].map(async (authorization) => {
        const answer = await fetch(url, {
          headers: authorization === undefined ? {} : { authorization },
          signal: AbortSignal.any([signal, AbortSignal.timeout(30_000)]),
        });
        const type = answer.headers.get('content-type') ?? 'nothing';
        const isOurs =
          answer.status === 401 &&
          type.startsWith('application/problem+json') &&
          answer.headers.has('www-authenticate');
        const how = authorization === undefined ? 'without a token' : 'with an unknown token';
        return isOurs ? [] : [`${how}: ${answer.status} with ${type}`];
      }),
    );
    return judged(
      faults.flat(),
      'who has no token, or an unknown one, gets a 401 of ours',
      'Look at the logs of api and authorize; continue at docs/operations.md#api-internal-errors',
    );
  },
};
