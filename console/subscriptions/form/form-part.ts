import type { Draft } from './draft.ts';

/** What each part of the form gets. */
export interface FormPart {
  readonly draft: Draft;
  readonly change: (changed: Partial<Draft>) => void;
  /** What is wrong with a field, or with a part of it. */
  readonly errorOf: (name: keyof Draft) => string | undefined;
}
