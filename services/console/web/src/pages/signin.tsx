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

/** A provider that vouches for people, and where a browser goes to ask it. */
type Provider = { name: string; at: string };

export function SignIn() {
  const [why, setWhy] = useState('');
  const [busy, setBusy] = useState(false);
  const [first, setFirst] = useState(false);
  const [provider, setProvider] = useState<Provider | null>(null);
  useEffect(() => {
    get<{ provider: Provider | null }>('/session/ways').then(
      (ways) => setProvider(ways.provider),
      // Who has a password here can still sign in.
      () => setProvider(null),
    );
  }, []);
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
        {first && <label>One-time token, from the server's terminal<input name="token" autoComplete="off" required /></label>}
        <label>User<input name="user" autoComplete="username" required autoFocus /></label>
        <label>Password<input name="password" type="password" autoComplete={first ? 'new-password' : 'current-password'} required /></label>
        {why !== '' && <p class="wrong" role="alert">{why}</p>}
        <div class="actions">
          <button class="main" disabled={busy}>{first ? 'Make the first user' : 'Sign in'}</button>
          <button type="button" onClick={() => enter('/session/demo', {})} disabled={busy}>Look at the demo</button>
        </div>
        {provider !== null && <a class="chip" href={provider.at}>Sign in by {provider.name}</a>}
        <button type="button" class="plain small" onClick={() => setFirst(!first)}>{first ? 'I have a user' : 'First start: I have a one-time token'}</button>
      </form>
    </main>
  );
}
