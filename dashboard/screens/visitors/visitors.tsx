import type { Block } from '#contract/block.ts';
import { type ResponseOf, api, owner } from '#dashboard/api/api.ts';
import { AsyncContent } from '#dashboard/components/async-content.tsx';
import { CopyButton } from '#dashboard/components/copy-button.tsx';
import { downloadFile } from '#dashboard/components/download-file.ts';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { withErrorMessage } from '#dashboard/components/messages.tsx';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { SegmentedControl } from '#dashboard/components/segmented-control.tsx';
import { Switch } from '#dashboard/components/switch.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { pageSuspensionReason } from '#dashboard/current-account.ts';
import { displayName } from '#dashboard/display-name.ts';
import { isOn } from '#dashboard/facts.ts';
import { loadPageVisibility, setPageVisibility } from '#dashboard/page-visibility.ts';
import { dashboardHref, query } from '#dashboard/router.ts';
import { hasSeparatePagesHost, pagesUrl } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';
import { describeNoVisits } from '../overview/home-text.ts';
import { NoVisits } from '../overview/no-visits.tsx';
import { findLinkTitles } from './link-titles.ts';
import './visitors.css';
import { EntryList } from './lists.tsx';
import {
  updateSelection,
  isComparing,
  selectedEntry,
  selectedQuery,
  type Range,
  selectedRange,
  RANGES,
} from './period.ts';
import { Summary } from './summary.tsx';

/** Most pages have none of these. */
const TAG_LISTS = ['sources', 'campaigns'] as const;

const WEEKLY_SUMMARY = 'connections/add?kind=email&event=week_summary';

export function Visitors() {
  const settings = useAsync(() => owner.visitors.getVisitorCounting());
  const blocks = useAsync(async () => (await api.site.getSiteConfiguration()).blocks);
  const input = selectedQuery();
  const visitors = useAsync(
    () => owner.visitors.queryVisitors(selectedQuery()),
    [query.value.toString()],
    { keepsOldValue: true },
  );
  const titles = findLinkTitles((blocks.value ?? []) as Block[]);
  const { since, until } = input;
  const { first_day: firstDay = '' } = settings.value ?? {};
  const previousUntil = visitors.value?.previous?.until;
  // Unknown without a comparison.
  const canCompare = !!firstDay && (previousUntil === undefined || firstDay <= previousUntil);
  return (
    <>
      <ScreenHeader
        title={t('Visitors')}
        subtitle={
          isOn('weekSummaries')
            ? t.rich('How often your page is opened. <link>Get a weekly summary</link>', {
                link: (text) => <a href={dashboardHref(WEEKLY_SUMMARY)}>{text}</a>,
              })
            : t('How often your page is opened.')
        }
      >
        {firstDay !== null && (
          <>
            <PeriodControls canCompare={canCompare} />
            <button
              type="button"
              class="icon-button"
              aria-label={t('Export CSV')}
              title={t('Export CSV')}
              onClick={() => void downloadFile('visitors.exportVisitors', { since, until })}
            >
              <Icon path={ICON_PATHS.download} />
            </button>
          </>
        )}
      </ScreenHeader>
      <AsyncContent state={settings}>
        {(state) => (
          <>
            {state.first_day === null ? (
              <NoVisitors isCounting={state.counting} />
            ) : (
              <AsyncContent state={visitors}>
                {(response) => (
                  <Summary response={response} firstDay={state.first_day!} titles={titles} />
                )}
              </AsyncContent>
            )}
            <div class="visitors-lists">
              {state.first_day !== null && visitors.value && (
                <>
                  <EntryList list="links" response={visitors.value} titles={titles} />
                  <EntryList list="referrers" response={visitors.value} titles={titles} />
                  {TAG_LISTS.filter((list) => visitors.value![list].length > 0).map((list) => (
                    <EntryList key={list} list={list} response={visitors.value!} titles={titles} />
                  ))}
                  {(state.countries || visitors.value.countries.length > 0) && (
                    <EntryList list="countries" response={visitors.value} titles={titles} />
                  )}
                </>
              )}
              <div class="visitors-last">
                {state.first_day !== null && visitors.value && (
                  <EntryList list="devices" response={visitors.value} titles={titles} />
                )}
                <CountingCard settings={state} onChange={settings.reload} />
              </div>
            </div>
          </>
        )}
      </AsyncContent>
    </>
  );
}

