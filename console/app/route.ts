/** What a list of messages is narrowed to: the parameters of the API, and of the address. */
const FILTERS = ['state', 'event_type', 'payment_id', 'since', 'until'] as const;
export type MessageFilter = { readonly [Name in (typeof FILTERS)[number]]?: string };

/** A screen of the console, with what it shows. */
export type Route =
  /** Of the whole stage. */
  | { readonly screen: 'health' }
  | { readonly screen: 'subscriptions' }
  | { readonly screen: 'new' }
  | { readonly screen: 'subscription'; readonly id: string }
  | { readonly screen: 'edit'; readonly id: string }
  | { readonly screen: 'secrets'; readonly id: string }
  | { readonly screen: 'messages'; readonly id: string; readonly filter: MessageFilter }
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

const OF_SUBSCRIPTION = ['edit', 'secrets'] as const;

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
  const [place = '', id, part, ...more] = path
    .split('/')
    .filter((segment) => segment !== '')
    .map(decoded);
  const parameters = new URLSearchParams(query);
  if (more.length > 0) return { screen: 'nowhere' };
  switch (place) {
    case 'health':
      return { screen: id === undefined ? 'health' : 'nowhere' };
    case '':
    case 'subscriptions':
      return subscriptionRoute(id, part, parameters);
    case 'messages':
      return id === undefined || part !== undefined ? { screen: 'nowhere' } : { screen: 'message', id };
    case 'payments':
      return part === undefined
        ? { screen: 'payment', ...(id === undefined ? {} : { id }) }
        : { screen: 'nowhere' };
    case 'changes': {
      const subscription = parameters.get('subscription_id');
      return id === undefined
        ? { screen: 'changes', ...(subscription === null ? {} : { subscription }) }
        : { screen: 'nowhere' };
    }
    default:
      return { screen: 'nowhere' };
  }
}

function subscriptionRoute(
  id: string | undefined,
  part: string | undefined,
  parameters: URLSearchParams,
): Route {
  if (id === undefined) return { screen: 'subscriptions' };
  if (id === 'new') return part === undefined ? { screen: 'new' } : { screen: 'nowhere' };
  if (part === undefined) return { screen: 'subscription', id };
  if (part === 'messages') return { screen: 'messages', id, filter: filterOf(parameters) };
  if (part === 'recover') {
    const recovery = parameters.get('recovery_id');
    if (recovery !== null) return { screen: 'recover', id, recovery };
    const filter = filterOf(parameters);
    return { screen: 'recover', id, ...(Object.keys(filter).length === 0 ? {} : { filter }) };
  }
  const screen = OF_SUBSCRIPTION.find((known) => known === part);
  return screen === undefined ? { screen: 'nowhere' } : { screen, id };
}

/**
 * The address of a screen, relative to the page: it can be kept, sent and opened again.
 *
 * @param service @default - the one that is looked at
 */
export function hrefOf(route: Route, service = serviceIn(hashNow())): string {
  const path = pathOf(route);
  return service === undefined || route.screen === 'health'
    ? path
    : path.replace('#', `#/services/${encodeURIComponent(service)}`);
}

function pathOf(route: Route): string {
  switch (route.screen) {
    case 'health':
      return '#/health';
    case 'subscriptions':
    case 'nowhere':
      return '#/subscriptions';
    case 'new':
      return '#/subscriptions/new';
    case 'subscription':
      return `#/subscriptions/${encodeURIComponent(route.id)}`;
    case 'edit':
    case 'secrets':
      return `#/subscriptions/${encodeURIComponent(route.id)}/${route.screen}`;
    case 'recover':
      return `#/subscriptions/${encodeURIComponent(route.id)}/recover${queryOf({ recovery_id: route.recovery, ...route.filter })}`;
    case 'messages':
      return `#/subscriptions/${encodeURIComponent(route.id)}/messages${queryOf(route.filter)}`;
    case 'message':
      return `#/messages/${encodeURIComponent(route.id)}`;
    case 'payment':
      return route.id === undefined ? '#/payments' : `#/payments/${encodeURIComponent(route.id)}`;
    case 'changes':
      return `#/changes${queryOf({ subscription_id: route.subscription })}`;
  }
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
