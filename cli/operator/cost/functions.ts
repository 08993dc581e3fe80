import { ofType, type Resource } from './template.ts';
import { MONTH_SECONDS } from './traffic.ts';
import type { Usage } from './usage.ts';

/** A function of ours as it is deployed. */
export interface Deployed {
  readonly name: string;
  readonly memoryGb: number;
  readonly isTraced: boolean;
  readonly resource: Resource;
}

export function functionsOf(resources: readonly Resource[]): ReadonlyMap<string, Deployed> {
  return new Map(
    ofType(resources, 'AWS::Lambda::Function').flatMap((resource) => {
      const { Environment, MemorySize, TracingConfig } = resource.properties;
      const name: string | undefined = Environment?.Variables?.POWERTOOLS_SERVICE_NAME;
      return name === undefined
        ? []
        : [
            [
              name,
              {
                name,
                memoryGb: MemorySize / 1_024,
                isTraced: TracingConfig?.Mode === 'Active',
                resource,
              },
            ],
          ];
    }),
  );
}

/**
 * Lambda traces the first invocation of each second, and one of twenty of the others. Source: "Visualize
 * Lambda function invocations using AWS X-Ray", AWS Lambda Developer Guide.
 */
const TRACED_SHARE = 0.05;

/**
 * What tracing costs a function whose invocations come at random instants: at one a second there is none in
 * each third second, and two or more in each fourth. Each sampled invocation counts as a trace of its own;
 * where one belongs to the trace of its sender it is less.
 */
export function tracesOf(deployed: Deployed | undefined, invocations: number): Usage {
  if (!deployed?.isTraced) {
    return {};
  }
  const first = MONTH_SECONDS * -Math.expm1(-invocations / MONTH_SECONDS);
  return { trace: first + TRACED_SHARE * (invocations - first) };
}
