// The address says what is shown: every filter, step and choice is in it.
import { computed, signal } from '@preact/signals';

export const address = signal(location.pathname + location.search);
export const path = computed(() => address.value.split('?')[0] ?? '/');
export const params = computed(() => new URLSearchParams(address.value.split('?')[1] ?? ''));

export function go(to: string, replace = false): void {
  if (to === address.value) return;
  history[replace ? 'replaceState' : 'pushState'](null, '', to);
  address.value = to;
}

/** Changes parameters of the address and nothing else; an empty value takes one away. */
export function put(values: Record<string, string | number | null | undefined>, replace = true): void {
  const next = new URLSearchParams(params.value);
  for (const [key, value] of Object.entries(values)) {
    if (value === null || value === undefined || value === '') next.delete(key);
    else next.set(key, String(value));
  }
  const text = next.toString();
  go(path.value + (text === '' ? '' : `?${text}`), replace);
}

addEventListener('popstate', () => (address.value = location.pathname + location.search));

document.addEventListener('click', (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = (event.target as Element).closest?.('a[href]');
  const href = link?.getAttribute('href');
  if (!href?.startsWith('/') || href.startsWith('/api/') || link?.hasAttribute('download') || link?.hasAttribute('target')) return;
  event.preventDefault();
  go(href);
});
