import { freePort } from '../port.ts';
import { startSlowStore } from '../slow-store.ts';
import { type Emulator, type EmulatorOptions, startEmulator } from './emulator.ts';

export interface SlowEmulator extends Emulator {
  /** URL of the proxy; absent without one. */
  readonly slowStoreUrl?: string;
}

/**
 * Starts an emulator, with `slowStore` behind a proxy that slows DynamoDB for its functions, and for nobody
 * else.
 *
 * @throws as `startEmulator`, after stopping the proxy
 */
export async function startSlowEmulator(
  options: EmulatorOptions & { readonly slowStore?: boolean },
): Promise<SlowEmulator> {
  if (!options.slowStore) {
    return startEmulator(options);
  }
  const port = await freePort(options.port);
  const proxy = await startSlowStore(`http://127.0.0.1:${port}`);
  try {
    const emulator = await startEmulator({
      ...options,
      port,
      environment: { ...options.environment, AWS_ENDPOINT_URL_DYNAMODB: proxy.url },
    });
    return {
      ...emulator,
      slowStoreUrl: proxy.url,
      async stop() {
        await emulator.stop();
        await proxy.stop();
      },
    };
  } catch (error) {
    await proxy.stop();
    throw error;
  }
}
