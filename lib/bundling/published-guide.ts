import path from 'node:path';
import { EXAMPLES, GUIDE_FOLDER, GUIDES, OPENAPI_PATH } from '../../functions/api/docs-page/page-files.ts';

/** Where the files of docs/ are served, relative to a guide. */
const SERVED: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...GUIDES, ...EXAMPLES].map((file) => [file, path.basename(file)])),
  'openapi.json': path.relative(GUIDE_FOLDER, OPENAPI_PATH),
};

/**
 * A guide as partners read it, who have no repository: its links lead to what is served beside it, and of a
 * link to any other page its words stay.
 *
 * @param text of a guide in docs/, in Markdown
 * @param instead other names by which files of docs/ are served
 */
export function publishedGuide(text: string, instead: Readonly<Record<string, string>> = {}): string {
  const served = { ...SERVED, ...instead };
  const parts = text.split(/(^```.*?^```$)/ms);
  return parts.map((part) => (part.startsWith('```') ? part : withLinks(part, served))).join('');
}

function withLinks(prose: string, served: Readonly<Record<string, string>>): string {
  return prose.replaceAll(/\[([^\]]*)\]\(([^)\s]+)\)/g, (link: string, words: string, target: string) => {
    if (target.startsWith('https:') || target.startsWith('#')) {
      return link;
    }
    const [file = '', anchor] = target.split('#');
    const name = served[file];
    return name === undefined ? words : `[${words}](${name}${anchor === undefined ? '' : `#${anchor}`})`;
  });
}
