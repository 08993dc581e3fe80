import { ALL_CHECKS } from './all-checks.ts';
import type { Check } from './check.ts';
import { byHand, itemsOf } from './checklist.ts';
import { DOCTOR_HELP, doctorOptions } from './doctor-options.ts';
import { type Colors, isWell, reportText } from './doctor-report.ts';
import { type Examined, examine } from './examine.ts';
import type { ExaminedStage, examinedStage } from './examined-stage.ts';

export interface DoctorSurroundings {
  /** @throws ExplainedError when the stage cannot be looked at */
  stage(name: Parameters<typeof examinedStage>[0]): Promise<ExaminedStage>;
  print(text: string): void;
  /** Absent where nobody watches. */
  readonly progress?: (line: string) => void;
  readonly colors: Colors;
  /** @default - all there are */
  readonly checks?: readonly Check[];
}

/**
 * Looks a stage over.
 *
 * @returns whether nothing failed
 * @throws ExplainedError when it could not be run
 */
export async function doctorCommand(args: string[], surroundings: DoctorSurroundings): Promise<boolean> {
  const { print, progress, colors, checks = ALL_CHECKS } = surroundings;
  const options = doctorOptions(args);
  if (options === 'help') {
    print(DOCTOR_HELP);
    return true;
  }
  progress?.(`looking for the stage ${options.stage} …`);
  const stage = await surroundings.stage(options.stage);
  const wanted = checks.filter(({ name }) => options.only?.includes(name) ?? true);
  const findings: Examined[] = [];
  for (const [index, check] of wanted.entries()) {
    progress?.(`${index + 1} of ${wanted.length}: ${check.name} …`);
    findings.push(await examine(check, stage));
  }
  const { accountId, region, caller } = stage;
  // Who asks for some checks does not want to hear of all that is left, and of the emulator there is nothing to be done by hand.
  const isWhole = options.only === undefined && !stage.settings.emulated;
  const examination = {
    stage: options.stage,
    accountId,
    region,
    caller,
    findings,
    byHand: isWhole ? byHand(itemsOf(stage.settings), checks) : [],
  };
  const json = () => JSON.stringify({ ok: isWell(examination), ...examination });
  print(`${options.json ? json() : reportText(examination, colors)}\n`);
  return isWell(examination);
}
