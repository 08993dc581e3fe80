import { rm } from 'node:fs/promises';
import path from 'node:path';
import { startLocalStack } from '../../../local/local-stack.ts';
import { ourApp } from '../../../local/our-app.ts';
import { type DeployedStack, deployedStack } from '../../support/deployed/deployed-stack.ts';
import { type NameServer, startNameServer, type Zone } from '../../support/network/name-server.ts';
import { testOnlyAuthority } from '../../support/network/test-only-authority.ts';
import { type Listeners, startListeners } from './listeners.ts';

/**
 * The stage `strict` on its own emulator, with its own name server, and receivers that only the address guard
 * protects.
 */
export interface StrictStack extends DeployedStack {
  readonly listeners: Listeners;
  readonly nameServer: NameServer;
  stop(): Promise<void>;
}

export async function startStrictStack(zone: Zone): Promise<StrictStack> {
  const listeners = await startListeners();
  const nameServer = await startNameServer(zone);
  const directory = path.resolve(import.meta.dirname, '../../../.local', `strict-${process.pid}`);
  const clear = async () => {
    await Promise.all([listeners.close(), nameServer.close()]);
    // PAYHOOKS_KEEP_LOGS keeps the emulator's log, to find out why a test failed.
    if (process.env.PAYHOOKS_KEEP_LOGS === undefined) {
      await rm(directory, { recursive: true, force: true });
    }
  };
  try {
    const stack = await startLocalStack({
      port: 0,
      directory,
      log: () => {},
      app: ourApp({
        testNetwork: {
          nameServers: [nameServer.address],
          ca: testOnlyAuthority,
          allowedPorts: [443, listeners.port],
        },
      }),
    });
    const deployed = await deployedStack(stack.outputsFile);
    return {
      ...deployed,
      listeners,
      nameServer,
      async stop() {
        deployed.close();
        await stack.stop();
        await clear();
      },
    };
  } catch (error) {
    await clear();
    throw error;
  }
}
