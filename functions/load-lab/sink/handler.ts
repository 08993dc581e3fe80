import type { SQSEvent } from 'aws-lambda';
import { logger } from '../../telemetry/logger.ts';
import { EMPTY_NOTED } from '../empty-event.ts';
import { sunkEventOf } from './sink.ts';

export const handler = async ({ Records }: SQSEvent): Promise<void> => {
  const startedAtMs = Date.now();
  for (const { body } of Records) {
    logger.info(EMPTY_NOTED, { ...sunkEventOf(body, startedAtMs) });
  }
};
