import type { SQSEvent } from 'aws-lambda';
import { EMPTY_NOTED } from '../core/empty-event.ts';
import { logger } from '../shared/logger.ts';
import { noteOf } from './note.ts';

export const handler = async ({ Records }: SQSEvent): Promise<void> => {
  const startedAtMs = Date.now();
  for (const { body } of Records) {
    logger.info(EMPTY_NOTED, { ...noteOf(body, startedAtMs) });
  }
};
