import { isOfLaboratory } from './option-readers.ts';
import { type Fence, fences, pages } from './pages.ts';

/** The commands of blocks that are not marked: they have to run anywhere. The laboratory has its own test. */
export function printedCommands() {
  return pages().flatMap((page) =>
    fences(page)
      .filter(({ info }: Fence) => info === 'sh')
      .flatMap(({ text }) => commandsOf(text))
      .filter((command) => !isOfLaboratory(command))
      .map((command) => ({ page: page.name, command })),
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
