import { MathExpression, type Metric } from 'aws-cdk-lib/aws-cloudwatch';

interface Tolerated {
  /** Never too many, however little there is to do. */
  readonly few: number;
  /** Never too many among much work: a tenth of a percent is 0.001. */
  readonly share: number;
  /** The work: there is data for it whenever something fails. */
  readonly of: Metric;
}

/**
 * Failures where they are more than a few and more than a share of the work, else 0. A number alone goes off
 * by itself once there is enough traffic; a share alone, at the first failure of a quiet night.
 */
export function tooMany(failures: Metric | MathExpression, { few, share, of }: Tolerated): MathExpression {
  return new MathExpression({
    expression: `IF(failures > ${few} && failures > ${share} * FILL(work, 0), failures, 0)`,
    usingMetrics: { failures, work: of },
    label: 'Too many',
    period: failures.period,
  });
}
