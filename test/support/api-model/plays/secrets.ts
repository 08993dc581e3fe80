import fc from 'fast-check';
import { malformed, type Play, unreadable, valid } from '../play.ts';
import type { KnownSubscription } from '../world.ts';
import { learnEtag, obstacle } from './conditional.ts';

const MAX_ACTIVE = 4;

const rotateSecret: Play = {
  once: 'signing_secret',
  body: fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .constantFrom<object | ''>(
          '',
          {},
          { overlap_seconds: 0 },
          { overlap_seconds: 3_600 },
          { overlap_seconds: 604_800 },
        )
        .map((body) => valid(() => body)),
    },
    {
      weight: 1,
      arbitrary: fc
        .uint8Array({ minLength: 24, maxLength: 64 })
        .map((bytes) => valid(() => ({ signing_secret: `whsec_${Buffer.from(bytes).toString('base64')}` }))),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        ...[-1, 604_801, 1.5, '0', null].map((overlap_seconds) => malformed({ overlap_seconds })),
        ...['whsec_', 'whsec_AAAA', '', 7].map((signing_secret) => malformed({ signing_secret })),
      ),
    },
    { weight: 1, arbitrary: unreadable },
  ),
  expects(sent) {
    const staying = (sent.subscription?.secrets ?? []).filter(
      ({ isEnding }) => isEnding || sent.body.overlap_seconds !== 0,
    );
    return [obstacle(sent) ?? (staying.length >= MAX_ACTIVE ? 'too-many-secrets' : 201)];
  },
  learn(sent, answer) {
    const known = sent.subscription as KnownSubscription;
    const { secret_id, signing_secret, signing_secrets } = answer.body;
    const staying = known.secrets.filter(({ isEnding }) => isEnding || sent.body.overlap_seconds !== 0);
    expect(known.secrets.map(({ id }) => id)).not.toContain(secret_id);
    known.secrets = [
      { id: secret_id, isEnding: false },
      ...staying.map(({ id }) => ({ id, isEnding: true })),
    ];
    expect(shownSecrets(signing_secrets)).toEqual(known.secrets);
    sent.service.hidden.push(signing_secret);
    learnEtag(sent, answer, 'rotateSecret', true);
  },
};

const revokeSecret: Play = {
  expects(sent) {
    const { secret_id } = sent.request.params;
    const secrets = sent.subscription?.secrets ?? [];
    const left = secrets.filter(({ id }) => id !== secret_id);
    const bar =
      left.length === secrets.length ? 'not-found' : left.every(({ isEnding }) => isEnding) && 'last-secret';
    return [obstacle(sent) ?? (bar || 200)];
  },
  learn(sent, answer) {
    const known = sent.subscription as KnownSubscription;
    known.secrets = known.secrets.filter(({ id }) => id !== sent.request.params.secret_id);
    expect(shownSecrets(answer.body.signing_secrets)).toEqual(known.secrets);
    learnEtag(sent, answer, 'revokeSecret', true);
  },
};

function shownSecrets(
  secrets: readonly { secret_id: string; expires_at?: string }[],
): KnownSubscription['secrets'] {
  return secrets.map(({ secret_id, expires_at }) => ({ id: secret_id, isEnding: expires_at !== undefined }));
}

export const SECRET_PLAYS = { rotateSecret, revokeSecret };
