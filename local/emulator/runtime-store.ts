import { AsyncLocalStorage } from 'node:async_hooks';

type Context = Record<symbol, unknown>;

/**
 * What Lambda's runtime knows about the current invocation, for Powertools and the SDK. Source:
 * `@aws/lambda-invoke-store` 0.3, which the runtime of Managed Instances has in each thread.
 */
export interface RuntimeStore {
  run<T>(requestId: string, invocation: () => T): T;
  getRequestId(): string;
}

const REQUEST_ID = Symbol.for('_AWS_LAMBDA_REQUEST_ID');

/**
 * Installs the store of this process.
 *
 * @param isolated gives concurrent invocations separate contexts; otherwise they share one
 */
export function installRuntimeStore(isolated: boolean): RuntimeStore {
  const underWay = new AsyncLocalStorage<Context>();
  const shared: Context = {};
  const here = () => (isolated ? underWay.getStore() : shared);
  const requestId = () => String(underWay.getStore()?.[REQUEST_ID] ?? 'nobody');
  const InvokeStore = {
    getContext: here,
    hasContext: () => here() !== undefined,
    get: (key: symbol) => here()?.[key],
    set(key: symbol, value: unknown) {
      const context = here();
      if (context === undefined) {
        throw new Error('No context available');
      }
      context[key] = value;
    },
    getRequestId: requestId,
    getXRayTraceId: () => undefined,
    getTenantId: () => undefined,
    getTraceparent: () => undefined,
    getTracestate: () => undefined,
    getBaggage: () => undefined,
  };
  Reflect.set(globalThis, 'awslambda', { InvokeStore });
  return {
    run: (id, invocation) => underWay.run({ [REQUEST_ID]: id }, invocation),
    getRequestId: requestId,
  };
}
