import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

interface FoldedProps {
  readonly summary: string;
  /** Whether it is unfolded at first. @default false */
  readonly isOpen?: boolean;
  /** Whether something inside has to be seen: it unfolds, and stays so when that is over. */
  readonly mustOpen: boolean;
  readonly children: ComponentChildren;
}

/** A part of a form that most people do not need. */
export function Folded({ summary, isOpen = false, mustOpen, children }: FoldedProps) {
  const [open, setOpen] = useState(isOpen);
  return (
    <details class="field" open={open || mustOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{summary}</summary>
      {children}
    </details>
  );
}
