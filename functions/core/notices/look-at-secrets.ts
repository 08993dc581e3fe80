import { instant } from '../text/instant.ts';
import type { Step, Told } from './episodes.ts';
import { noticeOf } from './notice.ts';

/** A secret that ends within a day is about to end. */
const ENDING_MS = 24 * 3_600_000;

/** New secrets, and those that end within a day. Those that are there at the first look are no news. */
export function lookAtSecrets(...[episodes, seen, , nowMs]: Parameters<Step>): Told {
  const secrets = (seen.signing_secrets ?? []).filter(({ expires_at }) => isAfter(expires_at, nowMs));
  const before = episodes.secrets ?? { known: secrets.map(({ secret_id }) => secret_id), ending: [] };
  const added = secrets.filter(({ secret_id }) => !before.known.includes(secret_id));
  const nearing = secrets.filter(
    ({ secret_id, expires_at }) =>
      expires_at !== undefined &&
      !isAfter(expires_at, nowMs + ENDING_MS) &&
      !before.ending.includes(secret_id),
  );
  const ids = new Set(secrets.map(({ secret_id }) => secret_id));
  const isSame = episodes.secrets !== undefined && added.length === 0 && nearing.length === 0;
  if (isSame && before.known.every((id) => ids.has(id))) {
    return { episodes, notices: [] };
  }
  const at = instant(nowMs);
  const endsAt = (of: typeof secrets) =>
    of.flatMap(({ expires_at }) => (expires_at === undefined ? [] : [expires_at])).sort()[0];
  const newest = added
    .map(({ created_at }) => created_at)
    .sort()
    .at(-1);
  const first = nearing[0];
  // The notice of a rotation says when the others end: those need no notice besides.
  const notices =
    newest !== undefined
      ? [noticeOf('secret.rotated', seen, newest, { at, since: newest, ends_at: endsAt(secrets) })]
      : first !== undefined
        ? [
            noticeOf('secret.ending', seen, first.secret_id, {
              at,
              since: first.created_at,
              ends_at: endsAt(nearing),
            }),
          ]
        : [];
  const ending = [...before.ending, ...nearing.map(({ secret_id }) => secret_id)].filter((id) => ids.has(id));
  return { episodes: { ...episodes, secrets: { known: [...ids], ending } }, notices };
}

function isAfter(at: string | undefined, ms: number): boolean {
  return at === undefined || Date.parse(at) > ms;
}
