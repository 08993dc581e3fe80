import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useSession } from '../app/session.ts';
import { PRODUCT } from './product.ts';

interface ScreenProps {
  readonly title: ComponentChildren;
  /** Of the browser's tab, and what a screen reader says on arrival. */
  readonly name: string;
  /** The way back up. */
  readonly up?: { readonly href: string; readonly label: ComponentChildren } | undefined;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Screen({ title, name, up, actions, children }: ScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const session = useSession();
  const stage = session.kind === 'none' ? undefined : session.portal?.deployment?.name;
  useLayoutEffect(() => {
    // First, since a narrow tab shows no more.
    document.title = [...(stage === undefined ? [] : [stage]), name, PRODUCT].join(' · ');
  }, [stage, name]);
  // Whoever follows a link with the keyboard continues from here, as soon as it is drawn.
  useLayoutEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <>
      {up && (
        <p class="up">
          <a href={up.href}>
            <span aria-hidden="true">← </span>
            {up.label}
          </a>
        </p>
      )}
      <div class="screen-head">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {actions && <div class="actions">{actions}</div>}
      </div>
      {children}
    </>
  );
}
