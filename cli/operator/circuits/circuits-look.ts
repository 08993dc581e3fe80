import { endpointAttempts } from '../../../functions/adapters/dynamodb/trouble/endpoint-attempts.ts';
import { waitingPayments } from '../../../functions/adapters/dynamodb/trouble/waiting-payments.ts';
import { endpointsOf } from '../../../functions/core/trouble/endpoints.ts';
import { troubled } from '../../../functions/core/trouble/troubled.ts';
import { detailed, unlessRefused, WITHHELD, type Withheld } from '../../stage/attempt-details.ts';
import type { ChosenDeployment } from '../../stage/chosen-deployment.ts';
import type { StageAccess } from '../../stage/stage-access.ts';
import type { Output } from '../../terminal/command.ts';
import { ExplainedError } from '../../terminal/explanation.ts';
import type { CircuitTable } from './circuit-table.ts';
import { viewOfEndpoint } from './circuit-table.ts';
import { type Circuits, listText, showText } from './circuits-report.ts';

export interface OfOne {
  readonly service: string;
  readonly subscription: string;
  readonly stage: ChosenDeployment;
}

/** What it takes to look at circuits, which changes nothing. */
export interface Looking {
  readonly circuits: CircuitTable;
  readonly access: StageAccess;
  readonly tables: Awaited<ReturnType<StageAccess['tables']>>;
  readonly policy: StageAccess['settings']['deliveryPolicy'];
  readonly withheld: Withheld;
  readonly limit: number;
}

/** One query of the payments that wait serves all endpoints. */
async function portsOf({ circuits, access: { dynamodb }, tables, policy, withheld }: Looking, nowMs: number) {
  return {
    circuits,
    attempts: endpointAttempts(dynamodb, tables.history, async (attempts) =>
      attempts.length === 0
        ? []
        : ((await unlessRefused(
            () => detailed(dynamodb, tables.history, attempts),
            withheld,
            WITHHELD.details,
          )) ?? attempts),
    ),
    payments: await waitingPayments(dynamodb, tables.orderingKeys, policy, nowMs),
  };
}

export async function list(looking: Looking, { print }: Output): Promise<boolean> {
  const { limit, withheld } = looking;
  const nowMs = Date.now();
  const found: Circuits = {
    ...(await troubled(await portsOf(looking, nowMs), limit)),
    withheld: [...withheld],
  };
  print(listText(found, nowMs), {
    circuits: found.notClosed.map(viewOfEndpoint),
    refusing: found.refusing.map(viewOfEndpoint),
    more: found.more,
    payments_cut: found.isCut,
    unreadable: found.unreadable,
    withheld: found.withheld,
  });
  return true;
}

export function notThere({ service, subscription, stage }: OfOne): Error {
  return new ExplainedError(
    `${service} has no subscription ${subscription} on ${stage}, or has deleted it: are both ids right? circuits list shows the endpoints whose circuit is not closed.`,
  );
}

export async function show(looking: Looking, given: OfOne, { print }: Output): Promise<boolean> {
  const { circuits, withheld, limit } = looking;
  const nowMs = Date.now();
  const name = { service_id: given.service, subscription_id: given.subscription };
  const [endpoint] = await endpointsOf([name], await portsOf(looking, nowMs), (internalError) => {
    throw new ExplainedError(internalError.message);
  });
  if (endpoint === undefined) {
    throw notThere(given);
  }
  const backlog = await circuits.backlog(given.subscription, limit);
  print(showText(endpoint, backlog, [...withheld], nowMs), {
    ...viewOfEndpoint(endpoint),
    backlog,
    withheld: [...withheld],
  });
  return true;
}
