import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  EVENT_TYPES_PAGE,
  EXAMPLES,
  GUIDE_FOLDER,
  GUIDES,
  OPENAPI_PATH,
} from '../../functions/api/docs-page/page-files.ts';
import { DESCRIBED } from '../../functions/api/openapi/described.ts';
import { DESCRIPTION } from '../../functions/api/openapi/description.ts';
import { PROJECT } from '../project-paths.ts';

/**
 * What a language model reads first: the operations for partners, a line each, and where the rest stands.
 * Source of the format: https://llmstxt.org
 */
export function llmsText(): string {
  const [summary = '', ...paragraphs] = DESCRIPTION.split('\n\n').map((text) =>
    text.trim().replaceAll('\n', ' '),
  );
  const forPartners = DESCRIBED.filter(({ isOfStage }) => !isOfStage);
  return [
    '# Payhooks',
    `> ${summary}`,
    ...paragraphs.filter((text) => !text.startsWith('**Guides.**')),
    '## Guides',
    [
      ...GUIDES.map(guideLine),
      `- [Event types](${EVENT_TYPES_PAGE}): each with its JSON Schema and a sample`,
      `- [OpenAPI 3.1](${path.relative(GUIDE_FOLDER, OPENAPI_PATH)}): every operation with its schemas, examples and errors`,
    ].join('\n'),
    '## Operations',
    forPartners
      .map(
        ({ method, path, scope, summary }) =>
          `- \`${method} ${path.replace(/:(\w+)/g, '{$1}')}\` (${SCOPE[scope]}): ${summary}`,
      )
      .join('\n'),
    '## Optional',
    EXAMPLES.map((file) => `- [${path.basename(file)}](${path.basename(file)})`).join('\n'),
  ].join('\n\n');
}

const SCOPE = { read: 'read', write: 'write', manage: 'read and write', none: 'no token' } as const;

/** A guide by its title and its sections. */
function guideLine(guide: string): string {
  const text = readFileSync(path.join(PROJECT, 'docs', guide), 'utf8');
  const sections = [...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
  return `- [${/^# (.+)$/m.exec(text)?.[1]}](${guide}): ${sections.join('; ')}`;
}
