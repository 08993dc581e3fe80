import type { LocalOutputs } from '../../local/outputs.ts';

/** What one does first with a local stack that is ready. */
export function howToBegin({ apiUrl }: Pick<LocalOutputs, 'apiUrl'>): string {
  return [
    '  npm run webhooks -- create http://localhost:8080/webhooks   registers an endpoint',
    '  npm run send                                                sends it sample payments',
    '  npm run webhooks -- tail                                    follows what becomes of them',
    `  ${apiUrl}/v1/docs   is the page of the API`,
  ].join('\n');
}
