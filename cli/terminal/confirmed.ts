import { STAGES } from '../../payhooks.config.ts';
import { ExplainedError } from './explained-error.ts';

interface Wanted {
  readonly stage: string;
  readonly yes: boolean;
  readonly confirm?: string | undefined;
}

/**
 * Keeps a command that was meant for another stage from changing prod.
 *
 * @param command of `npm run ops`
 * @throws ExplainedError unless the name of the stage was typed again
 */
export function confirmed(command: string, { stage, yes, confirm }: Wanted): void {
  if (yes && holdsRealPayments(stage) && confirm !== stage) {
    throw new ExplainedError(
      `${stage} holds real payments. Run the command without --yes first; then repeat the name of the stage: ` +
        `npm run ops -- ${command} … --stage ${stage} --yes --confirm ${stage}`,
    );
  }
}

/**
 * The same for a command that asks for no --yes elsewhere, because it does no harm there.
 *
 * @throws ExplainedError unless --yes was given, and the name of the stage again
 */
export function confirmedWhereReal(command: string, wanted: Wanted): void {
  if (holdsRealPayments(wanted.stage)) {
    confirmed(command, { ...wanted, yes: true, confirm: wanted.yes ? wanted.confirm : undefined });
  }
}

/** Whether deploying again cannot bring back what is changed there. */
export function holdsRealPayments(stage: string): boolean {
  return STAGES[stage as keyof typeof STAGES].keepsData;
}
