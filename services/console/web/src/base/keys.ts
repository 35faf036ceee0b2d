// The registry of keys. What `?` shows is made of it, and nothing else listens.
import { signal } from '@preact/signals';

export interface Key {
  /** As KeyboardEvent.key has it; several do the same. */
  keys: string[];
  does: string;
  group: string;
  run: () => void;
  /** Holding it down repeats it: moving about, nothing that acts. */
  repeats?: boolean;
}

const layers = signal<{ name: string; keys: Key[]; alone: boolean }[]>([]);

/** Keys that hold while something is shown; a layer that stands alone hides those below it. */
export function keep(name: string, keys: Key[], alone = false): () => void {
  const layer = { name, keys, alone };
  layers.value = [...layers.peek(), layer];
  return () => (layers.value = layers.peek().filter((other) => other !== layer));
}

/** All that hold now, the top layer first. */
export function holding(): Key[] {
  const found: Key[] = [];
  const taken = new Set<string>();
  for (const layer of [...layers.value].reverse()) {
    for (const key of layer.keys) {
      if (key.keys.some((name) => taken.has(name))) continue;
      found.push(key);
      key.keys.forEach((name) => taken.add(name));
    }
    if (layer.alone) break;
  }
  return found;
}

const TEXT = new Set(['text', 'search', 'password', 'number', 'date', 'datetime-local', 'email', 'tel', 'url', 'time']);

/** Whether what has the focus takes the key itself. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable) return true;
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLInputElement && TEXT.has(target.type);
}

const NATIVE = new Set(['Enter', ' ']);

addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.keyCode === 229) return;
  if (isTyping(event.target) && event.key !== 'Escape') return;
  // A button or a link that has the focus answers Enter and the space bar itself.
  const control = (event.target as Element).closest?.('button, a[href], summary, input');
  if (control !== null && control !== undefined && NATIVE.has(event.key)) return;
  const key = holding().find((known) => known.keys.includes(event.key));
  if (key === undefined) return;
  event.preventDefault();
  if (event.repeat && key.repeats !== true) return;
  key.run();
});

const SHOWN: Record<string, string> = {
  ArrowDown: '↓', ArrowUp: '↑', ArrowLeft: '←', ArrowRight: '→', Escape: 'Esc', ' ': 'Space', PageDown: 'PgDn', PageUp: 'PgUp',
};
export const shownKey = (key: string): string => SHOWN[key] ?? key;

// For tests, which hold the list of keys against what answers.
(globalThis as { catwalkKeys?: () => string[][] }).catwalkKeys = () => holding().map((key) => key.keys);
