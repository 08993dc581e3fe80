import { AsyncLocalStorage } from 'node:async_hooks';

type Context = Record<symbol, unknown>;

/**
 * What Lambda's runtime knows of the invocation that is under way: Powertools and the SDK ask it. Source: `@aws/lambda-invoke-store` 0.3, which the runtime of
 * Managed Instances has in each of its threads.
 */
export interface RuntimeStore {
  run<T>(requestId: string, invocation: () => T): T;
  getRequestId(): string;
}

const REQUEST_ID = Symbol.for('_AWS_LAMBDA_REQUEST_ID');

/**
 * Makes the store of this process.
 *
 * @param isolated whether invocations side by side are told apart; without that, it is as if each were alone
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
