// What stands around every page: where one is, whether it is live, and whose keys hold.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import { ask, session } from '../base/api';
import { underCase, wantsCase } from '../base/case';
import { useKeys } from '../base/hooks';
import { holding, shownKey } from '../base/keys';
import { link, silentTables, stopListening, troubles, urgent } from '../base/live';
import { go, path } from '../base/router';
import * as sound from '../base/sound';
import { clock, gamingDay, now, tick, zoneName } from '../base/time';
import { Dialog } from '../parts/dialog';
import { Kbd } from '../parts/bits';
import { lazy } from '../parts/lazy';
import { hears, may, PLACES } from './places';
import { cycleTheme, theme } from './settings';
import { Under } from './under';

const ChooseCase = lazy(() => import('./cases').then((page) => page.Choose));

export function Shell({ children }: { children: ComponentChildren }) {
  const [help, setHelp] = useState(false);
  const [choosing, setChoosing] = useState(false);
  const asksForCase = wantsCase(session.value);
  const places = PLACES.filter(may);
  useKeys('everywhere', [
    ...places.filter((place) => place.key !== undefined).map((place) => ({ keys: [place.key ?? ''], does: place.name, group: 'Go to', run: () => go(place.to) })),
    ...(asksForCase ? [{ keys: ['v'], does: 'Look under a case, or leave it', group: 'Everywhere', run: () => setChoosing(true) }] : []),
    { keys: ['i'], does: 'Sound on or off', group: 'Everywhere', run: sound.toggle },
    { keys: ['t'], does: 'Dark, light, high contrast', group: 'Everywhere', run: cycleTheme },
    { keys: ['?'], does: 'This list of keys', group: 'Everywhere', run: () => setHelp(true) },
  ]);
  useTitle();
  return (
    <>
      <a class="skip" href="#main">Skip to the page</a>
      <header class="top">
        <a class="brand" href="/" aria-label="Catwalk, first page"><Mark /> <span>Catwalk</span></a>
        <nav aria-label="Pages">
          {places.filter((place) => !place.aside).map((place) => (
            <a key={place.to} href={place.to} aria-current={path.value.startsWith(place.to) ? 'page' : undefined}>
              {place.name}
              {place.to === '/queue' && urgent.value > 0 && <span class="dot" aria-label={`${urgent.value} of priority 1 open`}>{urgent.value}</span>}
            </a>
          ))}
        </nav>
        <span class="grow" />
        {hears() && <><Sound /><Live /></>}
        {asksForCase && underCase.value === '' && <button class="chip case-chip" data-case-chip onClick={() => setChoosing(true)} title="Patrons go by other names until you look under a case">No case <Kbd>v</Kbd></button>}
        <HouseClock />
        <Who onHelp={() => setHelp(true)} />
      </header>
      <Under onChoose={() => setChoosing(true)} />
      <Banner />
      <main id="main" tabIndex={-1}>{children}</main>
      {choosing && <ChooseCase onClose={() => setChoosing(false)} />}
      {help && <Help onClose={() => setHelp(false)} />}
    </>
  );
}

const Mark = () => (
  <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
    <path d="M3 12h26M3 20h26" /><path d="M7 12v8M16 12v8M25 12v8M7 20l-3 8M25 20l3 8M11 12l-2-8M21 12l2-8" />
  </svg>
);

function Sound() {
  const state = sound.state.value;
  const said = { on: 'Sound on', off: 'Sound off', suspended: 'Sound off: press a key' }[state];
  return <button class={`chip ${state === 'on' ? '' : 'warn'}`} onClick={sound.toggle} title="Tones for new incidents (i)" data-sound={state}>{said}</button>;
}

function Live() {
  const { server, log } = link.value;
  const silent = silentTables.value.length;
  const state = server !== 'live' ? server : !log.ok ? 'lost' : log.behind > 0 || silent > 0 ? 'stale' : 'live';
  const said = {
    opening: 'Connecting', lost: 'Not live', live: 'Live',
    stale: silent > 0 ? `Live · ${silent} silent` : `Live · ${log.behind} behind`,
  }[state];
  return <span class={`live ${state}`} role="status" data-live={state}><i aria-hidden="true" />{said}</span>;
}

function HouseClock() {
  void tick.value;
  return (
    <span class="clock num" title={`The house's time. Gaming day ${gamingDay()}`}>
      <b>{clock(now())}</b> <small>{zoneName()} · day {gamingDay().slice(5)}</small>
    </span>
  );
}

function Who({ onHelp }: { onHelp: () => void }) {
  const who = session.value;
  const box = useRef<HTMLDetailsElement>(null);
  // Whoever has chosen has no more use for the menu.
  useEffect(() => box.current?.removeAttribute('open'), [path.value]);
  if (!who) return null;
  const out = async () => {
    await ask('DELETE', '/session').catch(() => undefined);
    stopListening();
    session.value = null;
  };
  return (
    <details class="who" ref={box}>
      <summary>{who.user.name || who.user.id}{who.demo && <em>demo</em>}</summary>
      <div class="menu">
        <p><small class="faint">{who.user.roles.length > 3 ? `${who.user.roles.length} roles` : who.user.roles.join(', ').replaceAll('_', ' ')}{who.house.name && ` · ${who.house.name}`}</small></p>
        <nav aria-label="More pages">{PLACES.filter((place) => place.aside && may(place)).map((place) => <a key={place.to} href={place.to} aria-current={path.value.startsWith(place.to) ? 'page' : undefined}>{place.name} {place.key && <Kbd>{place.key}</Kbd>}</a>)}</nav>
        <button onClick={onHelp}>Keys <Kbd>?</Kbd></button>
        <button onClick={cycleTheme}>Theme: {theme.value} <Kbd>t</Kbd></button>
        <button onClick={out}>Sign out</button>
      </div>
    </details>
  );
}

/** What is not live is said above everything, in words. */
function Banner() {
  const found = troubles.value;
  if (found.length === 0) return <div class="banners" aria-live="assertive" />;
  return (
    <div class="banners" aria-live="assertive">
      {found.map((trouble) => (
        <div key={trouble.what} class={`banner ${trouble.level}`} data-trouble={trouble.what}>{trouble.text}</div>
      ))}
    </div>
  );
}

/** Title and favicon say the same as the banner, for whoever looks at another tab. */
function useTitle() {
  const found = troubles.value;
  const count = urgent.value;
  const lost = found.find((trouble) => trouble.level === 'lost');
  const stale = found[0];
  const name = PLACES.find((place) => path.value.startsWith(place.to))?.name ?? 'Catwalk';
  const mark = lost ? '✕ NOT LIVE · ' : stale ? `⚠ ${stale.what === 'feed' ? 'SILENT' : 'BEHIND'} · ` : '';
  const title = `${mark}${count > 0 ? `(${count}) ` : ''}${name} · Catwalk`;
  const icon = lost ? 'lost' : stale ? 'stale' : count > 0 ? 'urgent' : 'ok';
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => {
    document.getElementById('icon')?.setAttribute('href', `/icon-${icon}.svg`);
  }, [icon]);
}

function Help({ onClose }: { onClose: () => void }) {
  const [keys] = useState(holding);
  const groups = [...new Set(keys.map((key) => key.group))];
  return (
    <Dialog title="Keys" onClose={onClose} wide>
      <div class="help">
        {groups.map((group) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {keys.filter((key) => key.group === group).map((key) => (
                <div key={key.keys.join()} data-keys={key.keys.join(' ')}>
                  <dt>{key.keys.map((name) => <Kbd key={name}>{shownKey(name)}</Kbd>)}</dt>
                  <dd>{key.does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
