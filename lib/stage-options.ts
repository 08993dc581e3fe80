import { Duration } from 'aws-cdk-lib';
import type { Stage } from './stages.ts';

/**
 * The local stage with an archive. Without being asked for it has none: the emulator knows no window and hands changes over as they come, at the cost of what is measured beside it.
 *
 * @throws when it is another stage: what people deploy, the table says
 */
export function archived(stage: Stage, signalKind: unknown): Stage {
  if (signalKind !== 'true') {
    return stage;
  }
  if (!stage.emulated) {
    throw new Error(
      `-c archive=true is for the local stage, and this is ${stage.name}: say archive: { retention } for it in lib/stages.ts`,
    );
  }
  return { ...stage, archive: { retention: Duration.days(7) } };
}

/**
 * The local stage with more workers of deliver, or fewer: a load run may want more than a laptop's memory has room for.
 *
 * @throws when it is another stage: what people deploy, the table says; and when it is no number that SQS takes
 */
export function withWorkers(stage: Stage, signalKind: unknown): Stage {
  if (signalKind === undefined) {
    return stage;
  }
  const deliver = Number(signalKind);
  if (!stage.emulated || !Number.isInteger(deliver) || deliver < 2 || deliver > 1_000) {
    throw new Error(
      `-c workers takes a whole number from 2 to 1000 and is for the local stage; this is ${stage.name} with ${signalKind}: say concurrency.deliver for it in lib/stages.ts`,
    );
  }
  return { ...stage, concurrency: { ...stage.concurrency, deliver } };
}

/**
 * The stage as it is deployed this time: an urgent repair of prod cannot wait for a canary.
 *
 * @throws when there is no such rollout
 */
export function rolledOut(stage: Stage, rollout: unknown): Stage {
  if (rollout === undefined) {
    return stage;
  }
  if (rollout !== 'at once' && rollout !== 'canary') {
    throw new Error(
      `there is no rollout ${JSON.stringify(rollout)}: say -c rollout='at once' or -c rollout=canary, or nothing for what the stage has (lib/stages.ts)`,
    );
  }
  return { ...stage, rollout };
}
