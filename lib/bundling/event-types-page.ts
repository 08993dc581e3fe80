import { GUIDE_PAGES, OPENAPI_PATH } from '../../functions/api/docs-page/page-files.ts';
import type { EventType } from '../../functions/core/catalogue/event-type.ts';
import { INLINE } from './plain-page.ts';
import { NOT_INDEXED, pageHtml } from './sealed-page.ts';

const UNGROUPED = '';

/** A page that has each event type with its schema and sample, for partners. */
export function eventTypesPageHtml(types: readonly EventType[]): string {
  const groups = [...Map.groupBy(types, ({ group = UNGROUPED }) => group)];
  return pageHtml(
    { ...INLINE, script: '' },
    {
      title: 'Event types',
      head: NOT_INDEXED,
      body: `<main>
<h1>Event types</h1>
<p>What a subscription can list, each by its name or by a prefix followed by <code>*</code>. A webhook has the name as <code>event_type</code>, and what is described here as <code>resource</code>. See also <a href="${GUIDE_PAGES['receiving.md']}">Receiving webhooks</a> and the <a href="${OPENAPI_PATH.replace('/v1/', '../')}">OpenAPI document</a>.</p>
${groups.map(([group, those]) => `${group === UNGROUPED ? '' : `<h2>${asHtml(group)}</h2>\n`}${those.map(typeHtml).join('\n')}`).join('\n')}
</main>`,
    },
  );
}

function typeHtml({ name, description, resource_type, schema, sample, deprecated }: EventType): string {
  const successor = deprecated?.successor;
  const instead =
    successor === undefined ? '' : ` Use <a href="#${successor}"><code>${successor}</code></a> instead.`;
  return [
    `<h3 id="${name}"><code>${name}</code></h3>`,
    `<p>${asHtml(description)}</p>`,
    ...(deprecated === undefined ? [] : [`<p><strong>Deprecated.</strong>${instead}</p>`]),
    ...(resource_type === undefined
      ? []
      : [`<p><code>resource_type</code>: <code>${asHtml(resource_type)}</code></p>`]),
    ...(sample === undefined ? [] : [`<h4>Sample</h4>\n${jsonHtml(sample)}`]),
    ...(schema === undefined ? [] : [`<h4>JSON Schema</h4>\n${jsonHtml(schema)}`]),
  ].join('\n');
}

function jsonHtml(value: unknown): string {
  return `<pre><code>${asHtml(JSON.stringify(value, undefined, 2))}</code></pre>`;
}

function asHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
