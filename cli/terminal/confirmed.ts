import { STAGES } from '../../lib/stages.ts';
import { ExplainedError } from './explained-error.ts';

/**
 * Nobody changes prod with a command that was meant for another stage.
 *
 * @throws ExplainedError unless its name has been typed once more
 */
export function confirmed(
  command: string,
  wanted: { stage: string; yes: boolean; confirm?: string | undefined },
): void {
  if (wanted.yes && holdsRealPayments(wanted.stage) && wanted.confirm !== wanted.stage) {
    throw new ExplainedError(
      `${wanted.stage} holds real payments. Look at it without --yes first; then say its name once more: ` +
        `npm run ${command} -- … --stage ${wanted.stage} --yes --confirm ${wanted.stage}`,
    );
  }
}

/**
 * The same for what is done at once elsewhere, since it harms nobody there.
 *
 * @throws ExplainedError unless --yes was said, and its name once more
 */
export function confirmedWhereReal(
  command: string,
  wanted: { stage: string; yes: boolean; confirm?: string | undefined },
): void {
  if (holdsRealPayments(wanted.stage)) {
    confirmed(command, { ...wanted, yes: true, confirm: wanted.yes ? wanted.confirm : undefined });
  }
}

/** Whether what is changed there cannot be made good by deploying once more. */
export function holdsRealPayments(stage: string): boolean {
  return STAGES[stage as keyof typeof STAGES].keepsData;
}
