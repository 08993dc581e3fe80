import { RecentlyUsed } from '../../../runtime/recently-used.ts';
import type { ReceiverStore } from './receiver-store.ts';

type SettingsOf = ReceiverStore['settingsOf'];

/** A limit, because anybody who knows the receiver's URL can name any endpoint. */
const MAX_CACHED = 1_000;

/** Caches the settings of the last thousand endpoints for `forMs`. Failures are not cached. */
export function cachedSettings(settingsOf: SettingsOf, forMs: number, nowMs: () => number): SettingsOf {
  const cache = new RecentlyUsed<{
    readonly untilMs: number;
    readonly settings: Awaited<ReturnType<SettingsOf>>;
  }>(MAX_CACHED);
  return async (endpoint) => {
    const known = cache.get(endpoint);
    if (known !== undefined && nowMs() < known.untilMs) return known.settings;
    const settings = await settingsOf(endpoint);
    cache.set(endpoint, { untilMs: nowMs() + forMs, settings });
    return settings;
  };
}
