import type { StrictNetwork } from '../lib/app/test-stages.ts';
import { type LocalApp, synthesize } from './deploy.ts';
import { outputsOf } from './outputs.ts';

interface OurApp {
  /** Deploys the archive, too. @default false */
  readonly archive?: boolean;
  /** Limits the workers of deliver. @default - the stage's limit */
  readonly workers?: number | undefined;
  /** Deploys the stage `strict` with this network. @default - the stage `local` with the real network */
  readonly testNetwork?: StrictNetwork;
}

/** The app of the repository: bin/payhooks.ts. */
export function ourApp(options: OurApp): LocalApp {
  return {
    synthesize: (deployment) => synthesize({ ...deployment, ...options }),
    outputs: async (_, given, stacks) =>
      outputsOf(stacks, given, options.testNetwork === undefined ? 'local' : 'strict'),
  };
}
