import { type ResponseOf, api, owner } from '#dashboard/api/api.ts';
import { routes } from '#dashboard/api/routes.ts';
import { displayName } from '#dashboard/display-name.ts';
import { ApiCall } from '#dashboard/components/api-call.tsx';
import { CopyButton } from '#dashboard/components/copy-button.tsx';
import { Icon } from '#dashboard/components/icon.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { SegmentedControl } from '#dashboard/components/segmented-control.tsx';
import { Empty, AsyncContent } from '#dashboard/components/async-content.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { dashboardHref, query } from '#dashboard/router.ts';
import { hasSeparatePagesHost, pagesUrl } from '#dashboard/session.ts';
import { findLinkTitles } from './link-titles.ts';
import { Countries, Devices, TopLinks, Referrers } from './lists.tsx';
import {
  updateSelection,
  isComparing,
  selectedQuery,
  type Range,
  selectedRange,
  RANGES,
} from './period.ts';
import { Summary } from './summary.tsx';
import './visitors.css';
import { withErrorMessage } from '#dashboard/components/messages.tsx';
import { Switch } from '#dashboard/components/switch.tsx';

const EYE =
  'M1.5 8C3 5 5.3 3.5 8 3.5S13 5 14.5 8c-1.5 3-3.8 4.5-6.5 4.5S3 11 1.5 8M8 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4';

/** Views of the page and clicks on its links: a period beside the one before it. */
export function Visitors() {
  const described = useAsync(() => owner.visitors.describeVisitors());
  const blocks = useAsync(async () => (await api.site.getSiteConfiguration()).blocks);
  const input = selectedQuery();
  const answer = useAsync(
    () => owner.visitors.queryVisitors(selectedQuery()),
    [query.value.toString()],
  );
  const { since, until } = input;
  // Most have some: what is above the first numbers stays where it is.
  const mayHaveViews = described.value?.first_day !== null;
  return (
    <>
      <ScreenHeader title="Visitors">
        {mayHaveViews && <PeriodControls />}
        {mayHaveViews && (
          <a
            class="icon-button"
            href={`${routes['visitors.exportVisitors'][1]}?${new URLSearchParams({ since, until })}`}
            download
            aria-label="Export CSV"
            title="Export CSV"
          >
            <Icon path={ICON_PATHS.download} />
          </a>
        )}
      </ScreenHeader>
      <AsyncContent state={described}>
        {(state) => (
          <>
            {state.first_day === null ? (
              <section class="card">
                <NoVisitors isCounting={state.counting} />
              </section>
            ) : (
              <AsyncContent state={answer}>{(value) => <Summary answer={value} />}</AsyncContent>
            )}
            <div class="visitors-lists">
              {state.first_day !== null && answer.value && (
                <>
                  <TopLinks entries={answer.value.links} titles={findLinkTitles(blocks.value ?? [])} />
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
                <CountingCard described={state} onChange={described.reload} />
              </div>
            </div>
          </>
        )}
      </AsyncContent>
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
function PeriodControls() {
  const range = selectedRange();
  const words = range ? RANGES[range][0] : 'period';
  return (
    <>
      <SegmentedControl<Range | 'zoomed'>
        label="Range"
        value={range ?? 'zoomed'}
        options={[
          ...(Object.keys(RANGES) as Range[]).map((name) => [name, RANGES[name][0]] as const),
          ...(range ? [] : [['zoomed', 'Zoomed'] as const]),
        ]}
        onValue={(name) => updateSelection({ range: name, since: undefined, until: undefined })}
      />
      <button
        type="button"
        class="chip"
        aria-pressed={isComparing()}
        onClick={() => updateSelection({ compare: isComparing() ? '0' : undefined })}
      >
        {isComparing() && <Icon path={ICON_PATHS.check} />}
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
        <CopyButton text={`${pagesUrl}/@${displayName.value}`} label="Copy address" isPrimary />
      ) : (
        <a class="button primary" href={dashboardHref('')}>
          Claim a name
        </a>
      )}
    </Empty>
  );
}

type VisitorSettings = ResponseOf<typeof owner.visitors.describeVisitors>;

function CountingCard({ described, onChange }: { described: VisitorSettings; onChange: () => void }) {
  const { counting, days } = described;
  const change = async (on: boolean) => {
    if (await withErrorMessage(owner.visitors.updateCounting({ counting: on }))) onChange();
  };
  return (
    <section class="card">
      <div class="card-head">
        <h2>Privacy</h2>
        <Switch label="Count views and clicks" checked={counting} onChange={(on) => void change(on)} />
      </div>
      <p class="muted">
        Nameplate stores sums of days and nothing about a visitor: no cookie, no address, no
        fingerprint. {hasSeparatePagesHost ? 'Bots' : 'Your own visits and bots'} are not counted.
      </p>
      <p class="muted">
        Days are in UTC{days > 0 && `, and kept for ${retentionText(days)}`}. Clicks are reported in the
        background, so links open as fast as ever.
      </p>
    </section>
  );
}

function retentionText(days: number): string {
  const years = Math.round(days / 365);
  if (days < 365 || Math.abs(days - years * 365) > 2) return `${days} days`;
  return years === 1 ? 'a year' : `${years} years`;
}
