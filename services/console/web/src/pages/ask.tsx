// Named questions as forms; answers as tables that sort, filter, chart and go elsewhere.
import { useMemo } from 'preact/hooks';

import { get, post } from '../base/api';
import { useLoaded } from '../base/hooks';
import { headed, words } from '../base/money';
import { go, params } from '../base/router';
import { fromHouse, zone } from '../base/time';
import type { QueryAnswer, QueryInfo } from '../base/types';
import { Answer } from '../parts/answer';
import { Await, Empty, Head } from '../parts/bits';

export function Ask({ name }: { name: string }) {
  const [queries, again] = useLoaded('queries', () => get<QueryInfo[]>('/queries'));
  return (
    <div class="page ask">
      <Await of={queries} again={again}>
        {(all) => {
          const query = all.find((known) => known.name === name);
          return (
            <div class="ask-two">
              <nav class="questions" aria-label="Questions">
                <h1>Questions</h1>
                <ul>{all.map((known) => <li key={known.name}><a href={`/ask/${known.name}`} aria-current={known.name === name ? 'page' : undefined}><b>{known.title ?? words(known.name)}</b><small class="faint">{known.about}</small></a></li>)}</ul>
              </nav>
              <section>{query === undefined ? (name === '' ? <Empty title="Choose a question.">Each asks the archive; the answer carries the archive’s version.</Empty> : <Empty title={`There is no question “${name}”.`} />) : <Question key={query.name} query={query} />}</section>
            </div>
          );
        }}
      </Await>
    </div>
  );
}

/** Days without end. */
const ENDS: Record<string, string> = { '1970-01-01': 'from the first', '9999-12-31': 'to the last' };

const KINDS = { text: 'text', int: 'number', moment: 'datetime-local', day: 'date' } as const;

function Question({ query }: { query: QueryInfo }) {
  const at = params.value;
  const asked = at.get('ask') === '1';
  const given = useMemo(() => {
    const values: Record<string, string> = {};
    for (const { name, type } of query.parameters) {
      const value = at.get(`p.${name}`);
      if (value) values[name] = type === 'moment' ? (fromHouse(value) ?? value) : value;
    }
    return values;
  }, [at, query]);
  const key = asked ? JSON.stringify(given) : null;
  const [answer, again] = useLoaded(key, () => post<QueryAnswer>(`/queries/${encodeURIComponent(query.name)}`, { params: given }));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const next = new URLSearchParams({ ask: '1' });
    for (const { name } of query.parameters) if (data.get(name)) next.set(`p.${name}`, String(data.get(name)));
    go(`/ask/${query.name}?${next}`);
  };
  return (
    <>
      <Head title={query.title ?? words(query.name)}><p class="sub">{query.about}</p></Head>
      <form class="asks" onSubmit={submit}>
        {query.parameters.map(({ name, type, default: fallback, about }) => (
          <label key={name}>{headed(name)}
            <input name={name} type={KINDS[type] as "text"} step={type === 'moment' ? 1 : undefined} defaultValue={at.get(`p.${name}`) ?? ''} required={fallback === undefined} autoComplete="off" />
            <small class="faint">{about}{fallback !== undefined && fallback !== null ? ` If empty: ${ENDS[fallback] ?? fallback}.` : ''}</small>
          </label>
        ))}
        <button class="main">Ask</button>
        {query.parameters.some(({ type }) => type === 'moment') && <span class="faint">Times are the house’s ({zone.value}).</span>}
      </form>
      {key !== null && <Await of={answer} again={again}>{(found) => <Answer name={query.name} answer={found} />}</Await>}
    </>
  );
}
