import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { partner } from '../../cli/partner/partner.ts';
import { sampleTypes } from '../../cli/publisher/sample-payments.ts';
import { runName } from '../../cli/publisher/send-payments.ts';
import { deployedTypes } from '../../cli/stage/deployed-types.ts';
import { clientConfig } from '../../cli/stage/local-account.ts';
import type { LocalOutputs } from '../../cli/stage/local-outputs.ts';
import { apiTokenTable } from '../../functions/adapters/dynamodb/api/api-token-table.ts';
import { createToken } from '../../functions/api/authorize/create-token.ts';
import { MAX_REQUESTS_PER_MINUTE, removalOf } from '../../functions/core/api/api-token.ts';
import { bundle } from '../../lib/bundling/bundle.ts';
import { writeBeside } from '../../lib/bundling/function-code.ts';
import { FUNCTION_FOLDERS } from '../../lib/bundling/function-folders.ts';
import { PROJECT } from '../../lib/project-paths.ts';
import { STAGES } from '../../payhooks.config.ts';
import { paymentEvents, unnumbered } from '../artillery/payment-events.ts';
import { type FunctionWorker, startFunction } from './functions/function-worker.ts';
import { environmentsOf, type Profiled } from './functions/stage-functions.ts';
import { paymentResource } from './stand-ins/payment-resource.ts';
import type { Sent } from './stand-ins/queue-protocol.ts';
import { admitted } from './stand-ins/records.ts';
import { type StandIns, startStandIns } from './stand-ins/stand-ins.ts';

/**
 * The functions' bundles in their own processes, a subscription on the local stack, and a configurable
 * partner.
 */
export interface Bench {
  readonly outputs: LocalOutputs;
  readonly standIns: StandIns;
  /** @param profileTo a folder that gets a CPU profile, with the names of our sources, when it is stopped */
  start(name: Profiled, profileTo?: string): Promise<FunctionWorker>;
  /** Events of new payments, as match receives them, with resources of 1 KB. */
  events(count: number): readonly Sent[];
  /** Stops the processes and removes the subscription. */
  close(): Promise<void>;
}

export async function openBench(outputs: LocalOutputs): Promise<Bench> {
  const folder = await mkdtemp(join(tmpdir(), 'payhooks-profile-'));
  const standIns = await startStandIns();
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
    const types = sampleTypes(await deployedTypes(outputs.apiUrl));
    let payments = 0;
    return {
      outputs,
      standIns,
      async start(name, profileTo) {
        const isProfiled = profileTo !== undefined;
        const file = join(folder, name, isProfiled ? 'readable.mjs' : 'index.mjs');
        bundle(join(PROJECT, 'functions', FUNCTION_FOLDERS[name], 'handler.ts'), file, {
          isReadable: isProfiled,
        });
        writeBeside(name, join(folder, name), STAGES.local);
        const worker = await startFunction(
          file,
          environments[name],
          isProfiled
            ? [
                '--cpu-prof',
                `--cpu-prof-dir=${profileTo}`,
                `--cpu-prof-name=${name}.cpuprofile`,
                '--cpu-prof-interval=250',
              ]
            : [],
        );
        workers.push(worker);
        return worker;
      },
      events: (count) =>
        Array.from({ length: count }, () => {
          payments += 1;
          const payment = {
            serviceId,
            paymentId: `profile_${run}_${payments}`,
            types,
            eventCount: 1,
            bodyBytes: 0,
          };
          const resource = paymentResource(payment.paymentId, payments);
          return paymentEvents(payment).map((event) => admitted({ ...unnumbered(event), resource }));
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
