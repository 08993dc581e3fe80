import type { PortalSessionView } from '../../../functions/core/api/portal/portal-session-view.ts';
import { ExplainedError } from '../../terminal/explanation.ts';
import { numberOption } from '../../terminal/option-kinds.ts';
import { textTable } from '../../terminal/terminal.ts';
import { ID, partnerCommand } from '../partner-command.ts';

export const SESSION_OPTIONS = {
  read: { help: 'may look, and nothing else (the default)' },
  manage: { help: 'may also change and send' },
  subscription: {
    value: 'ID',
    isList: true,
    help: 'reaches only this subscription; may be repeated (default: all of the service)',
  },
  hours: numberOption('how long the session lasts (default: 8)', 0.1, 12),
} as const;

/** @throws ExplainedError when both rights are given */
export function checkRights({ read, manage }: { readonly read: boolean; readonly manage: boolean }): void {
  if (read && manage) {
    throw new ExplainedError('--read and --manage exclude each other: --manage may look, too.');
  }
}

/** What was typed, as the API takes it. */
export function wishesOf({
  manage,
  subscription,
  hours,
}: {
  readonly manage: boolean;
  readonly subscription: readonly string[] | undefined;
  readonly hours: number | undefined;
}) {
  return {
    rights: manage ? ('manage' as const) : ('read' as const),
    ...(subscription === undefined ? {} : { subscriptions: subscription }),
    ...(hours === undefined ? {} : { lasts_seconds: Math.round(hours * 3_600) }),
  };
}

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

/** @param url undefined in the answer to a repeated request */
export function linkText(url: string | undefined, session: PortalSessionView, end: string): string {
  const { session_id, rights, subscriptions, link_expires_at, expires_at } = session;
  const may = rights === 'manage' ? 'may look, change and send' : 'may look';
  const reach = subscriptions === undefined ? '' : ` in ${subscriptions.join(', ')} only`;
  return [
    url ?? 'The link was shown by an earlier answer to this request, and is kept nowhere: make another.',
    '',
    `It signs in whoever opens it first, until ${link_expires_at}: give it to one person.`,
    `${session_id} ${may}${reach}, until ${expires_at}. To end it sooner: ${end} ${session_id}`,
  ].join('\n');
}
