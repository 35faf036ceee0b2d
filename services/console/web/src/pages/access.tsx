// Who may see what: made from the same list that decides it.
import { session } from '../base/api';
import { words } from '../base/money';
import { moment } from '../base/time';
import type { Role } from '../base/types';
import { Head } from '../parts/bits';
import { PLACES } from './places';

const ROLES: Role[] = ['surveillance', 'surveillance_supervisor', 'surveillance_director', 'investigator', 'auditor', 'regulator', 'operator', 'device'];

export function Access() {
  const who = session.value;
  return (
    <div class="page">
      <Head title="Access"><p class="sub">Which role sees which page. The server holds the same for every call, whatever a page shows.</p></Head>
      <section class="card">
        <h2>You</h2>
        <dl class="facts">
          <dt>User</dt><dd>{who?.user.name} <span class="faint">{who?.user.id}</span></dd>
          <dt>Roles</dt><dd>{who?.user.roles.map(words).join(', ')}</dd>
          <dt>Properties</dt><dd>{who?.user.properties?.join(', ') ?? 'all'}</dd>
          <dt>Signed in until</dt><dd>{who?.expires ? moment(who.expires) : 'you sign out'}</dd>
        </dl>
      </section>
      <div class="scroll" tabIndex={0} role="region" aria-label="Roles and pages">
        <table class="list access">
          <thead><tr><th>Page</th>{ROLES.map((role) => <th key={role} class={who?.user.roles.includes(role) ? 'mine' : ''}>{words(role)}</th>)}</tr></thead>
          <tbody>{PLACES.map((place) => <tr key={place.to}><td><b>{place.name}</b> <span class="faint">{place.to}</span></td>{ROLES.map((role) => <td key={role}>{place.roles.includes(role) ? 'yes' : <span class="faint">no</span>}</td>)}</tr>)}</tbody>
        </table>
      </div>
      <p class="faint foot">Users are made by <code>catwalk users add</code> and taken away by <code>catwalk users revoke</code>, on the server.</p>
    </div>
  );
}
