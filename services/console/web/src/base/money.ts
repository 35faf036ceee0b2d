// Money is whole cents until it is shown.
const whole = new Intl.NumberFormat('en-US');

export function dollars(cents: number | null | undefined): string {
  if (cents === null || cents === undefined) return '–';
  const size = Math.abs(cents);
  const rest = String(size % 100).padStart(2, '0');
  return `${cents < 0 ? '−' : ''}$${whole.format(Math.floor(size / 100))}.${rest}`;
}

/** For chips: no cents where there are none. */
export function chips(cents: number): string {
  const size = Math.abs(cents);
  const sign = cents < 0 ? '−' : '';
  return size % 100 === 0 ? `${sign}$${whole.format(size / 100)}` : dollars(cents);
}

export const count = (number: number): string => whole.format(number);

/** Who is out of pocket, and by how much. */
export function loss(exposure: number): { who: 'house' | 'patron' | 'none'; text: string } {
  if (exposure === 0) return { who: 'none', text: '–' };
  return { who: exposure > 0 ? 'house' : 'patron', text: dollars(Math.abs(exposure)) };
}

/** `six_to_five` as people say it. */
export const words = (name: string): string => name.replaceAll('_', ' ').replace(/\bdont\b/g, 'don’t');

/** The same at the head of a column or a field. */
export const headed = (name: string): string => words(name).replace(/^./, (first) => first.toUpperCase());

/** So many of something: `1 row`, `2 rows`. */
export const many = (number: number, one: string, more = `${one}s`): string => `${count(number)} ${number === 1 ? one : more}`;

/** Dollars as somebody writes them, as whole cents; none where it is no amount. */
export function centsOf(text: string): number | null {
  const found = /^\$?(\d{1,3}(?:,\d{3})+|\d{1,12})(?:\.(\d{2}))?$/.exec(text.trim());
  return found === null ? null : Number(`${found[1]?.replaceAll(',', '')}${found[2] ?? '00'}`);
}
