import type { PortalSessionView } from '../../../../functions/core/api/portal/portal-session-view.ts';
import { textTable } from '../../../terminal/text-table.ts';
import { ID, partnerCommand } from '../../partner-command.ts';
import { linkText } from './link-text.ts';
import { checkRights, SESSION_OPTIONS, wishesOf } from './session-options.ts';

type Made = PortalSessionView & { readonly console_path?: string };

export const portal = partnerCommand({
  name: 'portal',
  summary: 'Make a link that signs one person in to the console, once, within ten minutes at most',
  example: '--manage --hours 2',
  options: SESSION_OPTIONS,
  check: checkRights,
  async run(given, { api, apiUrl, print }) {
    const body = wishesOf(given);
    const { console_path, ...session } = (await api('POST', '/portal-sessions', { body })) as Made;
    const url = console_path === undefined ? undefined : `${apiUrl}${console_path}`;
    print(linkText(url, session, 'npm run webhooks -- end-session'), { ...session, url });
    return true;
  },
});

export const sessions = partnerCommand({
  name: 'sessions',
  summary: 'List the portal sessions that are open: links that still work, and who is signed in',
  example: '',
  async run(_, { api, print }) {
    const answer = (await api('GET', '/portal-sessions')) as { portal_sessions: PortalSessionView[] };
    const rows = answer.portal_sessions.map((session) => [
      session.session_id,
      session.rights,
      session.subscriptions?.join(' ') ?? 'all',
      session.token_id ?? session.actor ?? '',
      session.created_at,
      session.exchanged_at ?? `no, until ${session.link_expires_at}`,
      session.expires_at,
    ]);
    const titles = ['session', 'rights', 'subscriptions', 'made by', 'made', 'used', 'until'];
    const lines = rows.length === 0 ? ['No portal session is open.'] : textTable([titles, ...rows]);
    print(lines.join('\n'), answer);
    return true;
  },
});

export const endSession = partnerCommand({
  name: 'end-session',
  arguments: { session: ID },
  summary: 'End a portal session; its link and its token fail from the next request on',
  example: 'ses_2cXj1x8',
  async run({ session }, { api, print }) {
    await api('DELETE', `/portal-sessions/${session}`);
    print(`${session} has ended.`, { session_id: session });
    return true;
  },
});
