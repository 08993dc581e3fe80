import type { CallCounts } from './call-count.ts';
import { CALLS_PATH, SETTINGS_PATH } from './proxy.ts';
import type { SettingsOptions } from './settings.ts';

/** The proxy before the store of a running stack. */
export interface SlowStoreControl {
  /** These rules from now on; none: everything as it is. @throws when they cannot be used, naming what is at fault */
  behave(settings: SettingsOptions): Promise<void>;
  /** What functions have asked since the settings were last put. */
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
