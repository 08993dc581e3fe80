import type { LocalOutputs } from '../cli/stage/local-outputs.ts';
import type { Deployment, StackOutputs } from './deploy.ts';

/** What is known before the app is deployed. */
export type GivenOutputs = Pick<LocalOutputs, 'endpoint' | 'serviceId' | 'slowStoreUrl'>;

/** A CDK app that the local stack can deploy. */
export interface LocalApp {
  /**
   * Builds its functions and templates. Returns their directory.
   *
   * @param answering the emulator's URL, once it answers
   * @throws ExplainedError if the user must fix something first
   */
  synthesize(deployment: Deployment, answering: Promise<string>): Promise<string>;
  /** What tools need to know of it once it is deployed. */
  outputs(
    deployment: Deployment,
    given: GivenOutputs,
    stacks: StackOutputs,
  ): Promise<Omit<LocalOutputs, 'token'>>;
}
