import { GetApisCommand, GetStagesCommand } from '@aws-sdk/client-apigatewayv2';
import { type Check, failed, judged } from '../check.ts';
import { revertDrift } from '../revert-drift.ts';

/** Requests a second, and at once. */
export const THROTTLE = { rate: 200, burst: 400 } as const;

export const throttle: Check = {
  name: 'throttle',
  partOf: [32],
  notEmulated: 'it does not throttle',
  async run({ clients, settings: { name } }) {
    const { Items: apis = [] } = await clients.httpApi.send(new GetApisCommand({ MaxResults: '500' }));
    const api = apis.find(({ Name }) => Name === `payhooks-${name}`);
    if (api === undefined) {
      return failed(`there is no HTTP API payhooks-${name}`, `Put it back: ${revertDrift(name, 'api')}`);
    }
    const { Items: stages = [] } = await clients.httpApi.send(new GetStagesCommand({ ApiId: api.ApiId }));
    const { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst } = stages[0]?.DefaultRouteSettings ?? {};
    const isAsWanted = rate === THROTTLE.rate && burst === THROTTLE.burst;
    return judged(
      isAsWanted ? [] : [`${rate} requests a second and ${burst} at once`],
      `${rate} requests a second and ${burst} at once`,
      `It should be ${THROTTLE.rate} and ${THROTTLE.burst}: ${revertDrift(name, 'api')}`,
    );
  },
};
