import { TEXT } from '../../texts.ts';
import { FieldError } from '../../view/field.tsx';
import { visible } from '../../words/visible.ts';
import type { FormPart } from './form-part.ts';

const MAX_HEADERS = 10;

/** Custom headers: their values go in and never come out. @param names of those that there are */
export function HeadersField({
  draft,
  change,
  errorOf,
  names,
}: FormPart & { readonly names: readonly string[] }) {
  const headers = draft.custom_headers;
  const error = errorOf('custom_headers');
  const put = (index: number, changed: { name?: string; value?: string }) =>
    change({
      custom_headers: (headers ?? []).map((header, at) =>
        at === index ? { ...header, ...changed } : header,
      ),
    });
  return (
    <fieldset
      class={error ? 'field invalid' : 'field'}
      {...(error ? { 'aria-describedby': 'headers-error' } : {})}
    >
      <legend>{TEXT.settings.custom_header_names}</legend>
      <p class="hint">{TEXT.form.headersHint}</p>
      {headers === undefined ? (
        <>
          {names.length > 0 && <p>{visible(names.join(', '))}</p>}
          <button type="button" onClick={() => change({ custom_headers: [{ name: '', value: '' }] })}>
            {names.length > 0 ? TEXT.form.replaceHeaders : TEXT.form.addHeader}
          </button>
        </>
      ) : (
        <>
          {headers.map(({ name, value }, index) => (
            <div key={index} class="header-row">
              <input
                type="text"
                aria-label={TEXT.form.headerName(index + 1)}
                aria-invalid={error?.startsWith(`${name.trim()} `)}
                placeholder="x-tenant"
                spellcheck={false}
                value={name}
                onInput={(event) => put(index, { name: event.currentTarget.value })}
              />
              <input
                type="password"
                autocomplete="off"
                aria-label={TEXT.form.headerValue(index + 1)}
                value={value}
                onInput={(event) => put(index, { value: event.currentTarget.value })}
              />
              <button
                type="button"
                aria-label={TEXT.form.removeHeader(index + 1)}
                onClick={() => change({ custom_headers: headers.filter((_, at) => at !== index) })}
              >
                {TEXT.form.remove}
              </button>
            </div>
          ))}
          {names.length > 0 && <p class="hint">{TEXT.form.replacesHeaders(visible(names.join(', ')))}</p>}
          {headers.length < MAX_HEADERS && (
            <button
              type="button"
              onClick={() => change({ custom_headers: [...headers, { name: '', value: '' }] })}
            >
              {TEXT.form.addHeader}
            </button>
          )}
        </>
      )}
      <FieldError id="headers" error={error} />
    </fieldset>
  );
}
