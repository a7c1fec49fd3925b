import { type Answer, api, owner } from '#dashboard/api/api.ts';
import { routes } from '#dashboard/api/routes.ts';
import { displayName } from '#dashboard/display-name.ts';
import { ApiCall } from '#dashboard/parts/api-call.tsx';
import { Copy } from '#dashboard/parts/copy.tsx';
import { Icon } from '#dashboard/parts/icon.tsx';
import { LINES } from '#dashboard/parts/icon-lines.ts';
import { PageTitle } from '#dashboard/parts/page-title.tsx';
import { Segments } from '#dashboard/parts/segments.tsx';
import { Empty, Show } from '#dashboard/parts/states.tsx';
import { useLoaded } from '#dashboard/parts/use-loaded.ts';
import { addressOf, query } from '#dashboard/router.ts';
import { arePagesElsewhere, pagesUrl } from '#dashboard/session.ts';
import { linkTitlesOf } from './link-titles.ts';
import { Countries, Devices, Links, Referrers } from './lists.tsx';
import {
  choose,
  isCompared,
  queryInAddress,
  type Range,
  rangeInAddress,
  RANGES,
} from './period.ts';
import { Summary } from './summary.tsx';
import './visitors.css';
import { showing } from '#dashboard/parts/messages.tsx';
import { Switch } from '#dashboard/parts/switch.tsx';

const EYE =
  'M1.5 8C3 5 5.3 3.5 8 3.5S13 5 14.5 8c-1.5 3-3.8 4.5-6.5 4.5S3 11 1.5 8M8 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4';

/** Views of the page and clicks on its links: a period beside the one before it. */
export function Visitors() {
  const described = useLoaded(() => owner.visitors.describeVisitors());
  const blocks = useLoaded(async () => (await api.site.getSiteConfiguration()).blocks);
  const input = queryInAddress();
  const answer = useLoaded(
    () => owner.visitors.queryVisitors(queryInAddress()),
    [query.value.toString()],
  );
  const { since, until } = input;
  // Most have some: what is above the first numbers stays where it is.
  const mayHaveViews = described.value?.first_day !== null;
  return (
    <>
      <PageTitle title="Visitors">
        {mayHaveViews && <Period />}
        {mayHaveViews && (
          <a
            class="icon-button"
            href={`${routes['visitors.exportVisitors'][1]}?${new URLSearchParams({ since, until })}`}
            download
            aria-label="Export CSV"
            title="Export CSV"
          >
            <Icon lines={LINES.download} />
          </a>
        )}
      </PageTitle>
      <Show loaded={described}>
        {(state) => (
          <>
            {state.first_day === null ? (
              <section class="card">
                <NoVisitors isCounting={state.counting} />
              </section>
            ) : (
              <Show loaded={answer}>{(value) => <Summary answer={value} />}</Show>
            )}
            <div class="visitors-lists">
              {state.first_day !== null && answer.value && (
                <>
                  <Links entries={answer.value.links} titles={linkTitlesOf(blocks.value ?? [])} />
                  <Referrers entries={answer.value.referrers} />
                  {(state.countries || answer.value.countries.length > 0) && (
                    <Countries entries={answer.value.countries} />
                  )}
                </>
              )}
              <div class="visitors-last">
                {state.first_day !== null && answer.value && (
                  <Devices entries={answer.value.devices} />
                )}
                <Counting described={state} onChange={described.reload} />
              </div>
            </div>
          </>
        )}
      </Show>
      <ApiCall
        endpoint="visitors.queryVisitors"
        input={input}
        also={[
          ['visitors.exportVisitors', { since, until }],
          ['visitors.describeVisitors'],
          ['visitors.updateCounting', { counting: false }],
        ]}
      />
    </>
  );
}

/** The choice of a period, and whether it is compared. */
function Period() {
  const range = rangeInAddress();
  const words = range ? RANGES[range][0] : 'period';
  return (
    <>
      <Segments<Range | 'zoomed'>
        label="Range"
        value={range ?? 'zoomed'}
        options={[
          ...(Object.keys(RANGES) as Range[]).map((name) => [name, RANGES[name][0]] as const),
          ...(range ? [] : [['zoomed', 'Zoomed'] as const]),
        ]}
        onValue={(name) => choose({ range: name, since: undefined, until: undefined })}
      />
      <button
        type="button"
        class="chip"
        aria-pressed={isCompared()}
        onClick={() => choose({ compare: isCompared() ? '0' : undefined })}
      >
        {isCompared() && <Icon lines={LINES.check} />}
        Compare <span class="muted only-wide">with {words} before</span>
      </button>
    </>
  );
}

function NoVisitors({ isCounting }: { isCounting: boolean }) {
  if (!isCounting)
    return (
      <Empty icon={EYE} title="Counting is off">
        <p class="muted">Turn it on below to see how many people open your page.</p>
      </Empty>
    );
  return (
    <Empty icon={EYE} title="Nobody has been here yet">
      <p class="muted">
        Share the address of your page, and you will see here how many people come, from where, and
        what they click.
      </p>
      {displayName.value ? (
        <Copy text={`${pagesUrl}/@${displayName.value}`} label="Copy address" isMain />
      ) : (
        <a class="button primary" href={addressOf('')}>
          Claim a name
        </a>
      )}
    </Empty>
  );
}

type Described = Answer<typeof owner.visitors.describeVisitors>;

function Counting({ described, onChange }: { described: Described; onChange: () => void }) {
  const { counting, days } = described;
  const change = async (on: boolean) => {
    if (await showing(owner.visitors.updateCounting({ counting: on }))) onChange();
  };
  return (
    <section class="card">
      <div class="card-head">
        <h2>Privacy</h2>
        <Switch label="Count views and clicks" on={counting} onSwitch={(on) => void change(on)} />
      </div>
      <p class="muted">
        Nameplate stores sums of days and nothing about a visitor: no cookie, no address, no
        fingerprint. {arePagesElsewhere ? 'Bots' : 'Your own visits and bots'} are not counted.
      </p>
      <p class="muted">
        Days are in UTC{days > 0 && `, and kept for ${keptWords(days)}`}. Clicks are reported in the
        background, so links open as fast as ever.
      </p>
    </section>
  );
}

function keptWords(days: number): string {
  const years = Math.round(days / 365);
  if (days < 365 || Math.abs(days - years * 365) > 2) return `${days} days`;
  return years === 1 ? 'a year' : `${years} years`;
}
