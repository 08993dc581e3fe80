import type { Stage } from '../../../lib/stage.ts';
import type { StageAccess } from '../../stage/stage-access.ts';
import type { Withheld } from '../../stage/withheld.ts';
import type { Output } from '../../terminal/command.ts';
import { ExplainedError } from '../../terminal/explained-error.ts';
import { waitingPayments } from '../redrive/refused-payments.ts';
import type { CircuitTable } from './circuit-table.ts';
import { type Circuits, listText, showText } from './circuits-report.ts';
import { viewOfEndpoint } from './circuits-view.ts';
import { endpointAttempts } from './endpoint-attempts.ts';
import { type Endpoint, endpointsOf } from './endpoints.ts';

interface OfOne {
  readonly service: string;
  readonly subscription: string;
  readonly stage: string;
}

/** What it takes to look at circuits, which changes nothing. */
export interface Looking {
  readonly circuits: CircuitTable;
  readonly access: StageAccess;
  readonly tables: Awaited<ReturnType<StageAccess['tables']>>;
  readonly policy: Stage['deliveryPolicy'];
  readonly withheld: Withheld;
  readonly limit: number;
}

/** One query of the payments that wait serves all endpoints. */
async function portsOf({ circuits, access: { dynamodb }, tables, policy, withheld }: Looking, nowMs: number) {
  return {
    circuits,
    attempts: endpointAttempts(dynamodb, tables.history, withheld),
    payments: await waitingPayments(dynamodb, tables.keys, policy, nowMs),
  };
}

export async function list(looking: Looking, { print }: Output): Promise<boolean> {
  const { circuits, limit, withheld } = looking;
  const nowMs = Date.now();
  const unreadable: string[] = [];
  const ports = await portsOf(looking, nowMs);
  const notClosed = await circuits.notClosed();
  const known = new Set(notClosed.map(({ subscription_id }) => subscription_id));
  const others = [...ports.payments.bySubscription]
    .filter(([id]) => !known.has(id))
    .sort(([, one], [, other]) => other.length - one.length)
    .flatMap(([, [payment]]) => payment ?? []);
  const shown = [...notClosed, ...others].slice(0, limit);
  const endpoints = await endpointsOf(shown, ports, ({ message }) => unreadable.push(message));
  const isKnown = ({ subscription: { subscription_id } }: Endpoint) => known.has(subscription_id);
  const open = endpoints.filter(isKnown);
  const gone = shown.filter(({ subscription_id }) => known.has(subscription_id)).length - open.length;
  const found: Circuits = {
    count: notClosed.length - gone,
    notClosed: open,
    refusing: endpoints.filter((one) => !isKnown(one) && one.refused !== undefined),
    more: notClosed.length + others.length - shown.length,
    isCut: ports.payments.isCut,
    unreadable,
    withheld: [...withheld],
  };
  print(listText(found, nowMs), {
    circuits: found.notClosed.map(viewOfEndpoint),
    refusing: found.refusing.map(viewOfEndpoint),
    more: found.more,
    payments_cut: found.isCut,
    unreadable,
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
