import type { ComponentChildren } from 'preact';
import { useErrorBoundary, useLayoutEffect } from 'preact/hooks';
import { TEXT } from '../texts.ts';
import { visible } from '../words/visible.ts';

interface NeverBlankProps {
  /** Where one is: whoever goes elsewhere gets what is there. */
  readonly place?: string;
  readonly children: ComponentChildren;
}

/** What is within, or that it cannot be shown: a mistake of ours must not leave an empty page. */
export function NeverBlank({ place, children }: NeverBlankProps) {
  const [error, resetError] = useErrorBoundary();
  useLayoutEffect(() => {
    if (error !== undefined) resetError();
  }, [place]);
  if (error === undefined) return <>{children}</>;
  return (
    <div class="notice bad" role="alert">
      <p>
        <strong>{TEXT.broken.title}.</strong> {TEXT.broken.text}
      </p>
      <p>
        <code>{visible(String(error))}</code>
      </p>
      <button type="button" onClick={resetError}>
        {TEXT.failure.again}
      </button>
    </div>
  );
}
