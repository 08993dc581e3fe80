import type { Clients, ExaminedStage } from '../../../../../cli/operator/doctor/examined-stage.ts';
import type { Stage } from '../../../../../lib/app/stage.ts';
import { deploymentSettings } from '../../../../../lib/deployment-record.ts';
import { PARTS, type RecordedSettings } from '../../../../../lib/recorded-deployment.ts';

// biome-ignore lint/suspicious/noExplicitAny: as many shapes as there are calls
type Answer = (input: any) => unknown;

/**
 * A stage whose AWS clients answer so. Each output is called as its value, each function, role and resource
 * as its construct.
 */
export function examined(
  stage: Stage,
  answers: Partial<Record<keyof Clients, Answer>>,
  over: Partial<ExaminedStage> = {},
): ExaminedStage {
  const clients = Object.entries(answers).map(([name, answer]) => [
    name,
    { send: async ({ input }: { input: unknown }) => answer(input) },
  ]);
  return {
    ...facts(stage),
    output: (_: string, name: string) => name,
    functionOf: (_: string, id: string) => ({ name: id, role: id }),
    named: async (_: string, __: string, id: string) => [id],
    clients: Object.fromEntries(clients),
    ...over,
  } as unknown as ExaminedStage;
}

/** What a stage of our own app has recorded of itself. */
export function facts(stage: Stage): Pick<ExaminedStage, 'deployment' | 'option' | 'settings' | 'parts'> {
  const absent = [
    ...(stage.archive === undefined ? ['archive'] : []),
    ...(stage.loadLab ? [] : ['load-lab']),
  ];
  const parts: RecordedSettings['parts'] = Object.fromEntries(
    PARTS.filter((part) => !absent.includes(part)).map((part) => [
      part,
      {
        stack: `payhooks-${stage.name}-${part}`,
        path: `${part[0]?.toUpperCase()}${part.slice(1)}`.replace('-l', 'L'),
      },
    ]),
  );
  return {
    deployment: `payhooks-${stage.name}`,
    option: `--stage ${stage.name}`,
    settings: deploymentSettings(stage),
    parts,
  };
}
