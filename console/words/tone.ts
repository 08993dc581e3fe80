/** `good`: as it should be. `waits`: not yet. `bad`: somebody has to act. `off`: on purpose. */
export type Tone = 'good' | 'waits' | 'bad' | 'off';
