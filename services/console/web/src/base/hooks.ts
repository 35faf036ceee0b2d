import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

import { told } from './api';
import { askedAnew, underCase } from './case';
import { type Key, keep } from './keys';

/** Keys that hold while the component is shown. What they do may change from one drawing to the next. */
export function useKeys(name: string, keys: Key[], alone = false, when = true): void {
  const latest = useRef(keys);
  latest.current = keys;
  const shape = keys.map((key) => key.keys.join(' ')).join(',');
  // At once, before anything is painted: whoever types fast types ahead of the screen.
  useLayoutEffect(() => {
    if (!when) return;
    const run = (index: number) => () => latest.current[index]?.run();
    return keep(name, latest.current.map((key, index) => ({ ...key, run: run(index) })), alone);
  }, [name, shape, alone, when]);
}

export type Loaded<T> = { state: 'loading'; was?: T } | { state: 'failed'; why: string; was?: T } | { state: 'there'; value: T };

/** Something of the server, asked for anew when the key changes; an answer that comes too late is dropped. What was seen
 *  under one case is never shown under another, or under none. */
export function useLoaded<T>(key: string | null, load: () => Promise<T>): [Loaded<T>, () => void] {
  const under = underCase.value;
  const [held, hold] = useState<{ under: string; of: Loaded<T> }>({ under, of: { state: 'loading' } });
  const [again, setAgain] = useState(0);
  useEffect(() => {
    if (key === null) return;
    let wanted = true;
    const keep = (of: Loaded<T>) => wanted && hold({ under, of });
    hold((old) => ({ under, of: { state: 'loading', was: old.under !== under ? undefined : old.of.state === 'there' ? old.of.value : old.of.was } }));
    load().then(
      (value) => keep({ state: 'there', value }),
      (error) => keep({ state: 'failed', why: told(error) }),
    );
    return () => {
      wanted = false;
    };
  }, [key, again, under, askedAnew.value]);
  return [held.under === under ? held.of : { state: 'loading' }, () => setAgain((n) => n + 1)];
}
