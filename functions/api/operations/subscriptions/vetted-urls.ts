import { type Answer, refusal, refusalOf } from '../../../core/api/answer.ts';
import type { Callback } from '../../../core/subscription/callback-url.ts';
import type { ApiPorts } from '../../api-request.ts';

const FIELDS = ['callback_url', 'notices_url'] as const;
type Field = (typeof FIELDS)[number];

/** The normal forms of the URLs that were given, or why one is refused. */
export async function vettedUrls(
  given: { readonly [Name in Field]?: string | null | undefined },
  live: boolean,
  ports: Pick<ApiPorts, 'callbackUrls'>,
): Promise<{ readonly [Name in Field]?: string } | Answer> {
  const urls: { [Name in Field]?: string } = {};
  for (const field of FIELDS) {
    const url = given[field];
    if (typeof url === 'string') {
      const vetted = await vettedUrl({ url, live }, field, ports);
      if ('status' in vetted) {
        return vetted;
      }
      urls[field] = vetted.url;
    }
  }
  return urls;
}

async function vettedUrl(
  callback: Callback,
  field: Field,
  { callbackUrls }: Pick<ApiPorts, 'callbackUrls'>,
): Promise<{ readonly url: string } | Answer> {
  const vetted = await callbackUrls.vet(callback);
  switch (vetted.kind) {
    case 'accepted':
      return { url: vetted.url };
    case 'undecided':
      return refusal('look-up-failed', vetted.reason, { 'retry-after': '5' });
    case 'refused':
      return refusalOf([{ field, reason: vetted.reason }], 'callback-url-refused', vetted.reason);
  }
}
