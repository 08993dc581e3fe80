import { isOver, type Kept, MAY_KEEP } from './kept.ts';

/** What tabs of one browser say to each other. Nobody else hears it, and no page of another origin. */
type Said =
  | { readonly kind: 'asks' }
  /** `usedAtMs`: when somebody last looked at that tab. */
  | { readonly kind: 'has'; readonly kept: Kept; readonly usedAtMs: number }
  | { readonly kind: 'signed out'; readonly id: string };

/** Later answers are of tabs that slept: by then somebody may be typing a token. */
const PATIENCE_MS = 2_000;
/** Tabs answer at about the same time. */
const OTHERS_MS = 50;

interface Own {
  /** What a new tab may have; undefined: nobody is signed in, or nothing is to be kept. */
  readonly kept: () => Kept | undefined;
  readonly signedOut: (id: string) => void;
}

let channel: BroadcastChannel | undefined;
let usedAtMs = Date.now();

const say = (said: Said) => channel?.postMessage(said);

/** From now on new tabs get what this one has, and whoever signs out elsewhere is signed out here. */
export function listenToTabs({ kept, signedOut }: Own): void {
  if (!MAY_KEEP) return;
  channel = new BroadcastChannel('payhooks');
  channel.addEventListener('message', ({ data }: MessageEvent<Said>) => {
    if (data.kind === 'signed out') signedOut(data.id);
    const own = kept();
    if (data.kind === 'asks' && own !== undefined && !isOver(own)) {
      say({ kind: 'has', kept: own, usedAtMs: document.hidden ? usedAtMs : Date.now() });
    }
  });
  document.addEventListener('visibilitychange', () => {
    usedAtMs = Date.now();
  });
}

export function tellSignedOut(id: string): void {
  say({ kind: 'signed out', id });
}

/** Asks the other tabs who is signed in. @param take called with that of the tab that was used last, if any */
export function askTabs(take: (kept: Kept) => void): void {
  const answers: Extract<Said, { kind: 'has' }>[] = [];
  const listen = ({ data }: MessageEvent<Said>) => {
    if (data.kind !== 'has' || isOver(data.kept)) return;
    answers.push(data);
    if (answers.length > 1) return;
    setTimeout(() => {
      channel?.removeEventListener('message', listen);
      const [latest] = answers.sort((one, other) => other.usedAtMs - one.usedAtMs);
      if (latest) take(latest.kept);
    }, OTHERS_MS);
  };
  channel?.addEventListener('message', listen);
  setTimeout(() => answers.length === 0 && channel?.removeEventListener('message', listen), PATIENCE_MS);
  say({ kind: 'asks' });
}
