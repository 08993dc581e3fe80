import type { AwsCall } from './aws-call.ts';

/**
 * By service and operation: `{ dynamodb: { PutItem: { calls: 50, failed: 1 } } }`. `failed` counts injected
 * failures.
 */
export type CallCounts = Readonly<
  Record<string, Readonly<Record<string, { readonly calls: number; readonly failed: number }>>>
>;

export function callCount() {
  const services = new Map<string, Map<string, { calls: number; failed: number }>>();
  return {
    add({ service, operation }: AwsCall, isFailed: boolean): void {
      const operations = services.get(service) ?? new Map<string, { calls: number; failed: number }>();
      const count = operations.get(operation) ?? { calls: 0, failed: 0 };
      count.calls += 1;
      count.failed += isFailed ? 1 : 0;
      services.set(service, operations.set(operation, count));
    },
    counts(): CallCounts {
      return Object.fromEntries(
        [...services].map(([service, operations]) => [service, Object.fromEntries(operations)]),
      );
    },
  };
}
