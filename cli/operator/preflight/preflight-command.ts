import type { Check } from '../doctor/check.ts';
import { type Colors, isWell, reportText } from '../doctor/doctor-report.ts';
import { type Examined, examine } from '../doctor/examine.ts';
import type { StageInAccount, stageInAccount } from '../doctor/examined-stage.ts';
import { PREFLIGHT_CHECKS } from './all-checks.ts';
import type { PlannedStage } from './planned-stage.ts';
import { PREFLIGHT_HELP, preflightOptions } from './preflight-options.ts';

export interface PreflightSurroundings {
  stage(name: Parameters<typeof stageInAccount>[0]): Promise<StageInAccount>;
  print(text: string): void;
  /** Absent where nobody watches. */
  readonly progress?: (line: string) => void;
  readonly colors: Colors;
  /** @default - all there are */
  readonly checks?: readonly Check<PlannedStage>[];
}

/**
 * Looks whether a stage can be deployed.
 *
 * @returns whether nothing is missing
 */
export async function preflightCommand(
  args: string[],
  { stage: find, print, progress, colors, checks = PREFLIGHT_CHECKS }: PreflightSurroundings,
): Promise<boolean> {
  const options = preflightOptions(args);
  if (options === 'help') {
    print(PREFLIGHT_HELP);
    return true;
  }
  progress?.(`looking for account and region of ${options.stage} …`);
  const found = await find(options.stage);
  const planned = { ...found, eventsPerSecond: options['events-per-second'] };
  const findings: Examined[] = [];
  for (const [index, check] of checks.entries()) {
    progress?.(`${index + 1} of ${checks.length}: ${check.name} …`);
    findings.push(await examine(check, planned));
  }
  const { accountId, region, caller } = found;
  const examination = { stage: options.stage, accountId, region, caller, findings, byHand: [] };
  const json = () => JSON.stringify({ ok: isWell(examination), ...examination });
  print(`${options.json ? json() : reportText(examination, colors)}\n`);
  return isWell(examination);
}
