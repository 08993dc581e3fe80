import { endStageSession } from '../operations/stage/end-stage-session.ts';
import { exchangeStageSession } from '../operations/stage/exchange-stage-session.ts';
import { listEndpointsInTrouble } from '../operations/stage/list-endpoints-in-trouble.ts';
import { listServices } from '../operations/stage/list-services.ts';
import { listUnacknowledged } from '../operations/stage/list-unacknowledged.ts';
import { operateCircuit } from '../operations/stage/operate-circuit.ts';
import { showQueues } from '../operations/stage/show-queues.ts';
import { showStageStatistics } from '../operations/stage/show-stage-statistics.ts';
import type { StageOperation } from './stage-operation.ts';

/** All operations for sessions of the whole stage. */
export const STAGE_OPERATIONS: readonly StageOperation[] = [
  listEndpointsInTrouble,
  showQueues,
  listServices,
  showStageStatistics,
  listUnacknowledged,
  operateCircuit,
  exchangeStageSession,
  endStageSession,
];
