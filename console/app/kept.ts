import { STAYS_SIGNED_IN } from './page-settings.ts';

/** What a link from the partner's portal is exchanged for. */
export interface PortalSession {
  readonly session_id: string;
  readonly token: string;
  readonly expires_at: string;
  readonly rights: 'read' | 'manage';
  /** Of a session of the whole stage, which only reads what is a service's. @default - of one service */
  readonly stage?: 'on-call' | 'analyst';
  /** Of a session of the whole stage: which one that is. */
  readonly deployment?: { readonly name: string; readonly account: string };
  readonly service_id?: string;
  /** The only ones it may use. @default - all of the service */
  readonly subscriptions?: readonly string[];
}

/** What signs in again after a reload, and in a new tab. */
export interface Kept {
  /** Of this sign-in: tabs that took it from each other have the same one. */
  readonly id: string;
  readonly token: string;
  readonly service?: string | undefined;
  readonly portal?: Omit<PortalSession, 'token'> | undefined;
  /** In ms since 1970: from then on it is kept no more. */
  readonly untilMs: number;
}

const NAME = 'payhooks';
const SIGNED_OUT = 'signed out';

/** As long as a session from a link may last. A token of the API may last for years. */
const LONGEST_MS = 12 * 3_600_000;

/**
 * Whether a tab may stay signed in. Not in a frame: the page around it makes a link each time it is opened,
 * and may by then be used by somebody else.
 */
export const MAY_KEEP = STAYS_SIGNED_IN && window.top === window;

/** Until when a sign-in of now may be kept. */
export function keptUntilMs(portal: Kept['portal'], nowMs: number): number {
  return Math.min(
    portal === undefined ? Number.POSITIVE_INFINITY : Date.parse(portal.expires_at),
    nowMs + LONGEST_MS,
  );
}

/** In this tab, until it is closed. */
export function keep(kept: Kept): void {
  write(JSON.stringify(kept));
}

/** @param signsOut the tab also takes no sign-in of another one after a reload */
export function forget(signsOut: boolean): void {
  write(signsOut ? SIGNED_OUT : undefined);
}

/** What this tab has kept, as long as it may be used. `signed out`: whoever used the tab wanted to be. */
export function whatIsKept(): Kept | typeof SIGNED_OUT | undefined {
  const text = read();
  if (text === undefined || text === SIGNED_OUT) return text;
  const kept = JSON.parse(text) as Kept;
  if (isOver(kept)) {
    forget(false);
    return undefined;
  }
  return kept;
}

export function isOver({ untilMs }: Kept): boolean {
  return untilMs <= Date.now();
}

function read(): string | undefined {
  try {
    return (MAY_KEEP && sessionStorage.getItem(NAME)) || undefined;
  } catch {
    // The browser was told to let no page keep anything.
    return undefined;
  }
}

function write(text: string | undefined): void {
  if (!MAY_KEEP) return;
  try {
    if (text === undefined) sessionStorage.removeItem(NAME);
    else sessionStorage.setItem(NAME, text);
  } catch {
    // Then a reload signs out.
  }
}
