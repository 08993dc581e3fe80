import { useState } from 'preact/hooks';
import type { MessageView } from '../../../functions/core/message/message-view.ts';
import type { SubscriptionView } from '../../../functions/core/subscription/subscription-view.ts';
import { TEXT } from '../../texts.ts';
import { CopyButton } from '../../view/copy-button.tsx';
import { Field, TextField } from '../../view/field.tsx';
import { Pairs } from '../../view/pairs.tsx';
import { curlOf } from '../curl.ts';
import { headersOf, timestampOf } from '../webhook.ts';
import { checkSignature, type Finding } from './signature.ts';

interface SignatureCheckProps {
  readonly message: MessageView;
  readonly subscription: SubscriptionView | undefined;
}

/**
 * What was sent beside the body, as a command, and a check of what arrived. All of it happens in this page.
 */
export function SignatureCheck({ message, subscription }: SignatureCheckProps) {
  const last = message.attempts.at(-1);
  const { body: sent = '' } = message;
  const [key, setKey] = useState('');
  const [timestamp, setTimestamp] = useState(last === undefined ? '' : timestampOf(last));
  const [signatures, setSignatures] = useState('');
  const [body, setBody] = useState(sent);
  const [finding, setFinding] = useState<Finding>();
  if (message.body === undefined) return null;
  const isPay = subscription?.extra_signatures.includes('pay-signature');

  return (
    <details class="folded">
      <summary>
        <h2>{TEXT.signature.title}</h2>
      </summary>
      <Pairs
        rows={[
          ...headersOf(message, { timestamp: last && timestampOf(last) }).map(
            ({ name, value }) => [<code>{name}</code>, value] as const,
          ),
          ...['webhook-signature', ...(isPay ? ['pay-signature'] : [])].map(
            (name) => [<code>{name}</code>, <span class="soft">{TEXT.signature.notKept}</span>] as const,
          ),
          [
            TEXT.settings.custom_header_names,
            subscription !== undefined && subscription.custom_header_names.length > 0 && (
              <span class="soft">{subscription.custom_header_names.join(', ')}</span>
            ),
          ],
        ]}
      />
      <form
        class="form"
        onSubmit={async (event) => {
          event.preventDefault();
          const given = { key, id: message.message_id, timestamp, signatures, body, sent };
          setFinding(await checkSignature(given, Date.now()));
        }}
      >
        <TextField
          id="key"
          label={TEXT.signature.key}
          hint={TEXT.signature.keyHint}
          type="password"
          value={key}
          typed={setKey}
        />
        {subscription && (
          <div class="field">
            <CopyButton
              text={() => curlOf(message, subscription, key, Date.now())}
              label={TEXT.signature.curl}
            />
            <p class="hint">{TEXT.signature.curlHint(subscription.custom_header_names.join(', '))}</p>
          </div>
        )}
        <h3>{TEXT.signature.checkTitle}</h3>
        <TextField
          id="signatures"
          label={TEXT.signature.signatures}
          hint={TEXT.signature.signaturesHint}
          value={signatures}
          typed={setSignatures}
        />
        <TextField
          id="timestamp"
          label={TEXT.signature.timestamp}
          hint={TEXT.signature.timestampHint}
          inputMode="numeric"
          value={timestamp}
          typed={setTimestamp}
        />
        <Field id="received" label={TEXT.signature.body} hint={TEXT.signature.bodyHint}>
          {(described) => (
            <textarea
              {...described}
              rows={6}
              spellcheck={false}
              value={body}
              onInput={(event) => setBody(event.currentTarget.value)}
            />
          )}
        </Field>
        <button type="submit">{TEXT.signature.check}</button>
        <div role="status">
          {finding && (
            <p
              class={`notice ${finding.kind === 'fits' ? 'good' : finding.kind === 'expected' ? '' : 'bad'}`}
            >
              {told(finding)}
            </p>
          )}
        </div>
      </form>
    </details>
  );
}

function told(finding: Finding): string {
  switch (finding.kind) {
    case 'fits':
      return finding.isRecent
        ? TEXT.signature.fits(finding.scheme)
        : `${TEXT.signature.fits(finding.scheme)} ${TEXT.signature.old}`;
    case 'fits_as_sent':
      return TEXT.signature.fitsAsSent;
    case 'none_fits':
      return TEXT.signature.noneFits;
    case 'no_signature':
      return TEXT.signature.noSignature(finding.scheme);
    case 'no_key':
      return TEXT.signature.noKey;
    case 'expected':
      return TEXT.signature.expected(finding.signature);
  }
}
