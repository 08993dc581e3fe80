import { randomBytes } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { readEnv } from '../../runtime/read-env.ts';
import { RECEIVER_ENV } from './env.ts';
import { invoked, type TimeLeft } from './invocation.ts';
import { cachedSettings } from './store/cached-settings.ts';
import { receiverStore } from './store/receiver-table.ts';

/** Short enough that new settings seem to apply at once, long enough to avoid a read per webhook. */
const SETTINGS_CACHE_MS = 1_000;

const env = readEnv(RECEIVER_ENV, process.env);
const nowMs = () => Date.now();
const store = receiverStore(new DynamoDBClient({}), env.RECEIVER_TABLE, {
  instance: randomBytes(4).toString('hex'),
  nowMs,
});
const ports = {
  store,
  settingsOf: cachedSettings(store.settingsOf, SETTINGS_CACHE_MS, nowMs),
  nowMs,
  roll: () => ({ delay: Math.random(), failure: Math.random() }),
  controlIsOpen: env.RECEIVER_CONTROL === 'open',
};

export const handler = (event: unknown, context: TimeLeft) => invoked(event, context, ports);
