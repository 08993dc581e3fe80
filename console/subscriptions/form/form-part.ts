import type { Draft } from './draft.ts';

/** What each part of the form gets. */
export interface FormPart {
  readonly draft: Draft;
  readonly change: (changed: Partial<Draft>) => void;
  /** What is wrong with a field, or with a part of it. */
  readonly errorOf: (name: keyof Draft) => string | undefined;
}

type TextName = 'callback_url' | 'description' | 'timeout_ms' | 'rate_limit' | 'contact' | 'notices_url';

/** What connects a field of text with the draft. */
export function textOf({ draft, change, errorOf }: FormPart, name: TextName) {
  return {
    id: name,
    error: errorOf(name),
    value: draft[name],
    typed: (text: string) => change({ [name]: text }),
  };
}
