// The pages, and who may see them.
import { session } from '../base/api';
import type { Role } from '../base/types';

const WATCH: Role[] = ['surveillance', 'surveillance_supervisor', 'surveillance_director'];
const ASK: Role[] = [...WATCH, 'investigator', 'auditor', 'regulator'];
const AUDIT: Role[] = ['surveillance_director', 'investigator', 'auditor', 'regulator'];
const ALL: Role[] = [...ASK, 'operator'];

export interface Place {
  to: string;
  name: string;
  key?: string;
  roles: Role[];
  /** In the menu, not in the bar. */
  aside?: boolean;
}

/** In the order of the bar. */
export const PLACES: Place[] = [
  { to: '/queue', name: 'Queue', key: '1', roles: WATCH },
  { to: '/floor', name: 'Floor', key: '2', roles: WATCH },
  { to: '/rounds', name: 'Rounds', key: '3', roles: ASK },
  { to: '/ask', name: 'Ask', key: '4', roles: ASK },
  { to: '/reports', name: 'Reports', key: '5', roles: AUDIT },
  { to: '/rules', name: 'Rules', key: '6', roles: ASK },
  { to: '/log', name: 'Log', key: '7', roles: ASK },
  { to: '/shift', name: 'Shift', key: '8', roles: ASK },
  { to: '/wall', name: 'Wall', roles: WATCH, aside: true },
  { to: '/duties', name: 'Duties', roles: ASK, aside: true },
  { to: '/cases', name: 'Cases', roles: ASK, aside: true },
  { to: '/people', name: 'People', roles: ASK, aside: true },
  { to: '/sets', name: 'Sets', roles: ASK, aside: true },
  { to: '/odds', name: 'Odds', roles: ALL, aside: true },
  { to: '/find', name: 'Find', key: '/', roles: ASK, aside: true },
  { to: '/access', name: 'Access', roles: ALL, aside: true },
  { to: '/health', name: 'Health', key: '9', roles: ALL, aside: true },
  { to: '/settings', name: 'Settings', roles: ALL, aside: true },
];

export const may = (place: Place): boolean => session.value?.user.roles.some((role) => place.roles.includes(role)) ?? false;

/** Where each role begins. */
const FIRST: [Role, string][] = [
  ['surveillance', '/queue'], ['surveillance_supervisor', '/queue'], ['surveillance_director', '/queue'],
  ['investigator', '/rounds'], ['auditor', '/reports'], ['regulator', '/reports'], ['operator', '/health'],
];

export const home = (): string | undefined => FIRST.find(([role]) => session.value?.user.roles.includes(role))?.[1];

/** Whether one may follow incidents and tables. */
export const hears = (): boolean => session.value?.user.roles.some((role) => ASK.includes(role)) ?? false;

/** Whose cases are, and who may read what was done about them. */
const CASES: Role[] = ['surveillance_director', 'investigator', 'regulator'];
const has = (roles: Role[]): boolean => session.value?.user.roles.some((role) => roles.includes(role)) ?? false;
export const mayActOnCases = (): boolean => has(CASES);
export const mayReadCases = (): boolean => has(AUDIT);
