// One way to ask the server. An error is a sentence that a person understands.
import { signal } from '@preact/signals';

import { asHeader, lastSeen, underCase } from './case';
import type { Session } from './types';

export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly body: any = null,
  ) {
    super(message);
  }
}

/** Who is signed in; undefined until it is known. */
export const session = signal<Session | null | undefined>(undefined);

export async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), 30_000);
  const under = underCase.peek();
  let response: Response;
  try {
    response = await fetch(`/api/v1${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...(under === '' ? {} : { 'catwalk-case': asHeader(under) }) },
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: 'same-origin',
      cache: 'no-store',
      signal: stop.signal,
    });
  } catch {
    throw new Refused(0, 'unreachable', 'The server did not answer. Nothing was changed that it did not confirm.');
  } finally {
    clearTimeout(timer);
  }
  if (response.status === 204) return undefined as T;
  const text = await response.text();
  let value: any = null;
  try {
    value = text === '' ? null : JSON.parse(text);
  } catch {
    // What is no JSON is shown as it came.
  }
  if (response.ok) {
    if (value === null) throw new Refused(response.status, 'form', 'The server answered in a form that this page does not know.');
    if (typeof value.patrons === 'string') lastSeen.value = { under, patrons: value.patrons };
    return value as T;
  }
  if (response.status === 401 && path !== '/session') session.value = null;
  const said = typeof value?.error === 'string' ? value.error : text.slice(0, 200) || `the server answered ${response.status}`;
  throw new Refused(response.status, value?.code ?? String(response.status), said, value);
}

/** The archive answers a few questions at a time: whoever reads waits for their turn, and need not ask again. */
const TURNS = 8;

export async function get<T>(path: string): Promise<T> {
  for (let turn = 1; ; turn += 1) {
    try {
      return await ask<T>('GET', path);
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== 'busy' || turn === TURNS) throw error;
      await new Promise((done) => setTimeout(done, 500 * turn));
    }
  }
}

export const post = <T>(path: string, body: unknown) => ask<T>('POST', path, body);

export function query(values: Record<string, string | number | undefined | null>): string {
  const parts = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return parts.length === 0 ? '' : '?' + new URLSearchParams(parts.map(([key, value]) => [key, String(value)])).toString();
}

export const told = (error: unknown): string => (error instanceof Error ? error.message : String(error));
