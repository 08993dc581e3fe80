import { type Dimension, GROUPS, QUESTIONS } from '../../functions/core/analysis/analysis-table.ts';
import { namesWith, useEventTypes } from '../api/event-types.ts';
import { useLive } from '../api/live.ts';
import { amend } from '../app/use-route.ts';
import { TEXT } from '../texts.ts';
import { InstantField, SelectField } from '../view/field.tsx';
import { visible } from '../words/visible.ts';
import { type Asked, askedOf, DAYS, parametersOf, periodOf } from './question.ts';

type Change = (changed: (now: Asked) => Partial<Asked>) => void;

interface QuestionsProps {
  readonly asked: Asked;
  readonly again: () => void;
}

/** The question: all of it is in the address. */
export function Questions({ asked, again }: QuestionsProps) {
  const text = TEXT.analysis;
  const services = useLive<{ readonly services: readonly { readonly service_id: string }[] }>(
    '/stage/services',
  );
  const names = services.data?.services.map(({ service_id }) => service_id) ?? [];
  const change: Change = (changed) =>
    amend('analysis', ({ parameters }) => {
      const now = askedOf(new URLSearchParams(parameters), asked.zone);
      return { screen: 'analysis', parameters: parametersOf({ ...now, ...changed(now) }) };
    });
  const [first = 'service', second = ''] = asked.by;
  const groups = GROUPS[asked.question];
  const groupText = (group: Dimension | '') => (group === '' ? text.noGroup : text.column(group));
  return (
    <form class="filters" aria-label={text.inputs} onSubmit={(event) => event.preventDefault()}>
      <SelectField
        id="question"
        label={text.questionLabel}
        value={asked.question}
        options={QUESTIONS}
        textOf={(question) => text.question[question]}
        chosen={(question) =>
          change(({ by }) => ({ question, by: by.filter((one) => GROUPS[question].includes(one)) }))
        }
      />
      <SelectField
        id="days"
        label={text.period}
        value={asked.days as (typeof DAYS)[number]}
        options={DAYS}
        textOf={(days) => text.days[days]}
        chosen={(days) => change((now) => (days === '' ? { days, ...periodOf(now, Date.now()) } : { days }))}
      />
      {asked.days === '' &&
        (['since', 'until'] as const).map((bound) => (
          <InstantField
            key={bound}
            id={bound}
            label={TEXT.messages[bound]}
            value={asked[bound]}
            chosen={(instant) => change(() => ({ [bound]: instant }))}
          />
        ))}
      <SelectField
        id="first"
        label={text.groupedBy}
        value={first}
        options={groups}
        textOf={groupText}
        chosen={(group) => change(({ by }) => ({ by: groupedBy(group, by[1]) }))}
      />
      <SelectField
        id="second"
        label={text.andBy}
        value={second}
        options={['', ...groups.filter((one) => one !== first)]}
        textOf={groupText}
        chosen={(group) => change(({ by }) => ({ by: groupedBy(by[0], group) }))}
      />
      <SelectField
        id="service"
        label={text.service}
        value={asked.service}
        options={['', ...new Set(asked.service === '' ? names : [asked.service, ...names])]}
        textOf={(service) => visible(service) || text.all}
        chosen={(service) => change(() => ({ service }))}
      />
      {asked.question === 'not-acknowledged' && <OfMessages asked={asked} change={change} />}
      <div class="actions">
        <button type="button" onClick={again}>
          {text.again}
        </button>
      </div>
    </form>
  );
}

function groupedBy(...by: readonly (Dimension | '' | undefined)[]): readonly Dimension[] {
  return [...new Set(by)].filter((one): one is Dimension => Boolean(one));
}

/** What only messages have: counts know neither. */
function OfMessages({ asked, change }: { readonly asked: Asked; readonly change: Change }) {
  const text = TEXT.analysis;
  const types = useEventTypes();
  return (
    <>
      <SelectField
        id="type"
        label={TEXT.messages.type}
        value={asked.type}
        options={['', ...namesWith(types, asked.type)]}
        textOf={(type) => type || text.all}
        chosen={(type) => change(() => ({ type }))}
      />
      <SelectField
        id="live"
        label={text.live}
        value={asked.live}
        options={['', 'true', 'false']}
        textOf={(live) => text.liveOrTest[live] ?? live}
        chosen={(live) => change(() => ({ live }))}
      />
    </>
  );
}
