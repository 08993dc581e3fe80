import { useState } from 'preact/hooks';
import type { EndpointView } from '../../functions/core/trouble/endpoint-view.ts';
import { useLive } from '../api/live.ts';
import { hrefOf } from '../app/route.ts';
import { useSignedIn } from '../app/session.ts';
import { nameAmong } from '../subscriptions/subscription.ts';
import { TEXT } from '../texts.ts';
import { Badge } from '../view/badge.tsx';
import { CopyButton } from '../view/copy-button.tsx';
import { TextField } from '../view/field.tsx';
import { Empty, Read } from '../view/read.tsx';
import { Screen } from '../view/screen.tsx';
import { counted } from '../words/numbers.ts';
import { DayTable } from './day-table.tsx';
import type { Signal } from './effect.ts';
import { EndpointRow } from './endpoint-row.tsx';
import { groupsOf } from './groups.ts';
import { OperateDialog } from './operate-dialog.tsx';
import { QueuesTable } from './queues.tsx';
import { Runbook } from './runbook.tsx';
import { lacksOf, type Troubled } from './sentences.ts';
import { Totals } from './totals.tsx';
import type { Queue, Queues } from './trend.ts';
import { LIMITS, troubledPath } from './troubled-path.ts';
import { useStageDay } from './use-day.ts';

/** As long as the API keeps what it found. */
const LOOK_EVERY_MS = 10_000;

/** Who is in trouble over the whole stage, why, and what waits. */
export function HealthScreen() {
  const [limit, setLimit] = useState(LIMITS.first);
  const queues = useLive<Queues>('/stage/queues', LOOK_EVERY_MS);
  const live = useLive<Troubled>(troubledPath(limit), LOOK_EVERY_MS);
  const day = useStageDay();
  // Not of a row: once operated, it belongs to another cause.
  const [asked, setAsked] = useState<{ readonly endpoint: EndpointView; readonly signal: Signal }>();
  const text = TEXT.stage;
  return (
    <Screen title={text.title} name={text.title}>
      <Totals queues={queues.data} found={live.data} />
      {queues.data && <DeadLetters queues={queues.data.dead_letters} />}
      <Read live={live} what={text.notRead} lines={6}>
        {(found) => (
          <>
            {found.endpoints.length + lacksOf(found).length === 0 && <Empty>{text.none}</Empty>}
            {groupsOf(found.endpoints).map(({ cause, tone, runbook, endpoints }) => (
              <section key={cause}>
                <h2>
                  <Badge tone={tone} word={cause} /> {text.endpoints(endpoints.length)}
                </h2>
                <ul class="rows">
                  {endpoints.map((endpoint) => (
                    <EndpointRow
                      key={endpoint.subscription_id}
                      endpoint={endpoint}
                      name={nameAmong(endpoint, found.endpoints)}
                      runbook={runbook}
                      p95Ms={day.data?.p95Ms[endpoint.subscription_id]}
                      operate={(signal) => setAsked({ endpoint, signal })}
                    />
                  ))}
                </ul>
              </section>
            ))}
            {lacksOf(found).length > 0 && (
              <div class="notice waits">
                {lacksOf(found).map((one) => (
                  <p key={one}>{one}</p>
                ))}
                {found.more > 0 && limit < LIMITS.most && (
                  <button type="button" onClick={() => setLimit(LIMITS.most)}>
                    {text.lookAtMore(LIMITS.most)}
                  </button>
                )}
              </div>
            )}
          </>
        )}
      </Read>
      <section>
        <h2>{text.day.title}</h2>
        <DayTable live={day} />
      </section>
      <section>
        <h2>{text.queues}</h2>
        <QueuesTable live={queues} />
      </section>
      <section>
        <h2>{text.services}</h2>
        <ServiceForm />
      </section>
      {asked && <OperateDialog {...asked} close={() => setAsked(undefined)} done={live.refresh} />}
    </Screen>
  );
}

/** What was set aside, before all else: why, and the way back. Nothing while there is none. */
function DeadLetters({ queues }: { readonly queues: readonly Queue[] }) {
  const stage = useSignedIn().portal?.deployment?.name;
  const some = queues.filter(({ waiting }) => waiting > 0);
  if (some.length === 0) return null;
  return (
    <section class="notice bad">
      <h2>{TEXT.stage.dead.title}</h2>
      {some.map(({ runbook, waiting }) => {
        const { what, why, look } = TEXT.stage.dead.of[runbook] ?? TEXT.stage.dead.other(runbook);
        const command = TEXT.stage.command(look, stage);
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

/** Leads to the subscriptions of any service. */
function ServiceForm() {
  const [service, setService] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        location.hash = hrefOf({ screen: 'subscriptions' }, service.trim());
      }}
    >
      <TextField id="service" label={TEXT.stage.service} required value={service} typed={setService} />
      <button type="submit">{TEXT.stage.goTo}</button>
    </form>
  );
}
