// Ten thousand rows of one height, of which those in sight are drawn. The list has the focus and says which row is
// meant, so that a row that is scrolled away loses nothing.
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

const BEYOND = 6;

export interface RowsProps {
  label: string;
  ids: readonly string[];
  focused: string | null;
  selected?: ReadonlySet<string>;
  row: (id: string, index: number) => ComponentChildren;
  onFocus: (id: string) => void;
  onOpen?: (id: string) => void;
  name: string;
  /** The most rows to draw. */
  most?: number;
  takesFocus?: boolean;
  class?: string;
}

export const rowHeight = () => Math.round(Number.parseFloat(getComputedStyle(document.documentElement).fontSize) * 3.25);

export function Rows(props: RowsProps) {
  const { ids, focused, row, name, most = 60 } = props;
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [size, setSize] = useState(() => ({ height: 600, row: rowHeight() }));
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = () => setSize({ height: element.clientHeight, row: rowHeight() });
    measure();
    const watcher = new ResizeObserver(measure);
    watcher.observe(element);
    return () => watcher.disconnect();
  }, []);
  const index = focused === null ? -1 : ids.indexOf(focused);
  const was = useRef('');
  // The row that the user moves to comes into sight; a row that stays the same stays where it is.
  useLayoutEffect(() => {
    const element = box.current;
    // Where the list itself has another size, its row may have gone out of sight.
    const meant = `${size.row} ${size.height} ${focused}`;
    if (element === null || index < 0 || was.current === meant) return;
    was.current = meant;
    const above = index * size.row;
    if (above < element.scrollTop) element.scrollTop = above;
    else if (above + size.row > element.scrollTop + element.clientHeight) element.scrollTop = above + size.row - element.clientHeight;
    setTop(element.scrollTop);
  }, [focused, index, size]);
  // What comes or goes above the row does not move it.
  const before = useRef({ index, focused });
  useLayoutEffect(() => {
    const element = box.current;
    const { index: old, focused: oldFocused } = before.current;
    before.current = { index, focused };
    if (element === null || old < 0 || index < 0 || old === index || oldFocused !== focused) return;
    element.scrollTop += (index - old) * size.row;
  }, [index, focused, size.row]);
  useEffect(() => {
    if (props.takesFocus) box.current?.focus({ preventScroll: true });
  }, [props.takesFocus]);
  const first = Math.max(0, Math.floor(top / size.row) - BEYOND);
  const shown = Math.min(most, Math.ceil(size.height / size.row) + 2 * BEYOND);
  const last = Math.min(ids.length, first + shown);
  const drawn = [];
  const draw = (at: number) => {
    const id = ids[at];
    if (id === undefined) return null;
    return (
      <div
        key={id}
        id={`${name}-${id}`}
        role="option"
        class={`row${id === focused ? ' focused' : ''}`}
        aria-selected={props.selected?.has(id) ?? false}
        aria-posinset={at + 1}
        aria-setsize={ids.length}
        style={{ transform: `translateY(${at * size.row}px)`, height: `${size.row}px` }}
        onClick={() => props.onFocus(id)}
        onDblClick={() => props.onOpen?.(id)}
      >
        {row(id, at)}
      </div>
    );
  };
  // The focused row stays drawn, so that what points to it finds it.
  if (index >= 0 && index < first) drawn.push(draw(index));
  for (let at = first; at < last; at += 1) drawn.push(draw(at));
  if (index >= last) drawn.push(draw(index));
  return (
    <div
      ref={box}
      class={`rows ${props.class ?? ''}`}
      role="listbox"
      tabIndex={0}
      aria-label={props.label}
      aria-multiselectable={props.selected !== undefined}
      aria-activedescendant={index >= 0 ? `${name}-${focused}` : undefined}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <div class="rows-all" role="presentation" style={{ height: `${ids.length * size.row}px` }}>{drawn}</div>
    </div>
  );
}
