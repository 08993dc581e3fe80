import * as z from 'zod';

/** Where events are forwarded: `3000/webhooks`, `localhost:3000/webhooks`, or a whole URL. */
export const TARGET = {
  help: 'where they go: a port and a path on this machine, or a URL',
  check: z
    .string()
    .transform((text) => {
      const url = /^\d+(\/|$)/.test(text)
        ? `http://localhost:${text}`
        : /^https?:\/\//i.test(text)
          ? text
          : `http://${text}`;
      return URL.parse(url)?.href ?? '';
    })
    .refine((url) => url !== '', 'must be a port and a path such as 3000/webhooks, or a URL'),
} as const;
