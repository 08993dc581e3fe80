import { CALLS_PATH, type CallCounts, SETTINGS_PATH } from './proxy.ts';
import type { SettingsOptions } from './settings.ts';

/** Controls the proxy in front of the store of a running stack. */
export interface SlowStoreControl {
  /** Replaces all settings; none forward every call unchanged. @throws when one is invalid, naming it */
  behave(settings: SettingsOptions): Promise<void>;
  /** Calls since the settings were last replaced. */
  calls(): Promise<CallCounts>;
}

export function slowStoreControl(url: string): SlowStoreControl {
  return {
    async behave(settings) {
      await answerOf(`${url}${SETTINGS_PATH}`, { method: 'PUT', body: JSON.stringify(settings) });
    },
    calls: async () => (await answerOf(`${url}${CALLS_PATH}`)) as CallCounts,
  };
}

async function answerOf(url: string, init?: RequestInit): Promise<unknown> {
  const answer = await fetch(url, init);
  const body = (await answer.json()) as { readonly message?: string };
  if (!answer.ok) {
    throw new Error(`${url}: ${answer.status}: ${body.message}`);
  }
  return body;
}