function PeriodControls({ canCompare }: { canCompare: boolean }) {
  const range = selectedRange();
  const isCompared = isComparing();
  return (
    <>
      <button
        type="button"
        class={canCompare ? 'chip visitors-compare' : 'chip visitors-compare unready'}
        aria-pressed={isCompared}
        disabled={!canCompare || selectedEntry() !== undefined}
        onClick={() => updateSelection({ compare: isCompared ? '0' : undefined })}
      >
        {isCompared && <Icon path={ICON_PATHS.check} />}
        {t.rich('Compare <wide>with previous period</wide>', {
          wide: (children) => <span class="muted only-wide">{children}</span>,
        })}
      </button>
      <SegmentedControl<Range | 'zoomed'>
        label={t('Range')}
        value={range ?? 'zoomed'}
        options={[
          ...(Object.keys(RANGES) as Range[]).map((name) => [name, RANGES[name][0]] as const),
          ...(range ? [] : [['zoomed', t('Zoomed')] as const]),
        ]}
        onValue={(name) => updateSelection({ range: name, since: undefined, until: undefined })}
      />
    </>
  );
}

function NoVisitors({ isCounting }: { isCounting: boolean }) {
  const visibility = useAsync(loadPageVisibility);
  const name = displayName.value ?? '';
  const publish = async () => {
    if (await setPageVisibility('public')) visibility.reload();
  };
  if (visibility.value === undefined)
    return <AsyncContent state={visibility}>{() => null}</AsyncContent>;
  const state = {
    name,
    visibility: visibility.value,
    isSuspended: pageSuspensionReason.value !== null,
    isCounting,
    hadVisits: false,
  };
  return (
    <NoVisits {...describeNoVisits(state)}>
      {isCounting && name !== '' && state.visibility !== 'hidden' && (
        <CopyButton text={`${pagesUrl}/@${name}`} label={t('Copy address')} isPrimary />
      )}
      {name !== '' && state.visibility === 'hidden' && !state.isSuspended && (
        <button type="button" class="primary" onClick={() => void publish()}>
          {t('Publish page')}
        </button>
      )}
      {isCounting && name === '' && (
        <a class="button primary" href={dashboardHref('')}>
          {t('Claim a name')}
        </a>
      )}
    </NoVisits>
  );
}

type VisitorSettings = ResponseOf<typeof owner.visitors.getVisitorCounting>;

function CountingCard({ settings, onChange }: { settings: VisitorSettings; onChange: () => void }) {
  const { counting, days } = settings;
  const setCounting = async (on: boolean) => {
    if (await withErrorMessage(owner.visitors.updateVisitorCounting({ counting: on }))) onChange();
  };
  return (
    <section class="card">
      <div class="card-head">
        <h2>{t('Privacy')}</h2>
        <Switch
          label={t('Count views and clicks')}
          checked={counting}
          onChange={(on) => void setCounting(on)}
        />
      </div>
      <p class="muted">
        {t(
          'Nameplate stores daily totals and nothing about a visitor: no cookie, no IP address, no fingerprint.',
        )}{' '}
        {hasSeparatePagesHost
          ? t('Bots are not counted.')
          : t('Your own visits and bots are not counted.')}
      </p>
      {days > 0 && <p class="muted">{retentionText(days)}</p>}
    </section>
  );
}

function retentionText(days: number): string {
  const years = Math.round(days / 365);
  if (days < 365 || Math.abs(days - years * 365) > 2)
    return t('Totals are kept for {days, plural, one {# day} other {# days}}.', { days });
  return t('Totals are kept for {years, plural, one {a year} other {# years}}.', { years });
}
