import type { EventTypeSummary } from '../../../functions/core/catalogue/event-type-view.ts';
import type { SubscriptionRequest } from '../../../functions/core/subscription/new-subscription.ts';
import type { SubscriptionChange } from '../../../functions/core/subscription/subscription-change.ts';
import type { SubscriptionView } from '../../../functions/core/subscription/subscription-view.ts';
import { laidOut } from '../../messages/json-layout.ts';
import { TEXT } from '../../texts.ts';
import { filterIn } from '../../words/filter-text.ts';

/** What is typed into the form: numbers stay text, so that nothing typed is lost. */
export interface Draft {
  readonly callback_url: string;
  readonly description: string;
  readonly live: boolean;
  readonly event_types: readonly string[];
  /** JSON. */
  readonly filter: string;
  /** One in each line. */
  readonly fields: string;
  readonly timeout_ms: string;
  readonly schedule: SubscriptionView['schedule'];
  readonly rate_limit: string;
  readonly contact: string;
  readonly notices_url: string;
  readonly extra_signatures: SubscriptionView['extra_signatures'];
  /** Undefined: those that there are stay; nobody is shown their values. */
  readonly custom_headers: readonly { readonly name: string; readonly value: string }[] | undefined;
}

export const EMPTY: Draft = {
  callback_url: '',
  description: '',
  live: false,
  event_types: ['*'],
  filter: '',
  fields: '',
  timeout_ms: '10000',
  schedule: 'standard',
  rate_limit: '',
  contact: '',
  notices_url: '',
  extra_signatures: [],
  custom_headers: [],
};

export function draftOf(subscription: SubscriptionView): Draft {
  const { callback_url, description, live, event_types, schedule, extra_signatures } = subscription;
  return {
    callback_url,
    description,
    live,
    event_types,
    filter: subscription.filter === undefined ? '' : laidOut(JSON.stringify(subscription.filter)),
    fields: (subscription.fields ?? []).join('\n'),
    timeout_ms: String(subscription.timeout_ms),
    schedule,
    rate_limit: String(subscription.rate_limit ?? ''),
    contact: subscription.contact ?? '',
    notices_url: subscription.notices_url ?? '',
    extra_signatures,
    custom_headers: undefined,
  };
}

/** What can be ticked. */
export interface Choice {
  readonly pattern: string;
  /** What it is, for people. */
  readonly text: string;
  readonly group?: string | undefined;
}

/**
 * What can be ticked: the types that nobody advises against, and what a subscription has already: types,
 * prefixes, and what matches nothing any more.
 */
export function choicesOf(types: readonly EventTypeSummary[], known: readonly string[]): readonly Choice[] {
  const offered = types.filter(({ event_type, deprecated }) => !deprecated || known.includes(event_type));
  const others = known.filter(
    (pattern) => pattern !== '*' && types.every(({ event_type }) => event_type !== pattern),
  );
  return [
    ...offered.map(({ event_type, description, group, deprecated, successor }) => ({
      pattern: event_type,
      text: deprecated ? TEXT.form.deprecated(description, successor) : description,
      group,
    })),
    ...others.map((pattern) => ({
      pattern,
      text: pattern.endsWith('*') ? TEXT.form.prefix : TEXT.form.unknownType,
    })),
  ];
}

/** What is typed, as the API takes it; undefined where there is none. */
function settingsIn(draft: Draft) {
  const { rate_limit, extra_signatures, custom_headers = [] } = draft;
  const fields = draft.fields
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  return {
    callback_url: draft.callback_url.trim(),
    description: draft.description.trim(),
    live: draft.live,
    event_types: [...draft.event_types],
    filter: filterIn(draft.filter).value,
    fields: fields.length === 0 ? undefined : fields,
    timeout_ms: Number(draft.timeout_ms),
    schedule: draft.schedule,
    rate_limit: rate_limit.trim() === '' ? undefined : Number(rate_limit),
    contact: draft.contact.trim() || undefined,
    notices_url: draft.notices_url.trim() || undefined,
    extra_signatures: [...extra_signatures],
    custom_headers: custom_headers.length === 0 ? undefined : headersIn(custom_headers),
  } satisfies Record<keyof Draft, unknown>;
}

/** The body that creates it. */
export function requestOf(draft: Draft): Partial<SubscriptionRequest> {
  return Object.fromEntries(Object.entries(settingsIn(draft)).filter(([, value]) => value !== undefined));
}

/**
 * The body that changes it: only what was changed here, so that what somebody else changes meanwhile stays.
 *
 * @param before as it was when the form was opened
 */
export function changeOf(before: SubscriptionView, draft: Draft): SubscriptionChange {
  const was = draftOf(before);
  const isNew = (name: string) =>
    JSON.stringify(was[name as keyof Draft]) !== JSON.stringify(draft[name as keyof Draft]);
  return Object.fromEntries(
    Object.entries(settingsIn(draft)).flatMap(([name, value]) =>
      isNew(name) ? [[name, value ?? null]] : [],
    ),
  );
}

/** What is wrong with fields that cannot be sent as they were typed, without the fields' names. */
export function errorsIn(draft: Draft): Partial<Record<keyof Draft, string>> {
  const { timeout_ms, rate_limit } = draft;
  const twice = headerGivenTwice(draft);
  const { fault } = filterIn(draft.filter);
  return {
    ...(fault === undefined ? {} : { filter: fault }),
    ...(isNumber(timeout_ms) ? {} : { timeout_ms: TEXT.form.noNumber }),
    ...(rate_limit.trim() === '' || isNumber(rate_limit) ? {} : { rate_limit: TEXT.form.noNumber }),
    ...(twice === undefined ? {} : { custom_headers: `${twice} ${TEXT.form.headerTwice}` }),
  };
}

/** Of these it must be said which part is wrong. */
export const PLACED: readonly string[] = ['custom_headers', 'filter'];

/** The name of a header that several rows have: one of them would be lost. */
function headerGivenTwice({ custom_headers = [] }: Draft): string | undefined {
  const names = custom_headers.map(({ name }) => name.trim());
  const inLowerCase = names.map((name) => name.toLowerCase());
  return names.find((name, at) => name !== '' && inLowerCase.indexOf(name.toLowerCase()) < at);
}

function headersIn(headers: NonNullable<Draft['custom_headers']>): Record<string, string> {
  return Object.fromEntries(headers.map(({ name, value }) => [name.trim(), value]));
}

function isNumber(text: string): boolean {
  return /^-?\d+(\.\d+)?$/.test(text.trim());
}
