import { shareOf } from '../plans/share.ts';

/** What an endpoint sees of an event: the publisher wrote it into the resource. */
export interface Input {
  readonly paymentId: string;
  /** The publisher's name of it. */
  readonly eventType: string;
  readonly isLarge: boolean;
  /** When it was published, in ms from the start. */
  readonly publishedMs: number;
}

/** The inputs that an endpoint cannot cope with. */
export type Pick =
  | { readonly by: 'type'; readonly eventType: string }
  /** A share of all payments, always the same ones. */
  | { readonly by: 'payment'; readonly share: number; readonly salt: number }
  | { readonly by: 'size' }
  | { readonly by: 'age'; readonly olderThanMs: number };

/** @param atMs in ms from the start */
export function isAmong(picks: Pick, input: Input, atMs: number): boolean {
  switch (picks.by) {
    case 'type':
      return input.eventType === picks.eventType;
    case 'payment':
      return shareOf(`${picks.salt} ${input.paymentId}`) < picks.share;
    case 'size':
      return input.isLarge;
    case 'age':
      return atMs - input.publishedMs > picks.olderThanMs;
  }
}
