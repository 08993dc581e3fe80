import { flameGraph } from '../../profile/flame-graph.ts';
import { framesOf, selfTimes, totalTimes } from '../../profile/frames.ts';

const NO_MAP = {
  version: 3,
  file: '',
  sources: [],
  sourcesContent: [],
  names: [],
  mappings: '',
  sourceRoot: '',
};

function node(id: number, functionName: string, url: string, children: readonly number[] = []) {
  return { id, children, callFrame: { functionName, url, lineNumber: 0, columnNumber: 0 } };
}

const BUNDLE = 'file:///tmp/deliver/index.mjs';

/**
 * 10 ms idle, 6 ms in the bundle (2 of them in native code), 1 ms of garbage collection, 5 ms in the calling
 * harness.
 */
const PROFILE = {
  nodes: [
    node(1, '(root)', '', [2, 3, 6]),
    node(2, '(idle)', ''),
    node(3, 'emit', 'node:internal/child_process', [4]),
    node(4, 'handler', BUNDLE, [5]),
    node(5, 'writev', ''),
    node(6, '(garbage collector)', ''),
  ],
  samples: [2, 3, 4, 5, 6],
  timeDeltas: [10_000, 5_000, 4_000, 2_000, 1_000],
};

test('a profile covers the function itself, without idle time and without its harness', () => {
  const top = framesOf(PROFILE, NO_MAP);
  expect(top.totalMs).toBe(7);
  expect(selfTimes(top, 'part')).toEqual([
    ['our own code', 4],
    ['native code', 2],
    ['(garbage collector)', 1],
  ]);
  expect(totalTimes(top)).toEqual([
    ['handler', 6],
    ['writev', 2],
    ['(garbage collector)', 1],
  ]);
});

test('functions have their names and source positions from before minification', () => {
  const map = {
    ...NO_MAP,
    sources: ['../../../work/functions/pipeline/deliver/deliver.ts'],
    sourcesContent: [''],
    names: ['deliver'],
    mappings: 'AAwBAA',
  };
  const [frame] = framesOf(PROFILE, map).children;
  expect(frame).toMatchObject({
    name: 'deliver functions/pipeline/deliver/deliver.ts:25',
    part: 'our own code',
  });
});

test('a flame graph draws each function as wide as its share of its caller', () => {
  const html = flameGraph(framesOf(PROFILE, NO_MAP), 'deliver, <batches> of 10');
  expect(html).toContain('<title>deliver, &lt;batches> of 10</title>');
  expect(html).toContain('style="width:85.714%"');
  expect(html).toContain('style="width:33.333%"');
  expect(html).toContain('handler&#10;our own code&#10;6.0 ms, 85.7 %; self 4.0 ms, 57.1 %');
  expect(html).not.toMatch(/(?:src|href)=/);
});
