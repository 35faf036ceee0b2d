// Small things that every page has.
import type { ComponentChildren } from 'preact';

import { chips, dollars, loss } from '../base/money';
import { brief, clock, moment } from '../base/time';
import type { Loaded } from '../base/hooks';

const NAMES: Record<number, string> = { 1: 'at once', 2: 'soon', 3: 'this shift', 4: 'today' };

/** Priority by number, shape and colour: told apart without any one of them. */
export function Badge({ priority }: { priority: number }) {
  const shapes: Record<number, ComponentChildren> = {
    1: <path d="M6 1h8l5 5v8l-5 5H6l-5-5V6z" />,
    2: <path d="M10 1l9.5 17.5H.5z" />,
    3: <path d="M10 .5l9.5 9.5-9.5 9.5L.5 10z" />,
    4: <circle cx="10" cy="10" r="9" />,
  };
  return (
    <span class={`badge p${priority}`} title={`Priority ${priority}: ${NAMES[priority] ?? ''}`}>
      <svg viewBox="0 0 20 20" aria-hidden="true">{shapes[priority]}</svg>
      <span class="sr">Priority </span><b>{priority}</b>
    </span>
  );
}

export function Money({ cents, signed }: { cents: number | null | undefined; signed?: boolean }) {
  const sign = signed && (cents ?? 0) > 0 ? '+' : '';
  return <span class="num">{sign}{dollars(cents)}</span>;
}

export const Chips = ({ cents }: { cents: number }) => <span class="num">{chips(cents)}</span>;

/** What is lost, and by whom. */
export function Loss({ cents }: { cents: number }) {
  const { who, text } = loss(cents);
  if (who === 'none') return <span class="num faint">–</span>;
  return <span class={`loss ${who}`}><span class="num">{text}</span> <small>{who === 'house' ? 'house' : 'patron'}</small></span>;
}

export const Clock = ({ at }: { at?: string | null }) => <time class="num" dateTime={at ?? undefined} title={moment(at)}>{clock(at)}</time>;
export const Brief = ({ at }: { at?: string | null }) => <time class="num" dateTime={at ?? undefined} title={moment(at)}>{brief(at)}</time>;

export const Kbd = ({ children }: { children: ComponentChildren }) => <kbd>{children}</kbd>;

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return <div class="empty"><b>{title}</b>{children && <p>{children}</p>}</div>;
}

/** What is asked for, or why it is not there. Something older is shown as such while it is asked anew. */
export function Await<T>({ of, again, children }: { of: Loaded<T>; again?: () => void; children: (value: T) => ComponentChildren }) {
  if (of.state === 'there') return <>{children(of.value)}</>;
  if (of.state === 'failed') {
    return (
      <div class="failed" role="alert">
        <b>This could not be read.</b> <span>{of.why.replace(/^./, (first) => first.toUpperCase())}</span>
        {again && <button onClick={again}>Try again</button>}
      </div>
    );
  }
  if (of.was !== undefined) return <div class="aging" aria-busy="true">{children(of.was)}</div>;
  return <div class="loading" aria-busy="true">Reading…</div>;
}

export function Head({ title, children }: { title: string; children?: ComponentChildren }) {
  return <header class="head"><h1>{title}</h1>{children}</header>;
}

export const Link = ({ to, children, class: kind }: { to: string; children: ComponentChildren; class?: string }) => <a href={to} class={kind}>{children}</a>;

export const RoundLink = ({ id }: { id: string }) => <a class="num" href={`/rounds/${encodeURIComponent(id)}`}>{id}</a>;

/** A patron by the name that the asker is given; another name is long, and the whole of it is on paper and under the pointer. */
export const PatronLink = ({ id }: { id: string }) => <a class="patron" href={`/people/patron/${encodeURIComponent(id)}`} title={id}>{id}</a>;

/** Of which versions of its tables the archive answered. */
export function versionOf(version: unknown): string {
  if (version === null || typeof version !== 'object') return version === null || version === undefined ? 'unknown' : String(version);
  return Object.entries(version).map(([table, number]) => `${table.replaceAll('_', ' ')} ${number}`).join(', ');
}
