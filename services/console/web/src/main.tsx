import { render } from 'preact';

import { session } from './base/api';
import { listen } from './base/live';
import { go, path } from './base/router';
import type { Role } from './base/types';
import { Empty } from './parts/bits';
import { lazy } from './parts/lazy';
import { Queue } from './pages/queue';
import { may, PLACES, Shell } from './pages/shell';
import { SignIn, useSession } from './pages/signin';
import { Settings } from './pages/settings';
import { Floor } from './pages/floor';
import { Wall } from './pages/wall';
import { Rounds } from './pages/rounds';
import { Round } from './pages/round';
import { Find } from './pages/find';
import { Health } from './pages/health';
import { PrintRound } from './pages/print';

const Ask = lazy(() => import('./pages/ask').then((page) => page.Ask));
const Log = lazy(() => import('./pages/log').then((page) => page.Log));
const Shift = lazy(() => import('./pages/shift').then((page) => page.Shift));
const Rules = lazy(() => import('./pages/rules').then((page) => page.Rules));

/** Who may follow incidents and tables. */
const HEARS: Role[] = ['surveillance', 'surveillance_supervisor', 'surveillance_director', 'investigator', 'auditor', 'regulator'];

function App() {
  useSession();
  const who = session.value;
  if (who === undefined) return <div class="loading">…</div>;
  if (who === null) return <SignIn />;
  if (who.user.roles.some((role) => HEARS.includes(role))) listen();
  const parts = path.value.split('/').slice(1).map(decodeURIComponent);
  if (parts[0] === 'print') return <PrintRound id={parts[2] ?? ''} />;
  return <Shell><Page parts={parts} /></Shell>;
}

function Page({ parts }: { parts: string[] }) {
  const [first = '', second = '', third = ''] = parts;
  const place = PLACES.find((known) => known.to === `/${first}`);
  if (place !== undefined && !may(place)) return <Empty title="This page is not for your role.">{`${place.name} is for ${place.roles.join(', ').replaceAll('_', ' ')}.`}</Empty>;
  switch (first) {
    case '': {
      const home = PLACES.find(may);
      if (home !== undefined) queueMicrotask(() => go(home.to, true));
      return home === undefined ? <Empty title="Your role has no pages here." /> : null;
    }
    case 'queue':
      return <Queue chosen={second} />;
    case 'floor':
      return <Floor />;
    case 'wall':
      return <Wall />;
    case 'rounds':
      return second === '' ? <Rounds /> : <Round id={second} key={second} />;
    case 'ask':
      return <Ask name={second} key={second} />;
    case 'rules':
      return <Rules edition={second} game={third} />;
    case 'find':
      return <Find />;
    case 'log':
      return <Log />;
    case 'shift':
      return <Shift />;
    case 'health':
      return <Health />;
    case 'settings':
      return <Settings />;
    default:
      return <Empty title="There is no such page."><a href="/">The first page</a></Empty>;
  }
}

const page = document.getElementById('page');
if (page !== null) render(<App />, page);
