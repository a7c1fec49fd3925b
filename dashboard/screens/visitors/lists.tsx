import { BRAND_ICONS } from '#contract/shared/icons.ts';
import { firstCharacter } from '#contract/shared/user-text.ts';
import {
  type Device,
  DIRECT_REFERRER,
  OTHER_VALUE,
  type VisitorList,
} from '#contract/shared/visits.ts';
import { displayUrl } from '#contract/shared/web-url.ts';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { t } from '#dashboard/translate.ts';
import { linkIcon } from '#page/icons/link-icon.ts';
import { formatCount, formatShare } from './format-count.ts';
import type { LinkTitles } from './link-titles.ts';
import { selectEntry, selectedEntry, type VisitorsResponse } from './period.ts';

const DEVICES: Readonly<Record<Device, readonly [name: string, icon: string]>> = {
  phone: [t('Phone'), 'M4.5 1.5h7v13h-7zM7.5 12h1'],
  tablet: [t('Tablet'), 'M2.5 1.5h11v13h-11zM7.5 12h1'],
  desktop: [t('Desktop'), 'M1.5 2.5h13v8.5h-13zM5.5 14h5M8 11v3'],
};

const LISTS: Readonly<
  Record<VisitorList, Record<'title' | 'otherName', string> & { hint?: string }>
> = {
  links: {
    title: t('Top links'),
    otherName: t('Other links'),
  },
  referrers: {
    title: t('Referrers'),
    otherName: t('Other sites'),
    hint: t('Add {tag} to your address, such as on a flyer, to count those views separately.', {
      tag: '?ref=flyer',
    }),
  },
  sources: {
    title: t('Sources'),
    otherName: t('Other sources'),
    // Word joiners keep lines from ending with the question mark.
    hint: t('Add {tag} to the address of your page to see it here.', {
      tag: '?\u2060ref=flyer',
    }),
  },
  campaigns: {
    title: t('Campaigns'),
    otherName: t('Other campaigns'),
    hint: t('Add {tag} to the address of your page to see it here.', {
      tag: '?\u2060utm_campaign=flyer',
    }),
  },
  devices: { title: t('Devices'), otherName: t('Other') },
  countries: { title: t('Countries'), otherName: t('Unknown') },
};

const countryNames = new Intl.DisplayNames(t.locale, { type: 'region' });

/** The most frequent entries. A click on one shows its days in the chart. */
export function EntryList({
  list,
  response,
  titles,
}: {
  list: VisitorList;
  response: VisitorsResponse;
  titles: LinkTitles;
}) {
  const { title, hint } = LISTS[list];
  // The sources have a hint about tags, too.
  const isHintShown = list !== 'referrers' || response.sources.length === 0;
  const isLinks = list === 'links';
  const total = isLinks ? response.clicks : response.views;
  const entries = response[list];
  const selected = selectedEntry();
  return (
    <section class="card">
      <div class="card-head">
        <h2>{title}</h2>
        {entries.length > 0 && <span class="hint">{isLinks ? t('Clicks') : t('Views')}</span>}
      </div>
      {entries.length === 0 ? (
        <p class="muted">
          {isLinks ? t('No clicks in this period.') : t('No views in this period.')}
        </p>
      ) : (
        <ul class="rank">
          {entries.map(({ value, count }) => {
            const share = Math.min(1, count / total);
            const name = entryName({ list, value }, titles);
            const isSelected = selected?.list === list && selected.value === value;
            return (
              <li key={value}>
                <span class="rank-icon" aria-hidden="true">
                  <EntryIcon list={list} value={value} name={name} />
                </span>
                <button
                  type="button"
                  class="rank-name ellipsis"
                  aria-pressed={isSelected}
                  title={isLinks ? displayUrl(value) : name}
                  onClick={() => selectEntry(isSelected ? undefined : { list, value })}
                >
                  {name}
                </button>
                <svg class="rank-bar" aria-hidden="true">
                  <rect width={`${Math.max(2, share * 100)}%`} height="100%" rx="8" />
                </svg>
                <span class="rank-count">{formatCount(count)}</span>
                <span class="rank-share">{formatShare(share)}</span>
              </li>
            );
          })}
        </ul>
      )}
      {hint !== undefined && isHintShown && <p class="hint">{hint}</p>}
    </section>
  );
}

/** Links without a title on the current page are named by URL. */
export function entryName(
  { list, value }: { list: VisitorList; value: string },
  titles: LinkTitles,
): string {
  if (value === OTHER_VALUE) return LISTS[list].otherName;
  switch (list) {
    case 'links':
      return titles.get(value) ?? displayUrl(value);
    case 'referrers':
      return value === DIRECT_REFERRER ? t('Direct') : value;
    case 'sources':
    case 'campaigns':
      return value;
    case 'devices':
      return DEVICES[value as Device]?.[0] ?? value;
    case 'countries':
      return countryNames.of(value) ?? value;
  }
}

function EntryIcon({ list, value, name }: { list: VisitorList; value: string; name: string }) {
  if (value === OTHER_VALUE)
    return <Icon path={list === 'countries' ? ICON_PATHS.globe : ICON_PATHS.more} />;
  if (list === 'countries') return <>{flagEmoji(value)}</>;
  if (list === 'devices') return <Icon path={DEVICES[value as Device]?.[1] ?? ICON_PATHS.more} />;
  if (list === 'referrers' && value === DIRECT_REFERRER) return <Icon path={ICON_PATHS.globe} />;
  const url = list === 'links' ? value : `https://${value}`;
  const icon = URL.canParse(url) ? linkIcon({}, url, name) : undefined;
  return icon && Object.hasOwn(BRAND_ICONS, icon) ? (
    <img src={`/dashboard/icons/${icon}.svg`} width="20" height="20" alt="" />
  ) : (
    <span class="tile rank-letter">{firstCharacter(name).toUpperCase()}</span>
  );
}

/** Converts a country code to regional indicator letters, which render as a flag. */
function flagEmoji(code: string): string {
  return String.fromCodePoint(...[...code].map((letter) => 0x1f1a5 + letter.charCodeAt(0)));
}
