// One dialog at a time: it holds the focus, and keys of the page below do nothing.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { useKeys } from '../base/hooks';
import type { Key } from '../base/keys';

export function Dialog({ title, onClose, keys = [], children, wide }: {
  title: string; onClose: () => void; keys?: Key[]; children: ComponentChildren; wide?: boolean;
}) {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = box.current;
    const before = document.activeElement as HTMLElement | null;
    dialog?.showModal();
    dialog?.querySelector<HTMLElement>('[data-first]')?.focus();
    return () => {
      dialog?.close();
      before?.focus?.({ preventScroll: true });
    };
  }, []);
  useKeys('dialog', [{ keys: ['Escape'], does: 'Close', group: 'Dialog', run: onClose }, ...keys], true);
  return (
    <dialog
      ref={box}
      class={wide ? 'wide' : ''}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header><h2>{title}</h2><button class="plain" onClick={onClose} aria-label="Close">✕</button></header>
      {children}
    </dialog>
  );
}
