import type { PeerFile, Verdict } from './scenario.ts';
import { ROWS, type Row } from './table.ts';

const PEERS = [
  {
    peer: 'Svix',
    repository: 'svix/svix-webhooks',
    where: '`server/svix-server`, without a path in its `tests/it`',
  },
  {
    peer: 'Outpost',
    repository: 'hookdeck/outpost',
    where: '`cmd/e2e`; `spec-sdk-tests` and `loadtest` beside it',
  },
] as const;

const SIGNS = { passes: '✓', replaced: '↔', not_applicable: '–' } as const;

/** The file of a verdict's test, below `test/`, without `.test.ts`. */
export function fileOf(test: string): string {
  return test.includes('/') ? test : `thorough/conformance/${test}`;
}

function link(test: string): string {
  const file = fileOf(test);
  return `[${file.split('/').at(-1)}](../test/${file}.test.ts)`;
}

function said(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'passes':
      return link(verdict.test);
    case 'replaced':
      return `${verdict.instead}: ${link(verdict.test)}`;
    case 'not_applicable':
      return verdict.why;
  }
}

const nameOf = ({ file, commit }: PeerFile) =>
  commit === undefined ? `\`${file}\`` : `\`${file}\` ${commit}`;

/** A file, and below it what becomes of its scenarios; those of which the same is said share a line. */
function linesOf(of: PeerFile, rows: readonly Row[]): string[] {
  const bySaying = Map.groupBy(rows, ({ verdict }) => `${SIGNS[verdict.kind]} ${said(verdict)}`);
  const lines = [...bySaying].map(
    ([saying, some]) => `  - ${some.map(({ scenario }) => `\`${scenario}\``).join(' ')} ${saying}`,
  );
  const [first = '', ...more] = lines;
  const file = `- **${nameOf(of)}**`;
  return more.length === 0 ? [first.replace('  -', file)] : [file, ...lines];
}

/** docs/conformance.md */
export function conformancePage(): string {
  const ofPeer = (peer: string) => ROWS.filter(({ of }) => of.peer === peer);
  const counts = PEERS.map(({ peer }) => {
    const rows = ofPeer(peer);
    const count = (kind: Verdict['kind']) => rows.filter(({ verdict }) => verdict.kind === kind).length;
    const [passing, other, not] = [count('passes'), count('replaced'), count('not_applicable')];
    return `| ${[peer, rows.length, rows.length - not, passing, other, not].join(' | ')} |`;
  });
  const lists = PEERS.map(({ peer, repository, where }) => {
    const lines = [...Map.groupBy(ofPeer(peer), ({ of }) => of)].flatMap(([of, some]) => linesOf(of, some));
    return `## ${peer}

[${repository}](https://github.com/${repository}), in ${where}; beside each file its commit.

${lines.join('\n')}
`;
  });
  return `# Conformance

Does Payhooks do what the end-to-end suites of other webhook systems check? We read theirs, and ran ours; that ours check the same is our reading. The title of each test linked here names its scenarios. \`node test/support/conformance/write-page.ts\` generates this page from [a table](../test/support/conformance/table.ts).

| | scenarios | apply | ✓ a test passes | ↔ we do something else, as a test shows | – do not apply |
| --- | --- | --- | --- | --- | --- |
${counts.join('\n')}

Tests in [test/thorough/conformance](../test/thorough/conformance) were written for these scenarios; our other tests cover them, too. Neither suite checks order, isolation or deadlines; [ours](contributing.md#the-loop) does.

${lists.join('\n')}`;
}
