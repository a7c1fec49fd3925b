import { owner } from '../../api/api.ts';
import { ApiCall } from '../../parts/api-call.tsx';
import { Sparkline } from '../../parts/sparkline.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { arePagesElsewhere } from '../../session.ts';

const DAYS = 30;
const number = new Intl.NumberFormat();

/** How often people opened the page lately. */
export function Views() {
  const views = useLoaded(() => owner.page.getViews({ days: 2 * DAYS }));
  return (
    <section class="card">
      <h2>Views of your page</h2>
      <Show loaded={views}>
        {({ days }) => {
          const values = days.map((day) => day.views);
          const now = sum(values.slice(DAYS));
          if (sum(values) === 0)
            return (
              <Empty title="Nobody has opened it yet.">
                <p class="muted">A page is found by its address: put that where people are.</p>
              </Empty>
            );
          return (
            <>
              <p class="figure">
                <strong>{number.format(now)}</strong>{' '}
                <span class="muted">
                  in {DAYS} days, {changeWords(now, sum(values.slice(0, DAYS)))}
                </span>
              </p>
              <Sparkline values={values.slice(DAYS)} />
              <p class="hint">
                {arePagesElsewhere
                  ? 'Programs are not counted, '
                  : 'Neither your own visits nor programs are counted, '}
                and nothing about a visitor is kept.
              </p>
            </>
          );
        }}
      </Show>
      <ApiCall endpoint="page.getViews" input={{ days: DAYS }} />
    </section>
  );
}

function changeWords(now: number, before: number): string {
  if (before === 0) return `none in the ${DAYS} before`;
  const percent = Math.round(((now - before) / before) * 100);
  if (percent === 0) return `as many as in the ${DAYS} before`;
  return `${number.format(Math.abs(percent))} % ${percent > 0 ? 'more' : 'less'} than in the ${DAYS} before`;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
