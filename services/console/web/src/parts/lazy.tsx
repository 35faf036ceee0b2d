// A page that is fetched when it is first shown.
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let there: ComponentType<P> | null = null;
  return (props: P) => {
    const [state, setState] = useState<'loading' | 'there' | 'failed'>(there === null ? 'loading' : 'there');
    useEffect(() => {
      if (there !== null) return;
      load().then(
        (component) => {
          there = component;
          setState('there');
        },
        () => setState('failed'),
      );
    }, []);
    if (state === 'failed') return <div class="failed" role="alert"><b>This page could not be fetched.</b> Reload when the server is back.</div>;
    if (there === null) return <div class="loading">Reading…</div>;
    const Component = there;
    return <Component {...props} />;
  };
}

