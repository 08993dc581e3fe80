import type { SubscriptionView } from '../../functions/core/subscription/subscription-view.ts';
import { MAX_COUNTED } from '../../functions/core/trouble/max-counted.ts';
import { TEXT } from '../texts.ts';
import { count, counted } from '../words/numbers.ts';

/** What the person on call may do with an endpoint's circuit. */
export type Signal = 'open' | 'drain' | 'close';

/** What the API answers: what a signal has changed, or would. */
export interface Operated {
  readonly dry_run: boolean;
  readonly to: SubscriptionView['circuit']['state'];
}

/** What a signal does, or has done, in sentences. @param waiting messages of the endpoint that wait */
export function effectOf(signal: Signal, { dry_run, to }: Operated, waiting: number): readonly string[] {
  const text = TEXT.stage.effect;
  // Also where somebody else was faster.
  if (!dry_run) return [text.done[signal]];
  const messages =
    waiting >= MAX_COUNTED ? `${count(waiting)}${TEXT.stage.orMore} messages` : counted(waiting, 'message');
  switch (signal) {
    case 'open':
      return [text.stops, text.keepsWaiting(messages), text.givenUp];
    case 'drain':
      return [waiting === 0 ? text.nothingWaits : text.sends(messages), text.goesOn, text.mayFail];
    case 'close':
      return [to === 'closed' ? text.resumes : text.resumesBehind(messages), text.mayFail];
  }
}
