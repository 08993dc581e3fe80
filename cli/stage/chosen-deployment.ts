import { stageDeployment } from '../../lib/recorded-deployment.ts';
import { STAGES } from '../../payhooks.config.ts';
import { ExplainedError } from '../terminal/explanation.ts';

/** The deployment that somebody means, as they named it. */
export class ChosenDeployment {
  /** `stage`: of our own app. `stack`: a deployment by its name, or by that of a stack which holds one. */
  readonly by: 'stage' | 'stack';
  readonly name: string;

  constructor(by: 'stage' | 'stack', name: string) {
    this.by = by;
    this.name = name;
  }

  /** Chooses it for another command. */
  get option(): string {
    return `--${this.by} ${this.name}`;
  }

  /** The name that its record has. */
  get deployment(): string {
    return this.by === 'stage' ? stageDeployment(this.name) : this.name;
  }

  get isLocal(): boolean {
    return this.by === 'stage' && this.name === 'local';
  }

  toString(): string {
    return this.name;
  }

  toJSON(): string {
    return this.name;
  }
}

/** The local stack, which commands are about when nobody says otherwise. */
export const LOCAL = new ChosenDeployment('stage', 'local');

/**
 * What was typed goes before PAYHOOKS_STACK, and that before the local stack.
 *
 * @throws ExplainedError when both were typed
 */
export function chosenDeployment(
  { stage, stack }: { readonly stage?: string | undefined; readonly stack?: string | undefined },
  env: NodeJS.ProcessEnv,
): ChosenDeployment {
  if (stage !== undefined && stack !== undefined) {
    throw new ExplainedError(
      `--stage ${stage} and --stack ${stack} name two deployments: give one. --stage NAME is short for --stack ${stageDeployment('NAME')}.`,
    );
  }
  if (stage !== undefined) {
    return new ChosenDeployment('stage', stage);
  }
  const named = stack ?? env.PAYHOOKS_STACK;
  return named === undefined || named === '' ? LOCAL : new ChosenDeployment('stack', named);
}

/** Where AWS clients find it: in the region that the stage names, else in that of the user's credentials. */
export function inRegionOf({ by, name }: Pick<ChosenDeployment, 'by' | 'name'>): {
  readonly region?: string;
} {
  const stage = by === 'stage' ? Object.values(STAGES).find((known) => known.name === name) : undefined;
  return stage?.env === undefined ? {} : { region: stage.env.region };
}
