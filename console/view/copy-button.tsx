import { useState } from 'preact/hooks';
import { TEXT } from '../texts.ts';

interface CopyButtonProps {
  /** Called when it is pressed. */
  readonly text: () => string | Promise<string>;
  readonly label: string;
}

export function CopyButton({ text, label }: CopyButtonProps) {
  const [outcome, tell] = useState('');
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
          tell(copied ? TEXT.copy.done : TEXT.copy.failed);
          setTimeout(() => tell(''), 4_000);
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
