import { type Answer, refusal } from '../../core/api/answer.ts';
import { serviceIdSchema } from '../../core/api/api-token.ts';
import type { StageRights } from '../../core/api/stage/stage-rights.ts';
import type { Caller } from '../caller.ts';
import type { Described } from '../operation.ts';
import { SERVICE_HEADER } from '../sent.ts';
import { shownToStage } from './shown-to-stage.ts';

/**
 * What a session of the whole stage may do with an operation. `looks`: both kinds, at the service that the
 * request names. `stage`: both kinds, at the whole stage. `operates`: the person on call. `no token`: nobody
 * has signed in yet. `never`: it changes something for a partner, lets somebody in, or shows secrets.
 */
type Access = 'looks' | 'stage' | 'operates' | 'no token' | 'never';

/** What is not listed is refused; a test wants every operation listed. */
export const STAGE_ACCESS: Readonly<Record<string, Access>> = {
  createSubscription: 'never',
  checkUrl: 'never',
  listSubscriptions: 'looks',
  showSubscription: 'looks',
  updateSubscription: 'never',
  deleteSubscription: 'never',
  pauseSubscription: 'never',
  enableSubscription: 'never',
  rotateSecret: 'never',
  revokeSecret: 'never',
  showKeySet: 'no token',
  pingSubscription: 'never',
  probeSubscription: 'never',
  showStatistics: 'looks',
  listNotices: 'looks',
  listEventTypes: 'stage',
  showEventType: 'stage',
  listMessages: 'looks',
  listMessagesOfPayment: 'looks',
  showPayment: 'looks',
  previewFilter: 'never',
  showMessage: 'looks',
  resendMessage: 'never',
  cancelMessage: 'never',
  previewRecovery: 'never',
  startRecovery: 'never',
  stopRecovery: 'never',
  showRecovery: 'looks',
  listChanges: 'looks',
  createPortalSession: 'never',
  exchangePortalSession: 'no token',
  listPortalSessions: 'never',
  revokePortalSession: 'never',
  listEndpointsInTrouble: 'stage',
  showQueues: 'stage',
  listServices: 'stage',
  showStageStatistics: 'stage',
  listUnacknowledged: 'stage',
  operateCircuit: 'operates',
  exchangeStageSession: 'no token',
  endStageSession: 'stage',
};

type Admitted = { readonly caller: Caller } | { readonly refused: Answer };

/**
 * The only place that decides what sessions of the whole stage may do, for every operation of every function:
 * who the caller is to the operation, or why it is refused.
 *
 * @param operation undefined where there is none: what answers then shows nothing
 * @param service that the request names
 */
export function admittedToStage(
  caller: Caller,
  operation: Described | undefined,
  service: string | undefined,
): Admitted {
  if (operation === undefined) {
    return { caller };
  }
  const { stage } = caller;
  if (stage === undefined) {
    return operation.isOfStage && operation.scope !== 'none'
      ? refused('This operation is for the people who run this stage.')
      : { caller };
  }
  switch (STAGE_ACCESS[operation.id]) {
    case 'looks':
      return serviceIdSchema.safeParse(service).success
        ? { caller: { ...caller, service_id: service as string } }
        : {
            refused: refusal(
              'malformed-request',
              `Name the service in the header "${SERVICE_HEADER}": 1 to 64 letters, digits, hyphens or underscores.`,
            ),
          };
    case 'stage':
      return { caller };
    case 'operates':
      return mayOperate(stage)
        ? { caller }
        : refused('A session of an analyst only looks: ask the person on call.');
    default:
      return refused('A session of the whole stage cannot do this: it is for the service itself.');
  }
}

/**
 * The only place that decides what sessions of the whole stage see: every answer passes it. Problems quote
 * nothing but the request, and what was made once belongs to operations without a token.
 */
export function asShownTo({ stage }: Caller, answer: Answer): Answer {
  if (stage === undefined || answer.status >= 400) {
    return answer;
  }
  const { once: _, body, ...rest } = answer;
  return { ...rest, ...(body === undefined ? {} : { body: shownToStage(body) }) };
}

function mayOperate(rights: StageRights): boolean {
  return rights === 'on-call';
}

function refused(detail: string): Admitted {
  return { refused: refusal('stage-session', detail) };
}
