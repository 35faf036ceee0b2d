// The case under which this tab looks. It is no filter, so it is in no address: a link hands nobody an authority. A tab
// has its own, keeps it when it is reloaded, and loses it with its session.
import { computed, signal } from '@preact/signals';

import type { Role, Session } from './types';

const KEPT = 'catwalk.case';
/** Those who see patrons by their ids for a case alone, and those who see them always. */
const FOR_A_CASE: Role[] = ['investigator', 'regulator'];
const ALWAYS: Role[] = ['surveillance', 'surveillance_supervisor', 'surveillance_director'];

/** The number of the case; empty without one. */
export const underCase = signal('');
/** Rises when what is shown is to be asked for anew. */
export const askedAnew = signal(0);
/** How patrons were called in the last answer, and under which case it was asked for. */
export const lastSeen = signal<{ under: string; patrons: string } | null>(null);

/** Whether a case that was asked for did not count: it is not open, or not open yet in the archive. */
export const isRefused = computed(() => {
  const seen = lastSeen.value;
  return underCase.value !== '' && seen?.under === underCase.value && seen.patrons === 'by_other_names';
});

/** Whether an answer has shown that it counts. */
export const isHeld = computed(() => lastSeen.value?.under === underCase.value && lastSeen.value.patrons === 'by_id');

/** Whether somebody sees patrons by other names until there is a case. */
export const wantsCase = (who: Session | null | undefined): boolean =>
  (who?.user.roles.some((role) => FOR_A_CASE.includes(role)) ?? false) && !who?.user.roles.some((role) => ALWAYS.includes(role));

export function lookUnder(number: string, user: string): void {
  underCase.value = number;
  lastSeen.value = null;
  if (number === '') sessionStorage.removeItem(KEPT);
  else sessionStorage.setItem(KEPT, JSON.stringify({ user, number }));
}

/** What the tab has kept, if it is of whoever is signed in now. */
export function resume(who: Session | null | undefined): void {
  if (who === undefined) return;
  const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? 'null');
  const isMine = who !== null && wantsCase(who) && kept?.user === who.user.id;
  lookUnder(isMine ? String(kept.number) : '', who?.user.id ?? '');
}

/** As a header carries it: UTF-8, a byte a sign. */
export const asHeader = (number: string): string => String.fromCharCode(...new TextEncoder().encode(number));
