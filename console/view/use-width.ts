import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** How wide an element is, in pixels. @param first before it is known */
export function useWidth<Of extends Element>(first: number): [RefObject<Of | null>, number] {
  const element = useRef<Of>(null);
  const [width, setWidth] = useState(first);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setWidth(Math.max(240, Math.round(entry.contentRect.width)));
    });
    if (element.current) observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return [element, width];
}
