import { type Answer, refusal, refusalOf } from '../../../core/api/answer.ts';
import type { Callback } from '../../../core/subscription/callback-url.ts';
import type { ApiPorts } from '../../api-request.ts';

/** The normal form of a callback URL, or why it is refused. */
export async function vettedCallback(
  callback: Callback,
  { callbackUrls }: Pick<ApiPorts, 'callbackUrls'>,
): Promise<{ readonly url: string } | Answer> {
  const vetted = await callbackUrls.vet(callback);
  switch (vetted.kind) {
    case 'accepted':
      return { url: vetted.url };
    case 'undecided':
      return refusal('look-up-failed', vetted.reason, { 'retry-after': '5' });
    case 'refused':
      return refusalOf(
        [{ field: 'callback_url', reason: vetted.reason }],
        'callback-url-refused',
        vetted.reason,
      );
  }
}
