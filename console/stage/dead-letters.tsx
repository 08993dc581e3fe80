import { useSignedIn } from '../app/session.ts';
import { TEXT } from '../texts.ts';
import { CopyButton } from '../view/copy-button.tsx';
import { counted } from '../words/numbers.ts';
import type { Queue } from './queues.tsx';
import { Runbook } from './runbook.tsx';

/** What was set aside, before all else: why, and the way back. Nothing while there is none. */
export function DeadLetters({ queues }: { readonly queues: readonly Queue[] }) {
  const stage = useSignedIn().portal?.deployment?.name ?? '';
  const some = queues.filter(({ waiting }) => waiting > 0);
  if (some.length === 0) return null;
  return (
    <section class="notice bad">
      <h2>{TEXT.stage.dead.title}</h2>
      {some.map(({ runbook, waiting }) => {
        const { what, why, look } = TEXT.stage.dead.of[runbook] ?? TEXT.stage.dead.other(runbook);
        const command = look(stage);
        return (
          <div key={runbook}>
            <h3>
              {counted(waiting, 'dead letter')}: {what}
            </h3>
            <p>
              {why} {TEXT.stage.whatToDo} <Runbook section={runbook} />
            </p>
            <p>
              {TEXT.stage.dead.look} <code>{command}</code>{' '}
              <CopyButton text={() => command} label={TEXT.stage.dead.copy} />
            </p>
          </div>
        );
      })}
    </section>
  );
}
