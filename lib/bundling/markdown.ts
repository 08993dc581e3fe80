/** The anchor of a heading, as GitHub makes it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

const asHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/**
 * HTML of the Markdown that docs/ is written in: headings, paragraphs, lists, tables, code, links.
 *
 * @param alsoAt further anchors of a heading, by its own
 */
export function htmlOf(markdown: string, alsoAt: ReadonlyMap<string, readonly string[]> = new Map()): string {
  return markdown
    .split(/^( *)```.*\n([\s\S]*?)^ *```$/m)
    .map((part, index) => {
      // What the pattern caught: the indent of code, then the code.
      if (index % 3 === 1) return '';
      return index % 3 === 2
        ? `<pre>${asHtml(part)}</pre>`
        : part
            .split(/\n{2,}/)
            .map(block)
            .join('\n');
    })
    .join('\n');

  function block(text: string): string {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    const [first = ''] = lines;
    const [, level, heading = ''] = /^(#+) (.+)$/.exec(first) ?? [];
    if (level !== undefined) {
      const anchor = anchorOf(heading);
      const others = (alsoAt.get(anchor) ?? []).map((id) => `<a id="${asHtml(id)}"></a>`).join('');
      return `<h${level.length} id="${anchor}">${others}${inline(heading)}</h${level.length}>${block(lines.slice(1).join('\n'))}`;
    }
    if (first.startsWith('|')) return table(lines);
    if (/^ *- /.test(first)) {
      const items = text.split(/^ *- /m).slice(1);
      return `<ul>${items.map((item) => `<li>${inline(item)}</li>`).join('')}</ul>`;
    }
    return lines.length === 0 ? '' : `<p>${inline(text)}</p>`;
  }
}

function table([head = '', , ...rows]: readonly string[]): string {
  const cells = (row: string, tag: string) =>
    row
      .slice(1, row.lastIndexOf('|'))
      .split(/(?<!\\)\|/)
      .map((cell) => `<${tag}>${inline(cell.trim().replaceAll('\\|', '|'))}</${tag}>`)
      .join('');
  return `<table><thead><tr>${cells(head, 'th')}</tr></thead><tbody>${rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('')}</tbody></table>`;
}

/** Code first: nothing within it means anything. */
function inline(text: string): string {
  const code: string[] = [];
  return asHtml(text.replaceAll(/`([^`]+)`/g, (_, inner: string) => `\0${code.push(inner) - 1}\0`))
    .replaceAll(/\[([^\]]*)\]\(([^)\s]+)\)/g, '<a href="$2">$1</a>')
    .replaceAll(/\*\*(.+?)\*\*/gs, '<strong>$1</strong>')
    .replaceAll(/(?<!\w)[*_]([^*_]+)[*_](?!\w)/g, '<em>$1</em>')
    .replaceAll(/\0(\d+)\0/g, (_, index: string) => `<code>${asHtml(code[Number(index)] ?? '')}</code>`);
}
