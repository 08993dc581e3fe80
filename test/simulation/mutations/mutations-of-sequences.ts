import type { Mutation } from './mutation.ts';

const core = (file: string, name: string, from: string, to: string) => ({
  name,
  file: `functions/core/sequence/${file}.ts`,
  from,
  to,
});
const match = (file: string, name: string, from: string, to: string) => ({
  name,
  file: `functions/pipeline/match/${file}.ts`,
  from,
  to,
});

/** Of payments whose events are numbered. */
export const MUTATIONS_OF_SEQUENCES: readonly Mutation[] = [
  core('admission', 'an early event goes on at once', 'if (arrival.sequence > state.next) {', 'if (false) {'),
  core(
    'admission',
    'what waits is not released by the event before it',
    'return [...steps, own, ...goOn(own.after)];',
    'return [...steps, own];',
  ),
  core(
    'admission',
    'a straggler is dropped',
    "if (known === '') {",
    "if (known === '') {\n    return { kind: 'repeated', after: state };",
  ),
  core(
    'admission',
    'a late event is not marked',
    "const mark = since === undefined ? 'late'",
    'const mark = since === undefined ? undefined',
  ),
  core(
    'admission',
    'what went on behind a gap is not marked',
    'return isBehindGap ? { ...event, gap_before: true } : event;',
    'return event;',
  ),
  core(
    'admission',
    'a repeat of what waits is taken for another event',
    'if (state.early.some(isSame)) {',
    'if (false) {',
  ),
  core(
    'admission-order',
    'what an older record lets go on moves forward in the order',
    'order_number: isAhead ? record.order_number : rightBehind(last.order_number),',
    'order_number: record.order_number,',
  ),
  match(
    'going',
    'positions are counted before the filter',
    'const position = (before?.position ?? 0) + 1;',
    'const position = sequence;',
  ),
  match('sequence/settle', 'no timer for a gap', 'await ports.arm(timers);', ''),
  match('sequence/settle', 'a gap signal that is early is lost', '(isNews || mayLackTimer)', 'isNews'),
  match(
    'sequence/settle',
    'how far a payment is is written beyond what was not sent',
    'stop === -1 ? stages : stages.slice(0, stop)',
    'stages',
  ),
  match(
    'sequence/written',
    'sweep does not look at gaps',
    'gapTimes(next, nowMs, policy)',
    'undefined as ReturnType<typeof gapTimes>',
  ),
];
