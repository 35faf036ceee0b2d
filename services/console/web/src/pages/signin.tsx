import { useEffect, useState } from 'preact/hooks';

import { get, post, session, told } from '../base/api';
import * as sound from '../base/sound';
import type { Session } from '../base/types';

/** Asks who is signed in. */
export function useSession(): void {
  useEffect(() => {
    get<Session>('/session').then(
      (who) => (session.value = who),
      () => (session.value = null),
    );
  }, []);
}

/** How one may sign in here: by a provider, and where a browser goes to ask it; in a demo by nothing; at first by a token. */
type Ways = { password: boolean; provider: { name: string; at: string } | null; demo: boolean; first: boolean };

export function SignIn() {
  const [why, setWhy] = useState('');
  const [busy, setBusy] = useState(false);
  // Who has a password can sign in before, and where the ways are not told.
  const [ways, setWays] = useState<Ways>({ password: true, provider: null, demo: false, first: false });
  useEffect(() => {
    get<Ways>('/session/ways').then(setWays, () => undefined);
  }, []);
  const { provider, demo, first } = ways;
  const enter = async (path: string, body: unknown) => {
    // Audio needs a gesture, and this is one.
    sound.wake();
    setBusy(true);
    setWhy('');
    try {
      session.value = await post<Session>(path, body);
    } catch (error) {
      setWhy(told(error));
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const user = String(data.get('user') ?? '');
    const password = String(data.get('password') ?? '');
    void enter(first ? '/session/first' : '/session', first ? { token: String(data.get('token') ?? ''), user, password } : { user, password });
  };
  return (
    <main class="signin" id="main">
      <form class="card" onSubmit={submit}>
        <h1>Catwalk</h1>
        <p class="faint">Every round re-settled as it is dealt.</p>
        {first && <p>Nobody is a user here yet. The one-time token in the server’s terminal makes the first: a director who is operator, too.</p>}
        {first && <label>One-time token<input name="token" autoComplete="off" required autoFocus /></label>}
        {!demo && (
          <>
            <label>User<input name="user" autoComplete="username" required autoFocus={!first} /></label>
            <label>Password<input name="password" type="password" autoComplete={first ? 'new-password' : 'current-password'} required /></label>
          </>
        )}
        {why !== '' && <p class="wrong" role="alert">{why}</p>}
        <div class="actions">
          {demo
            ? <button type="button" class="main" onClick={() => enter('/session/demo', {})} disabled={busy} autoFocus>Look at the demo</button>
            : <button class="main" disabled={busy}>{first ? 'Make the first user' : 'Sign in'}</button>}
        </div>
        {provider !== null && !first && <a class="chip" href={provider.at}>Sign in by {provider.name}</a>}
      </form>
    </main>
  );
}
