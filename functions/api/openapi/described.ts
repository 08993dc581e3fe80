import { FEED_OPERATIONS } from '../feed/feed-operations.ts';
import type { Described } from '../operation.ts';
import { OPERATIONS } from '../operations.ts';
import { STAGE_OPERATIONS } from '../stage/stage-operations.ts';

/** All operations: those for partners, then those for the people who run the stage. */
export const DESCRIBED: readonly Described[] = [...OPERATIONS, ...FEED_OPERATIONS, ...STAGE_OPERATIONS];
