// A still of a round for paper: everything is there, nothing is left to scrolling.
import { useLoaded } from '../base/hooks';
import { params } from '../base/router';
import { moment, now } from '../base/time';
import { Await } from '../parts/bits';
import { Drawn } from '../replay/draw';
import { sentence } from '../replay/words';
import { Due, read, RoundHead } from './round';

export function PrintRound({ id }: { id: string }) {
  const [loaded, again] = useLoaded(id, () => read(id));
  return (
    <main class="paper" id="main">
      <Await of={loaded} again={again}>
        {(found) => {
          const { model, story } = found;
          const step = Math.min(model.steps.length, Number(params.value.get('step') ?? model.steps.length));
          const said = model.steps[step - 1];
          return (
            <>
              <RoundHead id={id} read={found} />
              <Drawn round={model} step={step} />
              <p>Step {step} of {model.steps.length}{said && `: ${sentence(said.event.body)}`}</p>
              <Due wagers={story.wagers} model={model} />
              {model.findings.length > 0 && (
                <section><h2>Findings</h2><ul>{model.findings.map((finding) => <li key={finding.id}><code>{finding.code}</code> {finding.message} <span class="cites">{finding.cites.join('; ')}</span></li>)}</ul></section>
              )}
              <section>
                <h2>Steps</h2>
                <ol class="steps-paper">{model.steps.map((known) => <li key={known.seq} class={known.findings.length > 0 ? 'faulty' : ''}><span class="num">{known.seq}</span> <span class="num">{moment(known.at)}</span> {sentence(known.event.body)}</li>)}</ol>
              </section>
              <footer>Archive {JSON.stringify(story.version)} · rules {story.round?.rules ?? 'none'} · printed {moment(now())}</footer>
            </>
          );
        }}
      </Await>
    </main>
  );
}
