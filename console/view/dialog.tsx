import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

interface DialogProps {
  readonly title: string;
  /** Undefined: it cannot be left. */
  readonly close: (() => void) | undefined;
  readonly children: ComponentChildren;
}

/**
 * In front of everything. Focus stays within, begins at the button of the class `keeps`, which changes
 * nothing, and goes back at the end.
 */
export function Dialog({ title, close, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  // Signing in again comes in front of whatever was open.
  const titleId = useId();
  useLayoutEffect(() => {
    const dialog = element.current;
    const opener = document.activeElement;
    if (dialog && !dialog.open) dialog.showModal();
    dialog?.querySelector<HTMLElement>('.keeps')?.focus();
    return () => {
      dialog?.close();
      // The dialog may be out of the page by now, and then the browser has forgotten whence one came. So may
      // be the button that opened it: then one continues from the heading of the screen.
      const back = opener?.isConnected ? opener : document.querySelector('h1');
      if (back instanceof HTMLElement) back.focus({ preventScroll: true });
    };
  }, []);
  return (
    <dialog
      ref={element}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        close?.();
      }}
    >
      <h2 id={titleId}>{title}</h2>
      {children}
    </dialog>
  );
}
