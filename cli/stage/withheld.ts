import { refusalIn } from '../operator/doctor/permissions/refusal.ts';

/** What the caller may not read, each as a sentence for them. A command shows the rest. */
export type Withheld = Set<string>;

export const WITHHELD = {
  details:
    'How long attempts took, and in which words they failed, is not shown: your role may not read the history itself. Ask the log: docs/operations.md#one-partner-is-down',
  answers:
    'In which words attempts failed, and what came of the first of several, is not shown: your role sees no answers of endpoints. Ask the log: docs/operations.md#where-is-the-webhook-of-a-payment',
  owner:
    'Callback URLs and descriptions are not shown: your role sees only the health of a subscription. Operators may see them.',
} as const;

/** What was read; undefined when AWS refused it, which is then added to `withheld`. */
export async function unlessRefused<Value>(
  read: () => Promise<Value>,
  withheld: Withheld,
  sentence: string,
): Promise<Value | undefined> {
  try {
    return await read();
  } catch (error) {
    if (refusalIn(error) === undefined) {
      throw error;
    }
    withheld.add(sentence);
    return undefined;
  }
}
