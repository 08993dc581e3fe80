import * as z from 'zod';
import { commandsIn, type Output } from '../terminal/command.ts';
import { numberIn } from '../terminal/option-kinds.ts';
import type { ApiClient } from './api-client.ts';
import type { Colors } from './text/delivery-line.ts';

/** Posts an event to an endpoint of the partner's own; rejects when the command is interrupted. */
export type Forward = (
  url: string,
  event: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
) => Promise<{ readonly status: number } | { readonly failure: string }>;

/** What a command of a partner needs of the world around it. */
export interface PartnerWorld {
  readonly api: ApiClient;
  /** The same, for what has to be done once the command is interrupted. */
  readonly lastWord: ApiClient;
  readonly forward: Forward;
  /** Without a final slash. */
  readonly apiUrl: string;
  readonly colors: Colors;
  now(): number;
  readonly interrupted: AbortSignal;
  /** Resolves after a time in ms; rejects when the command is interrupted. */
  wait(ms: number): Promise<void>;
}

export type World = PartnerWorld & Output;

export const partnerCommand = commandsIn<PartnerWorld>();

/** An id becomes part of a path, where dots and slashes would lead elsewhere. */
export const ID = {
  check: z.string().regex(/^[A-Za-z0-9_-]+$/, 'must be an id, of letters, digits, _ and -'),
} as const;

/** The API checks its bounds. */
export const anyNumber = z.string().transform(numberIn).refine(Number.isFinite, 'must be a number');
