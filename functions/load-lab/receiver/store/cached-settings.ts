import { RecentlyUsed } from '../../../runtime/recently-used.ts';
import type { ReceiverStore } from './receiver-store.ts';

type SettingsOf = ReceiverStore['settingsOf'];

/** Whoever knows the receiver's URL may ask for any endpoint. */
const MAX_CACHED = 1_000;

/** The same reading, at most once per endpoint and `forMs`, of the last thousand endpoints. A reading that fails is not kept. */
export function cachedSettings(settingsOf: SettingsOf, forMs: number, nowMs: () => number): SettingsOf {
  const readings = new RecentlyUsed<{
    readonly untilMs: number;
    readonly settings: Awaited<ReturnType<SettingsOf>>;
  }>(MAX_CACHED);
  return async (endpoint) => {
    const known = readings.get(endpoint);
    if (known !== undefined && nowMs() < known.untilMs) return known.settings;
    const settings = await settingsOf(endpoint);
    readings.set(endpoint, { untilMs: nowMs() + forMs, settings });
    return settings;
  };
}
