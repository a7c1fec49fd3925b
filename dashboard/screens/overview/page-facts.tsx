import type { ComponentChildren } from 'preact';
import { owner } from '../../api/api.ts';
import { Ago } from '../../parts/time.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import type { AccountState } from './account-state.ts';
import type { PageViews } from './views.tsx';

const number = new Intl.NumberFormat();
const LAST = { kind: 'page', limit: 1 } as const;

/** Facts about the page in a row; one that is still loading is a dash. The last change is loaded again with the state. */
export function PageFacts({ state, views }: { state: AccountState; views: PageViews | undefined }) {
  const { theme, blocks } = state;
  const last = useLoaded(() => owner.events.listEvents(LAST), [state]);
  const today = views?.days.at(-1)?.views;
  const [event] = last.value?.events ?? [];
  return (
    <dl class="page-facts">
      <Fact title="Today">
        {today !== undefined && `${number.format(today)} ${today === 1 ? 'view' : 'views'}`}
      </Fact>
      <Fact title="Theme">{theme}</Fact>
      <Fact title="Blocks">{number.format(blocks)}</Fact>
      <Fact title="Last change">{event && <Ago time={event.created_at} />}</Fact>
    </dl>
  );
}

function Fact({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children || '–'}</dd>
    </div>
  );
}
