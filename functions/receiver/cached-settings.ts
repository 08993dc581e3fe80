import type { ReceiverStore } from './receiver-store.ts';

type SettingsOf = ReceiverStore['settingsOf'];

/** The same reading, at most once per endpoint and `forMs`. A reading that fails is not kept. */
export function cachedSettings(settingsOf: SettingsOf, forMs: number, nowMs: () => number): SettingsOf {
  const readings = new Map<
    string,
    { readonly untilMs: number; readonly settings: Awaited<ReturnType<SettingsOf>> }
  >();
  return async (endpoint) => {
    const known = readings.get(endpoint);
    if (known !== undefined && nowMs() < known.untilMs) return known.settings;
    const settings = await settingsOf(endpoint);
    readings.set(endpoint, { untilMs: nowMs() + forMs, settings });
    return settings;
  };
}
