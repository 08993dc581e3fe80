/** The folder of each function below `functions/`. Logs, metrics and dashboards use the function's name. */
export const FUNCTION_FOLDERS = {
  match: 'pipeline/match',
  deliver: 'pipeline/deliver',
  wake: 'pipeline/wake',
  sweep: 'pipeline/sweep',
  statistics: 'streams/statistics',
  archive: 'streams/archive',
  api: 'api',
  authorize: 'api/authorize',
  feed: 'api/feed',
  'stage-api': 'api/stage',
  'on-call-link': 'api/stage-link',
  'analyst-link': 'api/stage-link',
  'docs-page': 'api/docs-page',
  'declared-subscription': 'api/declared-subscription',
  notices: 'notices',
  doctor: 'monitor/doctor',
  'synthetic-receiver': 'monitor/synthetic-receiver',
  receiver: 'load-lab/receiver',
  'load-relay': 'load-lab/relay',
  'load-sink': 'load-lab/sink',
} as const;

export type FunctionName = keyof typeof FUNCTION_FOLDERS;

export const FUNCTION_NAMES = Object.keys(FUNCTION_FOLDERS) as readonly FunctionName[];
