import { randomBytes } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { AWS_CLIENT_CONFIG } from '../../adapters/aws-client-config.ts';
import { operatorsTrailTable } from '../../adapters/dynamodb/api/operators-trail-table.ts';
import { stageSessionTable } from '../../adapters/dynamodb/api/stage-session-table.ts';
import { CODE_BYTES } from '../../core/api/portal/portal-secrets.ts';
import { STAGE_RIGHTS } from '../../core/api/stage/stage-rights.ts';
import { readEnv } from '../../runtime/read-env.ts';
import { logger } from '../../telemetry/logger.ts';
import { STAGE_LINK_ENV } from './env.ts';
import { stageLink } from './stage-link.ts';

const env = readEnv(STAGE_LINK_ENV, process.env);
const client = new DynamoDBClient(AWS_CLIENT_CONFIG);
const ports = {
  sessions: stageSessionTable(client, env.API_TOKENS_TABLE),
  trail: operatorsTrailTable(client, env.AUDIT_TABLE),
  random: () => randomBytes(CODE_BYTES),
  now: Date.now,
  warn: (text: string) => logger.warn('stage.warned', { text }),
};

/** Neither request nor answer is logged: the answer holds the link. */
export const handler = async (event: unknown) => {
  try {
    const rights = z.enum(STAGE_RIGHTS).parse(env.RIGHTS);
    return await stageLink(event, { ...ports, rights });
  } catch (error) {
    logger.error('stage.failed', error as Error);
    throw error;
  }
};
