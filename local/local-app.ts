import type { LocalOutputs } from '../cli/stage/local-outputs.ts';
import type { Deployment, StackOutputs } from './deploy.ts';

/** A CDK app that the local stack can deploy. */
export interface LocalApp {
  /**
   * Builds its functions and templates. Returns their directory.
   *
   * @param endpoint of the emulator, once that answers
   * @throws ExplainedError if the user must fix something first
   */
  synthesize(deployment: Deployment, endpoint: Promise<string>): Promise<string>;
  /** What tools need to know of it once it is deployed. */
  outputs(
    stacks: StackOutputs,
    given: Pick<LocalOutputs, 'endpoint' | 'serviceId' | 'slowStoreUrl'>,
  ): Promise<Omit<LocalOutputs, 'token'>>;
  /** Whether its event catalogue has the types of warm-up and demo. */
  readonly takesSamplePayments: boolean;
}
