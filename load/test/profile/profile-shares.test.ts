import { type CpuProfile, sharesOf } from '../../profile/profile-shares.ts';

const URL = 'file:///tmp/readable.mjs';
const BUNDLE = `// node_modules/@smithy/core/dist/index.js
function send() {}
// node_modules/undici/lib/agent.js
function dispatch() {}
// functions/pipeline/deliver/deliver.ts
function deliver() {}`;

/** Each of these stacks, innermost function first, was seen for so long. */
function profileOf(...seen: readonly (readonly [number, ...(readonly [string, string, number])[]])[]) {
  const nodes: CpuProfile['nodes'][number][] = [];
  const samples = seen.map(([, ...stack]) => {
    const ids = stack.map(() => nodes.length + stack.length);
    stack.forEach(([functionName, url, lineNumber], depth) => {
      const id = ids[0]! - depth;
      nodes.push({ id, callFrame: { functionName, url, lineNumber }, children: depth === 0 ? [] : [id + 1] });
    });
    return ids[0]!;
  });
  return { nodes, samples, timeDeltas: seen.map(([us]) => us) };
}

test('time belongs to the package that is nearest on the stack, and idle time to nobody', () => {
  const ours = ['deliver', URL, 5] as const;
  const profile = profileOf(
    // Warms up, which does not count.
    [9_000, ours],
    [30, ['writev', '', -1], ['send', URL, 1], ours],
    [20, ['dispatch', URL, 3], ours],
    [10, ours],
    [30, ['writev', '', -1], ['onread', 'node:net', 7]],
    [500, ['(idle)', '', -1]],
    [10, ['tell', 'file:///load/profile/functions/function-process.ts', 1]],
  );
  expect(sharesOf(profile, { url: URL, text: BUNDLE })).toEqual([
    ['AWS SDK', 0.3],
    ['node', 0.3],
    ['undici', 0.2],
    ['ours', 0.1],
    ['this profile', 0.1],
  ]);
});
