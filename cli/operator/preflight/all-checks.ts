import type { Check } from '../doctor/check.ts';
import { accountRoom } from '../doctor/functions/account-room.ts';
import { bootstrap } from './bootstrap.ts';
import { busThroughput } from './bus-throughput.ts';
import { deploymentRights } from './deployment-rights.ts';
import { fifoThroughput } from './fifo-throughput.ts';
import { halfDeployed } from './half-deployed.ts';
import type { PlannedStage } from './planned-stage.ts';
import { regionServices } from './region-services.ts';

/** What takes longest to get comes first. */
export const PREFLIGHT_CHECKS: readonly Check<PlannedStage>[] = [
  accountRoom,
  fifoThroughput,
  busThroughput,
  deploymentRights,
  regionServices,
  bootstrap,
  halfDeployed,
];
