import { GetStagesCommand } from '@aws-sdk/client-apigatewayv2';
import { type Check, judged } from '../check.ts';
import { revertDrift } from '../revert-drift.ts';

/** Requests a second, and at once. */
export const THROTTLE = { rate: 200, burst: 400 } as const;

export const throttle: Check = {
  name: 'throttle',
  partOf: [32],
  notEmulated: 'it does not throttle',
  async run(stage) {
    const ApiId = stage.output('api', 'HttpApiId');
    const { Items: stages = [] } = await stage.clients.httpApi.send(new GetStagesCommand({ ApiId }));
    const { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst } = stages[0]?.DefaultRouteSettings ?? {};
    const isAsWanted = rate === THROTTLE.rate && burst === THROTTLE.burst;
    return judged(
      isAsWanted ? [] : [`${rate} requests a second and ${burst} at once`],
      `${rate} requests a second and ${burst} at once`,
      `It should be ${THROTTLE.rate} and ${THROTTLE.burst}: ${revertDrift(stage, 'api')}`,
    );
  },
};
