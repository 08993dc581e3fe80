import { useState } from 'preact/hooks';
import { TEXT } from '../texts.ts';

interface CopyButtonProps {
  /** Called when it is pressed. */
  readonly text: () => string | Promise<string>;
  readonly label: string;
}

export function CopyButton({ text, label }: CopyButtonProps) {
  const [outcome, setOutcome] = useState('');
  return (
    <span class="copy">
      <button
        type="button"
        onClick={async () => {
          const copied = await Promise.resolve(text())
            .then((it) => navigator.clipboard.writeText(it))
            .then(
              () => true,
              () => false,
            );
          setOutcome(copied ? TEXT.copy.done : TEXT.copy.failed);
          setTimeout(() => setOutcome(''), 4_000);
        }}
      >
        {label}
      </button>
      <span role="status" class="soft">
        {outcome}
      </span>
    </span>
  );
}
