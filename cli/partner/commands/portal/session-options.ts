import { ExplainedError } from '../../../terminal/explained-error.ts';
import { numberOption } from '../../../terminal/option-kinds.ts';

export const SESSION_OPTIONS = {
  read: { help: 'may look, and nothing else (the default)' },
  manage: { help: 'may also change and send' },
  subscription: {
    value: 'ID',
    isList: true,
    help: 'reaches only this subscription; may be repeated (default: all of the service)',
  },
  hours: numberOption('how long the session lasts (default: 8)', 0.1, 12),
} as const;

/** @throws ExplainedError when both rights are given */
export function checkRights({ read, manage }: { readonly read: boolean; readonly manage: boolean }): void {
  if (read && manage) {
    throw new ExplainedError('--read and --manage exclude each other: --manage may look, too.');
  }
}

/** What was typed, as the API takes it. */
export function wishesOf({
  manage,
  subscription,
  hours,
}: {
  readonly manage: boolean;
  readonly subscription: readonly string[] | undefined;
  readonly hours: number | undefined;
}) {
  return {
    rights: manage ? ('manage' as const) : ('read' as const),
    ...(subscription === undefined ? {} : { subscriptions: subscription }),
    ...(hours === undefined ? {} : { lasts_seconds: Math.round(hours * 3_600) }),
  };
}
