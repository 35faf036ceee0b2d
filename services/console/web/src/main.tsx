import { Component, type ComponentChildren, render } from 'preact';

import { session, told } from './base/api';
import { resume } from './base/case';
import { listen } from './base/live';
import { go, path } from './base/router';
import { Empty } from './parts/bits';
import { lazy } from './parts/lazy';
import { Queue } from './pages/queue';
import { hears, home, may, PLACES } from './pages/places';
import { Shell } from './pages/shell';
import { SignIn, useSession } from './pages/signin';
import { Settings } from './pages/settings';
import { Floor } from './pages/floor';
import { Wall } from './pages/wall';
import { Rounds } from './pages/rounds';
import { Round } from './pages/round';
import { Find } from './pages/find';
import { Health } from './pages/health';

const Ask = lazy(() => import('./pages/ask').then((page) => page.Ask));
const Log = lazy(() => import('./pages/log').then((page) => page.Log));
const Shift = lazy(() => import('./pages/shift').then((page) => page.Shift));
const Reports = lazy(() => import('./pages/reports').then((page) => page.Reports));
const Odds = lazy(() => import('./pages/odds').then((page) => page.Odds));
const People = lazy(() => import('./pages/people').then((page) => page.People));
const SetOf = lazy(() => import('./pages/people').then((page) => page.SetOf));
const Cases = lazy(() => import('./pages/cases').then((page) => page.Cases));
const Duties = lazy(() => import('./pages/duties').then((page) => page.Duties));
const Access = lazy(() => import('./pages/access').then((page) => page.Access));
const Print = lazy(() => import('./pages/print').then((page) => page.Print));
const Rules = lazy(() => import('./pages/rules').then((page) => page.Rules));

function App() {
  useSession();
  const who = session.value;
  if (who === undefined) return <div class="loading">…</div>;
  if (who === null) return <SignIn />;
  if (hears()) listen();
  const parts = path.value.split('/').slice(1).map(decodeURIComponent);
  if (parts[0] === 'print') return <Print what={parts[1] ?? ''} id={parts[2] ?? ''} />;
  return <Shell><Guard key={parts[0]}><Page parts={parts} /></Guard></Shell>;
}

/** A page that fails says so; the bar above it, and whether all is live, stay. */
class Guard extends Component<{ children: ComponentChildren }, { why: string | null }> {
  state = { why: null };

  static getDerivedStateFromError(error: unknown) {
    return { why: told(error) };
  }

  render() {
    if (this.state.why === null) return this.props.children;
    return (
      <div class="failed" role="alert">
        <b>This page could not be drawn.</b> <span>{this.state.why}</span>
        <button onClick={() => this.setState({ why: null })}>Try again</button>
      </div>
    );
  }
}

function Page({ parts }: { parts: string[] }) {
  const [first = '', second = '', third = '', fourth = ''] = parts;
  const place = PLACES.find((known) => known.to === `/${first}`);
  if (place !== undefined && !may(place)) return <Empty title="This page is not for your role.">{`${place.name} is for ${place.roles.join(', ').replaceAll('_', ' ')}.`}</Empty>;
  switch (first) {
    case '': {
      const to = home();
      if (to !== undefined) queueMicrotask(() => go(to, true));
      return to === undefined ? <Empty title="Your role has no pages here." /> : null;
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
    case 'reports':
      return <Reports name={second} day={third} why={fourth === 'why'} />;
    case 'odds':
      return <Odds game={second} />;
    case 'people':
      return <People kind={second} id={third} />;
    case 'sets':
      return <SetOf id={second} key={second} />;
    case 'cases':
      return <Cases id={second} />;
    case 'duties':
      return <Duties />;
    case 'access':
      return <Access />;
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

// Whose case it is must be known before anything is asked for under it.
session.subscribe(resume);
const page = document.getElementById('page');
if (page !== null) render(<App />, page);
