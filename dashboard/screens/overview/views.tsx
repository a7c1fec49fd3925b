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
        {({ days, listed_from: listedFrom }) => {
          const values = days.map((day) => day.views);
          const now = sum(values.slice(DAYS));
          if (sum(values) === 0)
            return (
              <Empty title="No views yet">
                <p class="muted">Share the address of your page to get visitors.</p>
                <SearchEngines from={listedFrom} />
              </Empty>
            );
          return (
            <>
              <p class="figure">
                <strong>{number.format(now)}</strong>{' '}
                <span class="muted">
                  in {DAYS} days{changeWords(now, sum(values.slice(0, DAYS)))}
                </span>
              </p>
              <Sparkline values={values.slice(DAYS)} />
              <p class="hint">
                {arePagesElsewhere
                  ? 'Bots are not counted, '
                  : 'Your own visits and bots are not counted, '}
                and nothing about visitors is stored.
              </p>
              <SearchEngines from={listedFrom} />
            </>
          );
        }}
      </Show>
      <ApiCall endpoint="page.getViews" input={{ days: DAYS }} />
    </section>
  );
}

/** Says that search engines are asked to wait with the page of a new account, and until when. */
function SearchEngines({ from }: { from: string | null }) {
  if (from === null) return null;
  const day = new Date(from).toLocaleDateString(undefined, { dateStyle: 'long' });
  return <p class="hint">Your page is new: search engines are asked not to list it until {day}.</p>;
}

function changeWords(now: number, before: number): string {
  if (before === 0) return '';
  const percent = Math.round(((now - before) / before) * 100);
  if (percent === 0) return `, same as in the previous ${DAYS} days`;
  return `, ${number.format(Math.abs(percent))} % ${percent > 0 ? 'more' : 'less'} than in the previous ${DAYS} days`;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
