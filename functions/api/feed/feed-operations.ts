import { pullMessages } from '../operations/feed/pull-messages.ts';
import { reportResults } from '../operations/feed/report-results.ts';
import type { FeedOperation } from './feed-operation.ts';

/** All operations of feeds. */
export const FEED_OPERATIONS: readonly FeedOperation[] = [pullMessages, reportResults];
