import type { LocalOutputs } from '../stage/local-outputs.ts';

export function howToBegin({ apiUrl }: Pick<LocalOutputs, 'apiUrl'>): string {
  return [
    '  npm run webhooks -- create http://localhost:8080/webhooks   registers an endpoint',
    '  npm run ops -- send                                         sends it sample payments',
    '  npm run webhooks -- tail                                    follows the deliveries',
    '  npm run webhooks -- portal --manage                         prints a link to see it in a browser',
    `  ${apiUrl}/v1/docs   is the page of the API`,
  ].join('\n');
}
