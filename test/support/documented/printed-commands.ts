import { type Fence, fences, pages } from './pages.ts';

/** The commands of blocks that are not marked: they have to run anywhere. */
export function printedCommands() {
  return pages().flatMap((page) =>
    fences(page)
      .filter(({ info }: Fence) => info === 'sh')
      .flatMap(({ text }) => commandsOf(text).map((command) => ({ page: page.name, command }))),
  );
}

/**
 * Without comments; one over several lines is one. Enough shell for blocks without functions, loops, and
 * texts of several lines.
 */
function commandsOf(block: string): string[] {
  return block
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .filter((line) => line !== '');
}
