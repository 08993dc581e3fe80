import type { PortalSessionView } from '../../../../functions/core/api/portal/portal-session-view.ts';

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
