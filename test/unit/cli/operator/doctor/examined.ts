import type { Clients, ExaminedStage } from '../../../../../cli/operator/doctor/examined-stage.ts';
import type { Stage } from '../../../../../lib/app/stage.ts';

// biome-ignore lint/suspicious/noExplicitAny: as many shapes as there are calls
type Answer = (input: any) => unknown;

/**
 * A stage whose AWS clients answer so. Each output is called as its value, each resource as the beginning of
 * its logical id.
 */
export function examined(
  settings: Stage,
  answers: Partial<Record<keyof Clients, Answer>>,
  over: Partial<ExaminedStage> = {},
): ExaminedStage {
  const clients = Object.entries(answers).map(([name, answer]) => [
    name,
    { send: async ({ input }: { input: unknown }) => answer(input) },
  ]);
  return {
    settings,
    output: (_: string, name: string) => name,
    named: async (_: string, __: string, id: string) => [id],
    clients: Object.fromEntries(clients),
    ...over,
  } as unknown as ExaminedStage;
}
