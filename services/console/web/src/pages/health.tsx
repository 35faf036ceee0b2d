// What the page knows of itself and of the server.
import { incidents, link, rangCount, tables, troubles } from '../base/live';
import { count } from '../base/money';
import * as sound from '../base/sound';
import { moment, now, tick, zone } from '../base/time';
import { Head } from '../parts/bits';
import { hears } from './places';

export function Health() {
  void tick.value;
  const { server, log, head, offset, repairs } = link.value;
  const found = troubles.value;
  const rows: [string, string, boolean][] = [
    ['Browser to server', server === 'live' ? 'live' : server, server === 'live'],
    ['Server to event log', log.ok ? (log.behind > 0 ? `${count(log.behind)} events behind` : 'live') : 'not heard', log.ok && log.behind === 0],
    ['Feeds of tables', `${count([...tables.values()].filter((table) => table.silent).length)} of ${count(tables.size)} silent`, ![...tables.values()].some((table) => table.silent)],
    ['Stream', `at ${count(offset)} of ${count(head)}`, offset >= head],
    ['Repairs of the stream', count(repairs), true],
    ['Incidents held here', count(incidents.size), true],
    ['Sound', `${sound.state.value}, ${rangCount()} tones from this tab`, sound.state.value === 'on'],
    ['The house’s time', `${moment(now())} (${zone.value})`, true],
  ];
  if (!hears()) {
    return (
      <div class="page narrow">
        <Head title="Health"><p class="sub">The house’s time is {moment(now())}.</p></Head>
        <p>Your role does not follow the floor, so this page cannot say whether it is live. On the server, <code>catwalk doctor</code> says what is wrong with the installation, and its metrics say how far each service is.</p>
      </div>
    );
  }
  return (
    <div class="page narrow">
      <Head title="Health"><p class="sub">{found.length === 0 ? 'Everything that this page can see is live.' : found.map((trouble) => trouble.text).join(' ')}</p></Head>
      <table class="list"><tbody>{rows.map(([name, said, fine]) => <tr key={name}><th scope="row">{name}</th><td class={`num ${fine ? '' : 'wrong'}`}>{fine ? '' : '⚠ '}{said}</td></tr>)}</tbody></table>
    </div>
  );
}
