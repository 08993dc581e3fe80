import { statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { partner } from '../../cli/partner/partner.ts';
import { runName } from '../../cli/publisher/send-payments.ts';
import { clientConfig } from '../../cli/stage/local-account.ts';
import type { LocalOutputs } from '../../cli/stage/local-outputs.ts';
import { apiTokenTable } from '../../functions/adapters/dynamodb/api/api-token-table.ts';
import { createToken } from '../../functions/api/authorize/create-token.ts';
import { MAX_REQUESTS_PER_MINUTE, removalOf } from '../../functions/core/api/api-token.ts';
import { bundle, root } from '../../lib/bundling/bundle.ts';
import { FUNCTION_FOLDERS } from '../../lib/bundling/function-folders.ts';
import type { Sent } from '../../test/support/side-by-side/queue-protocol.ts';
import { paymentEvents, unnumbered } from '../artillery/payment-events.ts';
import { type FunctionWorker, startFunction } from './functions/function-worker.ts';
import { environmentsOf, PROFILED, type Profiled } from './functions/stage-functions.ts';
import type { ProfileOptions } from './profile-options.ts';
import { paymentResource } from './stand-ins/payment-resource.ts';
import { admitted } from './stand-ins/records.ts';
import { type StandIns, startStandIns } from './stand-ins/stand-ins.ts';

/**
 * The functions' bundles in their own processes, a subscription on the local stack, and a configurable
 * partner.
 */
export interface Bench {
  readonly outputs: LocalOutputs;
  readonly standIns: StandIns;
  readonly bundleBytes: Readonly<Record<Profiled, number>>;
  start(name: Profiled): Promise<FunctionWorker>;
  /** Source map of a function's bundle. */
  sourceMapFile(name: Profiled): string;
  /** Events of new payments, as match receives them, with resources of 1 KB. */
  events(count: number): readonly Sent[];
  /** Stops the processes and removes the subscription. */
  close(): Promise<void>;
}

export async function openBench(
  outputs: LocalOutputs,
  { numbered }: Pick<ProfileOptions, 'numbered'>,
): Promise<Bench> {
  const folder = await mkdtemp(join(tmpdir(), 'payhooks-profile-'));
  const standIns = await startStandIns();
  const fileOf = (name: Profiled) => join(folder, name, 'index.mjs');
  const workers: FunctionWorker[] = [];
  /** In order of execution. */
  const closing: (() => unknown)[] = [
    () => standIns.stop(),
    () => rm(folder, { recursive: true }),
    () => Promise.all(workers.map((worker) => worker.stop())),
  ];
  const close = async () => {
    for (const one of closing) await one();
  };
  try {
    for (const name of PROFILED) {
      bundle(join(root, 'functions', FUNCTION_FOLDERS[name], 'handler.ts'), fileOf(name), {
        sourceMap: true,
      });
    }
    const environments = await environmentsOf(outputs.endpoint, standIns);
    const run = runName();
    // Its own service: no other subscription receives its events.
    const serviceId = `profile-${run}`;
    const { token, revoke } = await tokenOf(outputs, serviceId);
    closing.push(revoke);
    const api = partner({ apiUrl: outputs.apiUrl, token });
    const { subscription_id } = await api.subscribe({
      callback_url: standIns.callbackUrl,
      description: 'profile',
      event_types: ['*'],
      live: false,
    });
    // Runs before the token it needs is revoked.
    closing.unshift(() => api.unsubscribe(subscription_id));
    let payments = 0;
    return {
      outputs,
      standIns,
      bundleBytes: Object.fromEntries(PROFILED.map((name) => [name, statSync(fileOf(name)).size])) as Record<
        Profiled,
        number
      >,
      sourceMapFile: (name) => `${fileOf(name)}.map`,
      async start(name) {
        const worker = await startFunction(fileOf(name), environments[name]);
        workers.push(worker);
        return worker;
      },
      events: (count) =>
        Array.from({ length: count }, () => {
          payments += 1;
          const payment = {
            serviceId,
            paymentId: `profile_${run}_${payments}`,
            number: payments,
            eventCount: 1,
            bodyBytes: 0,
          };
          const resource = paymentResource(payment.paymentId, payments);
          return paymentEvents(payment).map((event) =>
            admitted({ ...(numbered ? event : unnumbered(event)), resource }),
          );
        }).flat(),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function tokenOf({ endpoint, tables }: LocalOutputs, serviceId: string) {
  const client = new DynamoDBClient(clientConfig(endpoint));
  const tokens = apiTokenTable(client, tables.apiTokens);
  const options = { serviceId, description: 'profile', requestsPerMinute: MAX_REQUESTS_PER_MINUTE };
  const { token, record } = await createToken(tokens, options);
  return {
    token,
    async revoke() {
      await tokens.revoke(record.token_hash, {
        revoked_at: new Date().toISOString(),
        remove_at_epoch_seconds: removalOf(Date.now()),
      });
      client.destroy();
    },
  };
}
