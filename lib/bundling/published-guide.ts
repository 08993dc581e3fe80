import path from 'node:path';
import { EXAMPLES, GUIDE_FOLDER, GUIDES, OPENAPI_PATH } from '../../functions/api/docs-page/page-files.ts';

/** Where the files of docs/ are served, relative to a guide. */
const SERVED = new Map<string, string>([
  ...[...GUIDES, ...EXAMPLES].map((file) => [file, path.basename(file)] as const),
  ['openapi.json', path.relative(GUIDE_FOLDER, OPENAPI_PATH)],
]);

/**
 * A guide as partners read it, who have no repository: its links lead to what is served beside it, and of a
 * link to any other page its words stay.
 *
 * @param text of a guide in docs/, in Markdown
 */
export function publishedGuide(text: string): string {
  const parts = text.split(/(^```.*?^```$)/ms);
  return parts.map((part) => (part.startsWith('```') ? part : withServedLinks(part))).join('');
}

function withServedLinks(prose: string): string {
  return prose.replaceAll(/\[([^\]]*)\]\(([^)\s]+)\)/g, (link: string, words: string, target: string) => {
    if (target.startsWith('https:') || target.startsWith('#')) {
      return link;
    }
    const [file = '', anchor] = target.split('#');
    const served = SERVED.get(file);
    return served === undefined ? words : `[${words}](${served}${anchor === undefined ? '' : `#${anchor}`})`;
  });
}
