import { useLayoutEffect, useRef, useState } from 'preact/hooks';

let areOn = true;

/** Whether single keys do something. Who speaks to the browser must be able to turn that off: WCAG 2.1.4. */
export function useKeysSwitch(): readonly [boolean, (isOn: boolean) => void] {
  const [isOn, setOn] = useState(areOn);
  return [
    isOn,
    (wanted) => {
      areOn = wanted;
      setOn(wanted);
    },
  ];
}

/**
 * Does something when a single key is pressed, unless somebody types, or a dialog is open.
 *
 * @param keys by the key, such as `/`
 */
export function useKeys(keys: Readonly<Record<string, (() => void) | undefined>>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const act = latest.current[event.key];
      if (!areOn || act === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target instanceof Element && event.target.closest('input, select, textarea') !== null) return;
      if (document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
}
