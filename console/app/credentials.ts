import { apiClient } from '../api/client.ts';
import { FailedRequestError } from '../api/failure.ts';
import { TEXT } from '../texts.ts';
import type { PortalSession } from './kept.ts';
import { codeIn } from './route.ts';
import { signIn } from './session.ts';

/**
 * Signs in with a token of the API or a link.
 *
 * @param keeps whether a reload, or a new tab, is signed in too
 * @throws FailedRequestError
 */
export async function signInWith(typed: string, keeps: boolean): Promise<void> {
  const code = typed.startsWith('phc_') ? typed : codeIn(typed.slice(Math.max(0, typed.indexOf('#'))));
  if (code !== undefined) {
    return exchange(code, keeps);
  }
  if (!/^[\x21-\x7e]+$/.test(typed)) {
    throw new FailedRequestError({ kind: 'signed_out', detail: TEXT.signIn.noToken });
  }
  const { service } = await apiClient(typed).request('GET', '/subscriptions');
  signIn({ token: typed, service }, keeps);
}

/**
 * Signs in with the code of a link. Until that has succeeded, whoever is signed in stays.
 *
 * @throws FailedRequestError
 */
export async function exchange(code: string, keeps = true): Promise<void> {
  const path = code.startsWith('phc_stage_') ? '/stage/sessions/exchange' : '/portal-sessions/exchange';
  const { body } = await apiClient(undefined).request<PortalSession>('POST', path, { body: { code } });
  const { token, ...portal } = body;
  signIn(
    { token, service: portal.service_id, portal: portal.stage ? { ...portal, rights: 'read' } : portal },
    keeps,
  );
}
