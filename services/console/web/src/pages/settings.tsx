import { signal } from '@preact/signals';

import { session } from '../base/api';
import * as sound from '../base/sound';
import { moment, now, tick, zone } from '../base/time';
import { Head } from '../parts/bits';

const THEMES = ['dark', 'light', 'contrast'] as const;
type Theme = (typeof THEMES)[number];

export const theme = signal<Theme>((document.documentElement.dataset.theme as Theme) ?? 'dark');

function choose(next: Theme): void {
  theme.value = next;
  document.documentElement.dataset.theme = next;
  localStorage.setItem('catwalk.theme', next);
}

export const cycleTheme = () => choose(THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'dark');

const SAID: Record<Theme, string> = { dark: 'Dark, for a dark room', light: 'Light', contrast: 'High contrast' };

export function Settings() {
  void tick.value;
  return (
    <div class="page narrow">
      <Head title="Settings" />
      <fieldset class="card">
        <legend>Theme</legend>
        {THEMES.map((name) => (
          <label key={name} class="choice">
            <input type="radio" name="theme" checked={theme.value === name} onChange={() => choose(name)} /> {SAID[name]}
          </label>
        ))}
      </fieldset>
      <fieldset class="card">
        <legend>Sound</legend>
        <label class="choice">
          <input type="checkbox" checked={sound.wanted.value} onChange={sound.toggle} /> A tone for each new incident of priority 1 and 2
        </label>
        <div class="actions">
          <button onClick={() => { sound.wake(); sound.ring('try 1', 1); }}>Hear priority 1</button>
          <button onClick={() => { sound.wake(); sound.ring('try 2', 2); }}>Hear priority 2</button>
        </div>
      </fieldset>
      <section class="card">
        <h2>The house</h2>
        <dl class="facts">
          {session.value?.house.name && <><dt>House</dt><dd>{session.value.house.name}</dd></>}
          <dt>Time zone</dt><dd>{zone.value}</dd>
          <dt>Now</dt><dd class="num">{moment(now())}</dd>
          <dt>Gaming day begins</dt><dd class="num">{String(session.value?.house.gaming_day_begins)}</dd>
        </dl>
      </section>
    </div>
  );
}
