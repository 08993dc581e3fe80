import { METRIC_NAMESPACE } from '../../functions/telemetry/metric-names.ts';
import type { PayhooksProps } from '../payhooks-props.ts';
import { DEFAULTS, LOCAL_DEFAULTS, type Settings, withDefaults } from '../settings.ts';

interface Place {
  /**
   * The account and region: the only place where a region is written. docs/regions.md says how to move a stage.
   *
   * @default - `-c account=… -c region=…`; with credentials, nothing is deployed without one of the two
   */
  readonly env?: { readonly account: string; readonly region: string };
}

/** A deployment of our own app. */
export type Stage = Settings & Place;

/** What a stage sets; its name is its key. */
export type StageProps = Omit<PayhooksProps, 'name' | 'scopes'> & Place;

/** One for all stages of our own app: docs and commands know it. */
const metricNamespace = METRIC_NAMESPACE;

/** Stages with what they leave to defaults. */
export function stages<const Name extends string>(
  given: Readonly<Record<Name, StageProps>>,
): Readonly<Record<Name, Stage>> {
  return Object.fromEntries(
    Object.entries<StageProps>(given).map(([name, props]) => [
      name,
      withDefaults(props.emulated ? LOCAL_DEFAULTS : DEFAULTS, { metricNamespace, ...props, name }),
    ]),
  ) as Record<Name, Stage>;
}
