/** What a list of messages is narrowed to: the parameters of the API, and of the address. */
const FILTERS = ['state', 'event_type', 'payment_id', 'since', 'until'] as const;
export type MessageFilter = { readonly [Name in (typeof FILTERS)[number]]?: string };

/** A screen of the console, with what it shows. */
export type Route =
  /** Of the whole stage. */
  | { readonly screen: 'health' }
  /** A question about the whole stage, as `question.ts` reads it. */
  | { readonly screen: 'analysis'; readonly parameters?: Readonly<Record<string, string>> }
  | { readonly screen: 'subscriptions' }
  | { readonly screen: 'new' }
  | { readonly screen: 'subscription'; readonly id: string }
  | { readonly screen: 'edit'; readonly id: string }
  | { readonly screen: 'secrets'; readonly id: string }
  | {
      readonly screen: 'messages';
      readonly id: string;
      readonly filter: MessageFilter;
      /** The message that is open beside the list. */
      readonly open?: string;
    }
  | {
      readonly screen: 'recover';
      readonly id: string;
      readonly recovery?: string;
      /** What is to be sent again; of a started recovery nothing. */
      readonly filter?: MessageFilter;
    }
  | { readonly screen: 'message'; readonly id: string }
  | { readonly screen: 'payment'; readonly id?: string }
  | { readonly screen: 'changes'; readonly subscription?: string }
  | { readonly screen: 'nowhere' };

/** The path of each screen, without its parameters. */
const PLACES: readonly (readonly [Exclude<Route['screen'], 'nowhere'>, ...string[]])[] = [
  ['subscriptions'],
  ['subscriptions', 'subscriptions'],
  ['health', 'health'],
  ['analysis', 'analysis'],
  ['new', 'subscriptions', 'new'],
  ['subscription', 'subscriptions', ':id'],
  ['edit', 'subscriptions', ':id', 'edit'],
  ['secrets', 'subscriptions', ':id', 'secrets'],
  ['messages', 'subscriptions', ':id', 'messages'],
  ['recover', 'subscriptions', ':id', 'recover'],
  ['message', 'messages', ':id'],
  ['payment', 'payments'],
  ['payment', 'payments', ':id'],
  ['changes', 'changes'],
];

/** What the addresses of a session of the whole stage begin with. */
const OF_A_SERVICE = /^#?\/?services\/([^/?]*)/;

/** The service that an address names; undefined for whoever is of one service. */
export function serviceIn(hash: string): string | undefined {
  const service = OF_A_SERVICE.exec(hash)?.[1];
  return service ? decoded(service) : undefined;
}

/** Nothing outside a browser. */
const hashNow = () => (globalThis as { location?: { readonly hash: string } }).location?.hash ?? '';

/** The screen that the part of an address after `#` names. */
export function routeOf(hash: string): Route {
  const [path = '', query = ''] = hash
    .replace(OF_A_SERVICE, '')
    .replace(/^#?\/?/, '')
    .split('?', 2);
  const segments = path
    .split('/')
    .filter((segment) => segment !== '')
    .map(decoded);
  const [screen, ...pattern] =
    PLACES.find(
      ([, ...names]) =>
        names.length === segments.length &&
        names.every((name, index) => name === ':id' || name === segments[index]),
    ) ?? [];
  if (screen === undefined) return { screen: 'nowhere' };
  const id = segments[pattern.indexOf(':id')];
  const parameters = parametersIn(screen, new URLSearchParams(query));
  return { screen, ...(id === undefined ? {} : { id }), ...parameters } as Route;
}

/** What a screen takes from the parameters of its address. */
function parametersIn(screen: Route['screen'], parameters: URLSearchParams): object {
  const [recovery, subscription] = [parameters.get('recovery_id'), parameters.get('subscription_id')];
  const open = parameters.get('open');
  const filter = filterOf(parameters);
  switch (screen) {
    case 'messages':
      return open === null ? { filter } : { filter, open };
    case 'recover':
      if (recovery !== null) return { recovery };
      return Object.keys(filter).length === 0 ? {} : { filter };
    case 'analysis':
      return { parameters: Object.fromEntries(parameters) };
    case 'changes':
      return subscription === null ? {} : { subscription };
    default:
      return {};
  }
}

/**
 * The address of a screen, relative to the page: it can be kept, sent and opened again.
 *
 * @param service @default - the one that is looked at
 */
export function hrefOf(route: Route, service = serviceIn(hashNow())): string {
  const path = pathOf(route);
  return service === undefined || route.screen === 'health' || route.screen === 'analysis'
    ? path
    : path.replace('#', `#/services/${encodeURIComponent(service)}`);
}

function pathOf(route: Route): string {
  const { id, filter, open, recovery, subscription, parameters } = route as {
    readonly [name in 'id' | 'open' | 'recovery' | 'subscription']?: string;
  } & { readonly filter?: MessageFilter; readonly parameters?: Readonly<Record<string, string>> };
  const [, ...names] =
    PLACES.findLast(
      ([screen, ...pattern]) => screen === route.screen && pattern.includes(':id') === (id !== undefined),
    ) ?? PLACES[1]!;
  const path = names.map((name) => (name === ':id' ? encodeURIComponent(id ?? '') : name)).join('/');
  return `#/${path}${queryOf({ recovery_id: recovery, subscription_id: subscription, ...filter, open, ...parameters })}`;
}

/** Parameters as an address has them, with `?` before the first; nothing of those without a value. */
export function queryOf(parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).flatMap(([name, value]): [string, string][] =>
    value ? [[name, value]] : [],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

function filterOf(parameters: URLSearchParams): MessageFilter {
  return Object.fromEntries(
    FILTERS.flatMap((name) => {
      const value = parameters.get(name);
      return value ? [[name, value]] : [];
    }),
  );
}

/** A stray percent sign is taken as it stands. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The code of a link from the partner's portal (`#code=...`); undefined when there is none. */
export function codeIn(hash: string): string | undefined {
  return /^#code=([^&]+)/.exec(hash)?.[1];
}
