import { randomBytes } from 'node:crypto';
import { CODE_BYTES, codeOf, consolePathOf } from '../../../functions/core/api/portal/portal-secrets.ts';
import {
  DEFAULT_SESSION_SECONDS,
  newPortalSession,
} from '../../../functions/core/api/portal/portal-session.ts';
import { portalSessionView } from '../../../functions/core/api/portal/portal-session-view.ts';
import type { SubscriptionRegistry } from '../../../functions/core/api/subscription-registry.ts';
import { checkRights, linkText, SESSION_OPTIONS, wishesOf } from '../../partner/commands/portal.ts';
import type { ChosenDeployment } from '../../stage/chosen-deployment.ts';
import { ExplainedError } from '../../terminal/explanation.ts';
import { recorded } from '../audit/audit-command.ts';
import { CHANGES_STAGE, operatorCommand, SERVICE } from '../operator-command.ts';
import { type StagePortal, stagePortal } from './portal-stage.ts';

const REMARKS = `Whoever opens the link sees the payments of the service: their webhooks with bodies, answers and contacts. Its partner sees the
session in sessions and changes, as made by an operator, and can end it.`;

/** @param portalOf of a stage */
export function portalCommands(portalOf: (stage: ChosenDeployment) => Promise<StagePortal> = stagePortal) {
  return [
    operatorCommand({
      name: 'portal',
      summary:
        "Make a link that signs one person in to the console of a service, without the partner's token",
      arguments: { service: SERVICE },
      options: {
        ...SESSION_OPTIONS,
        ...CHANGES_STAGE,
        yes: { help: 'needed on prod; elsewhere it is made at once' },
      },
      example: 'bakery --hours 1',
      remarks: REMARKS,
      changesAtOnce: true,
      check: checkRights,
      async run(given, { access, now, print }) {
        const { service, stage } = given;
        const { rights, subscriptions, lasts_seconds } = wishesOf(given);
        const { apiUrl, sessions, subscriptions: registry } = await portalOf(stage);
        await checkSubscriptions(service, subscriptions, registry);
        const code = codeOf(randomBytes(CODE_BYTES));
        const wanted = {
          service_id: service,
          rights,
          ...(subscriptions === undefined ? {} : { subscriptions: [...new Set(subscriptions)] }),
          lastsSeconds: lasts_seconds ?? DEFAULT_SESSION_SECONDS,
        };
        const session = newPortalSession(wanted, code, undefined, now());
        const { session_id } = session;
        const deed = { command: 'portal', arguments: { service, rights } };
        await recorded(await (await access(stage)).operators(), deed, async () => {
          await sessions.add(session);
          const changed = { portal_session: { to: session_id }, rights: { to: rights } };
          return {
            result: undefined,
            outcome: { session_id },
            changes: [{ service_id: service, operation: 'createPortalSession', changed }],
          };
        });
        const url = `${apiUrl}${consolePathOf(code)}`;
        const view = portalSessionView(session);
        print(linkText(url, view, endWith(service, stage)), { ...view, url });
        return true;
      },
    }),
    operatorCommand({
      name: 'end-session',
      summary: 'End a portal session of a service; its link and its token fail from the next request on',
      arguments: { service: SERVICE, session: { help: 'ses_…, as portal and the trail show it' } },
      options: {
        ...CHANGES_STAGE,
        yes: { help: 'needed on prod; elsewhere it is ended at once' },
      },
      example: 'bakery ses_jrm2Q4Ev3ibAiZhepIZAhY',
      changesAtOnce: true,
      async run({ service, session: id, stage }, { access, now, print }) {
        const { sessions } = await portalOf(stage);
        const found = await sessions.find(id);
        if (found?.service_id !== service) {
          throw new ExplainedError(
            `${service} has no portal session ${JSON.stringify(id)} on ${stage}. Its trail names them: npm run ops -- audit ${stage.option}`,
          );
        }
        const deed = { command: 'end-session', arguments: { service, session: id } };
        await recorded(await (await access(stage)).operators(), deed, async () => {
          await sessions.revoke(id, new Date(now()).toISOString());
          const changed = { portal_session: { from: id } };
          return {
            result: undefined,
            outcome: { ended: 1 },
            changes: [{ service_id: service, operation: 'revokePortalSession', changed }],
          };
        });
        print(`${id} has ended.`, { session_id: id });
        return true;
      },
    }),
  ];
}

function endWith(service: string, stage: ChosenDeployment): string {
  return `npm run ops -- end-session ${service}${stage.isLocal ? '' : ` ${stage.option}`}`;
}

async function checkSubscriptions(
  service: string,
  wanted: readonly string[] | undefined,
  { list }: Pick<SubscriptionRegistry, 'list'>,
): Promise<void> {
  if (wanted === undefined) {
    return;
  }
  const known = (await list(service)).map(({ subscription_id }) => subscription_id);
  const unknown = wanted.filter((id) => !known.includes(id));
  if (unknown.length > 0) {
    throw new ExplainedError(
      `${service} has no subscription ${unknown.map((id) => JSON.stringify(id)).join(', ')}; it has ${known.join(', ') || 'none'}.`,
    );
  }
}
