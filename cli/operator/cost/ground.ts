import type { Stage } from '../../../lib/app/stage.ts';
import type { Deployed } from './functions.ts';
import type { Batches } from './measured/batch-sizes.ts';
import type { Measured } from './measured/measured.ts';
import { ofType, type Resource } from './template.ts';
import { MONTH_SECONDS } from './traffic.ts';

/** What the use of a month depends on, besides the traffic. */
export interface Ground extends ReturnType<typeof groundOf> {
  readonly measured: Measured;
  readonly batches: Batches;
  readonly functions: ReadonlyMap<string, Deployed>;
}

/** Of a stage, by its settings and what it is made of. */
export function groundOf(settings: Stage, resources: readonly Resource[]) {
  const first = (type: string, id: string) =>
    ofType(resources, type).find((resource) => resource.id.startsWith(id))?.properties;
  const following = first('AWS::Lambda::EventSourceMapping', 'Statistics');
  const recovery = first('AWS::DynamoDB::Table', 'History')?.PointInTimeRecoverySpecification;
  return {
    /** How the changes of the history reach the statistics worker. */
    statistics: {
      batchSize: Number(following?.BatchSize ?? 1),
      windowSeconds: Number(following?.MaximumBatchingWindowInSeconds ?? 0),
      batchesAtATime: Number(following?.ParallelizationFactor ?? 1),
    },
    /** Of the history. */
    retentionDays: settings.deliveryPolicy.retentionDays,
    isRecoverable: recovery?.PointInTimeRecoveryEnabled === true,
    logDays: Number(first('AWS::Logs::LogGroup', 'Deliver')?.RetentionInDays ?? 0),
    archiveDays: settings.archive?.retention.toDays(),
    hasNat: ofType(resources, 'AWS::EC2::NatGateway').length > 0,
  };
}

/** So many a new table has, as docs/archive.md reckons. */
const FEWEST_SHARDS = 4;
/** A shard of a stream takes about a thousand writes a second. */
const UNITS_OF_A_SHARD = 1_000;

/** Of the stream of the history, for a number of messages a month. */
export function shardsFor(messages: number, { measured }: Pick<Ground, 'measured'>): number {
  const units = (messages / MONTH_SECONDS) * measured.courses.full.historyUnits;
  return Math.max(FEWEST_SHARDS, Math.ceil(units / UNITS_OF_A_SHARD));
}
