/** Messages to the process of a function. */
export type ToFunction =
  | { readonly kind: 'invoke'; readonly event: unknown }
  | { readonly kind: 'profile'; readonly eachMicroseconds: number }
  | { readonly kind: 'write profile'; readonly file: string };

/** Messages from it. */
export type FromFunction =
  | { readonly kind: 'loaded'; readonly loadMs: number; readonly loadCpuMs: number }
  | { readonly kind: 'answered'; readonly result: unknown; readonly log: string }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'profiling' | 'profiled' };
