import { useRef, useState } from 'preact/hooks';
import { LEFT } from './plot.ts';

type Pair = readonly [anchor: number, head: number];

/**
 * Chooses neighbouring columns of a chart: by dragging over them, or with the arrow keys, more of them with
 * Shift. Enter or letting go takes them, Escape none.
 */
export function useBrush(count: number, step: number, take: (from: number, to: number) => void) {
  const [pair, show] = useState<Pair>();
  // Events may come before the page is drawn again.
  const latest = useRef<Pair | undefined>(undefined);
  const setPair = (next: Pair | undefined) => {
    latest.current = next;
    show(next);
  };
  const limited = (index: number) => Math.min(count - 1, Math.max(0, index));
  const spanOf = (of: Pair | undefined) => of && ([Math.min(...of), Math.max(...of)] as const);
  const done = () => {
    const span = spanOf(latest.current);
    setPair(undefined);
    if (span) take(span[0], span[1]);
  };
  const indexAt = (event: PointerEvent) => {
    const { left } = (event.currentTarget as Element).getBoundingClientRect();
    return limited(Math.floor((event.clientX - left - LEFT) / step));
  };
  return {
    span: spanOf(pair),
    pointer: {
      onPointerDown(event: PointerEvent) {
        if (event.button !== 0) return;
        (event.currentTarget as Element).setPointerCapture(event.pointerId);
        setPair([indexAt(event), indexAt(event)]);
      },
      onPointerMove(event: PointerEvent) {
        const anchor = latest.current?.[0];
        if (anchor !== undefined && event.buttons > 0) setPair([anchor, indexAt(event)]);
      },
      onPointerUp: done,
      onPointerCancel: () => setPair(undefined),
    },
    keys: {
      onKeyDown(event: KeyboardEvent) {
        const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (by !== undefined) {
          const was = latest.current;
          const head = was ? limited(was[1] + by) : by > 0 ? 0 : count - 1;
          setPair([was && event.shiftKey ? was[0] : head, head]);
          event.preventDefault();
        }
        if (event.key === 'Enter') done();
        if (event.key === 'Escape') setPair(undefined);
      },
    },
  };
}
