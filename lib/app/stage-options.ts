import { Duration } from 'aws-cdk-lib';
import type { Stage } from './stage.ts';

/**
 * Applies `-c archive=true`: the local stage with an archive. By default it has none, because the emulator
 * ignores the batching window and invokes archive at once, which slows down whatever else is measured.
 *
 * @throws for any other stage: payhooks.config.ts says what people deploy
 */
export function archived(stage: Stage, value: unknown): Stage {
  if (value !== 'true') {
    return stage;
  }
  if (!stage.emulated) {
    throw new Error(
      `-c archive=true is for the local stage only, not for ${stage.name}: set archive: { retention } in payhooks.config.ts`,
    );
  }
  return { ...stage, archive: { retention: Duration.days(7) } };
}

/**
 * Applies `-c workers`: the local stage with another number of deliver workers, for load runs, or for
 * the memory that a process for each takes.
 *
 * @throws for any other stage, and for a number that SQS does not accept
 */
export function withWorkers(stage: Stage, value: unknown): Stage {
  if (value === undefined) {
    return stage;
  }
  const deliver = Number(value);
  if (!stage.emulated || !Number.isInteger(deliver) || deliver < 2 || deliver > 1_000) {
    throw new Error(
      `-c workers takes a whole number from 2 to 1000, for the local stage only. This is ${stage.name} with ${value}: set concurrency.deliver in payhooks.config.ts`,
    );
  }
  const { circuit, ...others } = stage.deliveryPolicy;
  return {
    ...stage,
    concurrency: { ...stage.concurrency, deliver },
    deliveryPolicy: { ...others, circuit: { ...circuit, slowOfAll: Math.ceil(deliver / 2) } },
  };
}

/**
 * Applies `-c rollout`: an urgent fix of prod cannot wait for a canary.
 *
 * @throws for an unknown rollout
 */
export function rolledOut(stage: Stage, rollout: unknown): Stage {
  if (rollout === undefined) {
    return stage;
  }
  if (rollout !== 'at once' && rollout !== 'canary') {
    throw new Error(
      `unknown rollout ${JSON.stringify(rollout)}: use -c rollout='at once' or -c rollout=canary, or omit it for the stage's own (payhooks.config.ts)`,
    );
  }
  return { ...stage, rollout };
}

/**
 * The stage in its account and region, by `payhooks.config.ts` or `-c account` and `-c region`: those of whatever
 * credentials are in the shell would make a second `prod`. Without credentials nothing can be deployed, so
 * templates may be synthesized for any.
 *
 * @param credentialsFor the account of the deployer's credentials
 * @throws when they are for another account, and when there are some but no account to compare with
 */
export function pinned(
  stage: Stage,
  { account, region }: { readonly account: unknown; readonly region: unknown },
  credentialsFor: string | undefined,
): Stage {
  if (stage.emulated) {
    return stage;
  }
  const env = pinOf(stage, account, region);
  if (credentialsFor === undefined) {
    return env === undefined ? stage : { ...stage, env };
  }
  if (env === undefined) {
    throw new Error(
      `${stage.name} has no account and region yet, and a wrong AWS_PROFILE would deploy a second one: set env: { account: '${credentialsFor}', region: '…' } in payhooks.config.ts, or pass -c account=${credentialsFor} -c region=…`,
    );
  }
  if (env.account !== credentialsFor) {
    throw new Error(
      `${stage.name} belongs to account ${env.account}, but your credentials are for ${credentialsFor}: choose another AWS_PROFILE`,
    );
  }
  return { ...stage, env };
}

function pinOf({ name, env }: Stage, account: unknown, region: unknown): Stage['env'] {
  if (account === undefined && region === undefined) {
    return env;
  }
  if (!/^\d{12}$/.test(String(account)) || typeof region !== 'string') {
    throw new Error(
      `-c account and -c region go together, such as -c account=111122223333 -c region=REGION: ${name} was given ${account} and ${region}`,
    );
  }
  if (env !== undefined && (env.account !== String(account) || env.region !== region)) {
    throw new Error(
      `${name} belongs to account ${env.account} in ${env.region} (payhooks.config.ts), not to ${account} in ${region}`,
    );
  }
  return { account: String(account), region };
}
