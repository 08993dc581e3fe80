import { type Fence, fences, pages } from './pages.ts';

/** A command of a block that is not marked: it has to run anywhere. */
export interface PrintedCommand {
  readonly page: string;
  readonly command: string;
}

export function printedCommands(): PrintedCommand[] {
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
