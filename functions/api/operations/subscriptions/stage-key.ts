import { type Answer, refusal } from '../../../core/api/answer.ts';
import { type Subscription, wantsStageKey } from '../../../core/subscription/subscription.ts';
import type { ApiPorts } from '../../api-request.ts';

/** The refusal of settings that need a key of the stage, if it has none. */
export async function withoutStageKey(
  settings: Pick<Subscription, 'extra_signatures'>,
  { stageKeys }: Pick<ApiPorts, 'stageKeys'>,
): Promise<Answer | undefined> {
  return !wantsStageKey(settings) || (await stageKeys()) !== undefined
    ? undefined
    : refusal(
        'no-stage-key',
        'This stage has no key for rfc9421 yet. Its operator makes one: npm run ops -- stage-keys rotate.',
      );
}
