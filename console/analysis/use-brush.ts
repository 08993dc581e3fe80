import { useState } from 'preact/hooks';
import { LEFT } from './plot.ts';

type Pair = readonly [anchor: number, head: number];

/**
 * Chooses neighbouring columns of a chart: by dragging over them, or with the arrow keys, more of them with
 * Shift. Enter or letting go takes them, Escape none.
 */
export function useBrush(count: number, step: number, take: (from: number, to: number) => void) {
  const [pair, setPair] = useState<Pair>();
  const limited = (index: number) => Math.min(count - 1, Math.max(0, index));
  const span = pair && ([Math.min(...pair), Math.max(...pair)] as const);
  const done = () => {
    setPair(undefined);
    if (span) take(span[0], span[1]);
  };
  const indexAt = (event: PointerEvent) => {
    const { left } = (event.currentTarget as Element).getBoundingClientRect();
    return limited(Math.floor((event.clientX - left - LEFT) / step));
  };
  return {
    span,
    pointer: {
      onPointerDown(event: PointerEvent) {
        if (event.button !== 0) return;
        (event.currentTarget as Element).setPointerCapture(event.pointerId);
        setPair([indexAt(event), indexAt(event)]);
      },
      onPointerMove(event: PointerEvent) {
        if (pair && event.buttons > 0) setPair([pair[0], indexAt(event)]);
      },
      onPointerUp: done,
      onPointerCancel: () => setPair(undefined),
    },
    keys: {
      onKeyDown(event: KeyboardEvent) {
        const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (by !== undefined) {
          const head = pair ? limited(pair[1] + by) : by > 0 ? 0 : count - 1;
          setPair([pair && event.shiftKey ? pair[0] : head, head]);
          event.preventDefault();
        }
        if (event.key === 'Enter') done();
        if (event.key === 'Escape') setPair(undefined);
      },
    },
  };
}
