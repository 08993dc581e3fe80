import { useState } from 'preact/hooks';
import { SearchDialog } from '../search/search-dialog.tsx';
import { TEXT } from '../texts.ts';
import { Dialog } from '../view/dialog.tsx';
import { Pairs } from '../view/pairs.tsx';
import { useKeys, useKeysSwitch } from './keys.ts';

/** Search and help, by button or by key, on every screen. */
export function Shortcuts() {
  const [open, setOpen] = useState<'search' | 'help'>();
  const close = () => setOpen(undefined);
  useKeys({ '/': () => setOpen('search'), '?': () => setOpen('help') });
  return (
    <div class="tools">
      <button type="button" class="quiet" aria-keyshortcuts="/" onClick={() => setOpen('search')}>
        {TEXT.search.open}
      </button>
      <button type="button" class="quiet" aria-keyshortcuts="?" onClick={() => setOpen('help')}>
        {TEXT.keys.open}
      </button>
      {open === 'search' && <SearchDialog close={close} />}
      {open === 'help' && <Help close={close} />}
    </div>
  );
}

function Help({ close }: { readonly close: () => void }) {
  const [isOn, setOn] = useKeysSwitch();
  return (
    <Dialog title={TEXT.keys.title} close={close}>
      <Pairs rows={TEXT.keys.all.map(([key, what]) => [<kbd>{key}</kbd>, what])} />
      <label class="choice">
        <input type="checkbox" checked={isOn} onChange={(event) => setOn(event.currentTarget.checked)} />
        {TEXT.keys.use}
      </label>
      <div class="actions">
        <button type="button" onClick={close}>
          {TEXT.close}
        </button>
      </div>
    </Dialog>
  );
}
