import * as z from 'zod/mini';
import { testNetworkSchema } from '../../functions/adapters/http/test-network.ts';
import { callbackUrlRulesSchema } from '../../functions/core/subscription/callback-url.ts';
import { STAGES } from '../../payhooks.config.ts';
import type { Stage } from './stage.ts';

/** What the test that deploys the stage `strict` passes to it. */
const strictNetworkSchema = z.extend(testNetworkSchema, {
  /**
   * Includes the ports of the test's receivers: they must not be unreachable merely because of their port.
   */
  allowedPorts: callbackUrlRulesSchema.shape.allowedPorts,
});
export type StrictNetwork = z.infer<typeof strictNetworkSchema>;

/**
 * The local stage with the address rules of AWS, to prove that they hold: no loopback, no plain http.
 * Receivers on the loopback would be reachable without these rules.
 */
function strictStage({ allowedPorts, ...testNetwork }: StrictNetwork): Stage {
  return {
    ...STAGES.local,
    name: 'strict',
    callbackUrls: { ...STAGES.prod.callbackUrls, allowedPorts },
    testNetwork,
  };
}

/** The local stage under another name, whose endpoints prove themselves, for the test that deploys both. */
export const SECOND: Stage = {
  ...STAGES.local,
  name: 'second',
  callbackUrls: { ...STAGES.local.callbackUrls, mustBeProven: true },
};

/** `prod` with what a stage may have besides. Only synthesized, so that cdk-nag and cfn-lint see it. */
export const OWN_KEYS: Stage = {
  ...STAGES.prod,
  name: 'own-keys',
  ownKeysEverywhere: true,
  pollers: { eventsPerSecond: 100, webhooksPerSecond: 100 },
  keyAdministrators: ['arn:aws:iam::111122223333:role/deployer'],
  notices: { sender: 'Payhooks <webhooks@example.com>' },
};

/**
 * The stage that only a test deploys or synthesizes, if it asked for one.
 *
 * @param network of the stage `strict`, as JSON
 */
export function testStage(name: unknown, network: unknown): Stage | undefined {
  if (typeof network === 'string') {
    return strictStage(strictNetworkSchema.parse(JSON.parse(network)));
  }
  return [SECOND, OWN_KEYS].find((stage) => stage.name === name);
}
