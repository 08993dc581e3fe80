import { useMemo, useState } from 'preact/hooks';
import { errorAt, fieldErrors } from '../../api/failure.ts';
import { useWhileTyping } from '../../api/while-typing.ts';
import { TEXT } from '../../texts.ts';
import { FailureNotice } from '../../view/failure-notice.tsx';
import { SelectField } from '../../view/field.tsx';
import { Folded } from '../../view/folded.tsx';
import { LinesField } from '../../view/lines-field.tsx';
import { filterIn } from '../../words/filter-text.ts';
import { FilterPreview } from './filter-preview.tsx';
import type { FormPart } from './form-part.ts';
import { type Preview, SPANS, type Span, sinceOf } from './preview.ts';

const NAMES = ['filter', 'fields'] as const;

/** Which events it gets by what they say, tried on the last ones while one types, and which parts of them. */
export function FilterFields({ draft, change, errorOf }: FormPart) {
  const isSet = NAMES.some((name) => draft[name] !== '');
  const [span, setSpan] = useState<Span>('newest');
  const since = useMemo(() => sinceOf(span, Date.now()), [span]);
  const { value: filter } = filterIn(draft.filter);
  const isAsked = filter !== undefined;
  const { body, failure, isCurrent } = useWhileTyping<Preview>(
    '/filters/preview',
    isAsked ? { filter, since } : undefined,
  );
  const fault = isCurrent ? errorAt('filter', fieldErrors(failure)) : undefined;
  const area = (name: (typeof NAMES)[number], rows: number, hint: string, error: string | undefined) => (
    <LinesField
      id={name}
      label={`${TEXT.settings[name]} (${TEXT.optional})`}
      hint={hint}
      error={error}
      rows={rows}
      value={draft[name]}
      typed={(text) => change({ [name]: text })}
    />
  );
  return (
    <Folded summary={TEXT.form.narrow} isOpen={isSet} mustOpen={NAMES.some((name) => errorOf(name))}>
      {area('filter', 6, TEXT.form.filterHint, errorOf('filter') ?? fault)}
      {isAsked && fault === undefined && (
        <>
          <SelectField
            id="preview_span"
            label={TEXT.preview.span}
            value={span}
            options={SPANS}
            textOf={(one) => TEXT.preview.spans[one]}
            chosen={setSpan}
          />
          {isCurrent && <FailureNotice failure={failure} what={TEXT.preview.failed} />}
          <FilterPreview preview={body} isCurrent={isCurrent} />
        </>
      )}
      {area('fields', 3, TEXT.form.fieldsHint, errorOf('fields'))}
    </Folded>
  );
}
