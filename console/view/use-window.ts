import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Rows beyond each edge of the screen, so that scrolling shows no gap. */
const BEYOND = 25;
/** The window moves by this many rows at a time. */
const STEP = 10;

interface RowWindow {
  /** The element whose children are the rows. */
  readonly place: RefObject<HTMLTableSectionElement | null>;
  /** The rows to draw: from the first up to the one before the last. */
  readonly first: number;
  readonly last: number;
  /** Of a row, in pixels. */
  readonly height: number;
  /** Scrolls until a row is on the screen. */
  readonly show: (row: number) => void;
}

/**
 * Which of many rows of one height are near the screen: ten thousand need not all be drawn.
 *
 * @param nearEnd called when somebody scrolls to where the rows end
 */
export function useWindow(count: number, nearEnd: () => void): RowWindow {
  const place = useRef<HTMLTableSectionElement>(null);
  const latest = useRef({ count, nearEnd });
  latest.current = { count, nearEnd };
  const [{ from, height }, setSeen] = useState({ from: 0, height: 37 });
  const drawn = 2 * BEYOND + Math.ceil(innerHeight / height);
  useLayoutEffect(() => {
    const look = (event?: Event) => {
      if (place.current === null) return;
      const tall = place.current.querySelector<HTMLElement>('.message')?.offsetHeight || height;
      const above = -place.current.getBoundingClientRect().top / tall;
      const row = Math.floor((above - BEYOND) / STEP) * STEP;
      setSeen((seen) => {
        const next = { from: Math.max(0, row), height: tall };
        return next.from === seen.from && next.height === seen.height ? seen : next;
      });
      const { count: rows, nearEnd: tell } = latest.current;
      if (event?.type === 'scroll' && above + innerHeight / tall > rows - BEYOND) tell();
    };
    look();
    addEventListener('scroll', look, { passive: true });
    addEventListener('resize', look);
    return () => {
      removeEventListener('scroll', look);
      removeEventListener('resize', look);
    };
  }, [count]);
  const first = Math.max(0, Math.min(from, count - drawn));
  return {
    place,
    first,
    last: Math.min(count, first + drawn),
    height,
    show(row) {
      const top = (place.current?.getBoundingClientRect().top ?? 0) + row * height;
      // Below the head of the table, which stays in sight.
      if (top < 2 * height || top > innerHeight - 2 * height) scrollBy(0, top - innerHeight / 3);
    },
  };
}
