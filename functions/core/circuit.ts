import * as z from 'zod/mini';

/** What a circuit holds in each of its states. Instants are ISO 8601 in UTC with milliseconds. */
const lasting = {
  /** Advances with each write: who writes on an old reading is refused. */
  revision: z.int(),
  /** Advances with each timer: an older timer means nothing any more. */
  tick: z.int(),
  /** When the next timer goes off; absent when none is needed. */
  tick_at: z.optional(z.string()),
  /** Since when it is in its state. */
  since: z.optional(z.string()),
  /** Keys whose attempts failed, or were slow, since the last quick success. */
  failed_keys: z.array(z.string()),
  slow_keys: z.array(z.string()),
  /** Since when there was nothing but failures. */
  failing_since: z.optional(z.string()),
  /** How many messages wait, as last counted; `since` when there were many, which somebody has been told. */
  backlog: z.optional(z.object({ counted_at: z.string(), waiting: z.int(), since: z.optional(z.string()) })),
};

/**
 * The circuit of a subscription. `closed`: attempts are made as messages come. `open`: keys wait in line. `half_open`: the endpoint is being
 * probed. `draining`: the line is worked off, so many at a time.
 */
export const circuitSchema = z.discriminatedUnion('state', [
  z.object({ ...lasting, state: z.literal('closed') }),
  z.object({
    ...lasting,
    state: z.literal('open'),
    cool_down_ms: z.int(),
    /** Absent when nobody is to probe: the subscription is paused or disabled, or an operator opened it. */
    probe_at: z.optional(z.string()),
  }),
  z.object({
    ...lasting,
    state: z.literal('half_open'),
    cool_down_ms: z.int(),
    /** When to look for another probe, should there be none, or should this one be lost. */
    probe_at: z.string(),
    /** The key that probes; absent while the next message to come is to be the probe. */
    probe_key: z.optional(z.string()),
  }),
  z.object({
    ...lasting,
    state: z.literal('draining'),
    /** So many keys of the line may be under way. */
    window: z.int(),
    failed_since_tick: z.boolean(),
    /**
     * An attempt went unanswered for long: the window waits for a success. `seen`: there was one since the last tick, which lets it grow again,
     * whatever else goes unanswered until then. Absent: nobody waits for one.
     */
    success: z.optional(z.enum(['awaited', 'seen'])),
    /** Since when nothing in line was older than two seconds. */
    quiet_since: z.optional(z.string()),
  }),
]);
export type Circuit = z.infer<typeof circuitSchema>;
export type CircuitState = Circuit['state'];
export const CIRCUIT_STATES = [
  'closed',
  'open',
  'half_open',
  'draining',
] as const satisfies readonly CircuitState[];
/** A circuit in this state. */
export type In<State extends CircuitState> = Extract<Circuit, { state: State }>;

/** A subscription's circuit before anything has gone wrong: it need not be written. */
export const CLOSED: In<'closed'> = { state: 'closed', revision: 0, tick: 0, failed_keys: [], slow_keys: [] };

/** What a tick sees of the line: an index, so it may lag behind. */
export interface LineView {
  /** The first keys, the one that waits longest first. */
  readonly keys: readonly { readonly key: string; readonly parkedAtMs: number }[];
  /** More of it is over age than one tick passes on. */
  readonly isCrowded: boolean;
}

interface Attempted {
  readonly key: string;
  readonly tookMs: number;
  readonly isProbe: boolean;
}

export type CircuitInput =
  | ({ readonly kind: 'succeeded' } & Attempted)
  | ({ readonly kind: 'failed' } & Attempted)
  /** An attempt has taken so long already that it is slow, and has not ended. */
  | { readonly kind: 'unanswered'; readonly key: string }
  | {
      readonly kind: 'ticked';
      readonly line: LineView;
      readonly timeoutMs: number;
      /** How many messages wait; absent where this tick has not counted them. */
      readonly waiting?: number | undefined;
      /** How many circuits are draining at this time, this one among them; absent where it is not known. */
      readonly drains?: number | undefined;
      /** The subscription has a rate limit: its line is looked at always. */
      readonly isLimited?: boolean;
    }
  /** A key has joined the line of a rate limit: somebody has to look at it soon. */
  | { readonly kind: 'joined' }
  /** A message has come that is the probe, should the next to come be wanted for that. */
  | { readonly kind: 'claimed'; readonly key: string; readonly timeoutMs: number }
  /** Probing stops, and starts again with a drain: by the wish of owner or operator, or because the subscription was disabled. */
  | { readonly kind: 'halted' }
  | { readonly kind: 'resumed' }
  /** An operator says that the endpoint is well, and nobody is seen in line. */
  | { readonly kind: 'shut' };
export type InputOf<Kind extends CircuitInput['kind']> = Extract<CircuitInput, { kind: Kind }>;
