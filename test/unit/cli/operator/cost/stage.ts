import type { Resource } from '../../../../../cli/operator/cost/ground.ts';

/** A stage of a few resources, as its templates tell them. */
export function resource(id: string, type: string, properties: object = {}): Resource {
  return { id, type: `AWS::${type}`, properties };
}

export function lambda(name: string, { memory = 512, tracing = 'PassThrough' } = {}): Resource {
  return resource(`${name[0]!.toUpperCase()}${name.slice(1)}1A2B`, 'Lambda::Function', {
    MemorySize: memory,
    TracingConfig: { Mode: tracing },
    Environment: { Variables: { POWERTOOLS_SERVICE_NAME: name } },
  });
}

/** A function that is run on a schedule. */
export function scheduled(worker: Resource, expression: string): Resource[] {
  return [
    worker,
    resource(`${worker.id}Live`, 'Lambda::Alias', { FunctionName: { Ref: worker.id } }),
    resource(`${worker.id}Schedule`, 'Scheduler::Schedule', {
      ScheduleExpression: expression,
      Target: { Arn: { Ref: `${worker.id}Live` } },
    }),
  ];
}
