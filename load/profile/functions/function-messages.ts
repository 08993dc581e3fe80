/** What the process of a function is told. */
export type ToFunction =
  | { readonly kind: 'invoke'; readonly event: unknown }
  | { readonly kind: 'profile'; readonly eachMicroseconds: number }
  | { readonly kind: 'write profile'; readonly file: string };

/** What it tells. */
export type FromFunction =
  | { readonly kind: 'loaded'; readonly loadMs: number; readonly loadCpuMs: number }
  | { readonly kind: 'answered'; readonly result: unknown; readonly log: string }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'profiling' | 'profiled' };
