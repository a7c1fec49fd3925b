import { BRAND_ICONS } from '#contract/icons.ts';
import { displayUrl } from '#contract/web-url.ts';
import { type Device, DIRECT_REFERRER, OTHER_VALUE } from '#contract/visits.ts';
import { linkIcon } from '#page/icons/link-icon.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { t } from '#dashboard/translate.ts';
import type { LinkTitles } from './link-titles.ts';
import type { VisitorsResponse } from './period.ts';
import { RankedList } from './ranked-list.tsx';

interface ListProps {
  entries: VisitorsResponse['links'];
  total: number;
}

const GLOBE_ICON =
  'M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M1.5 8h13M8 1.5c-4 4-4 9 0 13 4-4 4-9 0-13';
const DOTS_ICON = 'M3 8h.01M8 8h.01M13 8h.01';

const DEVICES: Readonly<Record<Device, readonly [name: string, icon: string]>> = {
  phone: [t('Phone'), 'M4.5 1.5h7v13h-7zM7.5 12h1'],
  tablet: [t('Tablet'), 'M2.5 1.5h11v13h-11zM7.5 12h1'],
  desktop: [t('Desktop'), 'M1.5 2.5h13v8.5h-13zM5.5 14h5M8 11v3'],
};

const countryNames = new Intl.DisplayNames(t.locale, { type: 'region' });

/** The most clicked links. Links without a title on the current page are shown by URL. */
export function TopLinks({ entries, total, titles }: ListProps & { titles: LinkTitles }) {
  return (
    <RankedList
      title={t('Top links')}
      unit={t('Clicks')}
      total={total}
      emptyText={t('No clicks in this period.')}
      entries={entries.map(({ value, count }) => ({
        key: value,
        count,
        icon:
          value === OTHER_VALUE ? (
            <Icon path={DOTS_ICON} />
          ) : (
            <SiteIcon url={value} name={titles.get(value) ?? displayUrl(value)} />
          ),
        name:
          value === OTHER_VALUE ? (
            t('Other links')
          ) : (
            <a href={value} target="_blank" rel="noreferrer" title={displayUrl(value)}>
              {titles.get(value) ?? displayUrl(value)}
            </a>
          ),
      }))}
    >
      <p class="hint">
        {t('Clicks in browsers that do not report them, such as Firefox, are not counted.')}
      </p>
    </RankedList>
  );
}

export function Referrers({ entries, total }: ListProps) {
  const specialNames: Record<string, string> = {
    [DIRECT_REFERRER]: t('Direct'),
    [OTHER_VALUE]: t('Other sites'),
  };
  return (
    <RankedList
      title={t('Referrers')}
      unit={t('Views')}
      total={total}
      emptyText={t('No views in this period.')}
      entries={entries.map(({ value, count }) => ({
        key: value,
        count,
        icon:
          value in specialNames ? (
            <Icon path={value === DIRECT_REFERRER ? GLOBE_ICON : DOTS_ICON} />
          ) : (
            <SiteIcon url={`https://${value}`} name={value} />
          ),
        name: specialNames[value] ?? value,
      }))}
    />
  );
}

export function Devices({ entries, total }: ListProps) {
  return (
    <RankedList
      title={t('Devices')}
      unit={t('Views')}
      total={total}
      emptyText={t('No views in this period.')}
      entries={entries.map(({ value, count }) => {
        const [name, iconPath] = DEVICES[value as Device] ?? [t('Other'), DOTS_ICON];
        return { key: value, count, icon: <Icon path={iconPath} />, name };
      })}
    />
  );
}

export function Countries({ entries, total }: ListProps) {
  return (
    <RankedList
      title={t('Countries')}
      unit={t('Views')}
      total={total}
      emptyText={t('No views in this period.')}
      entries={entries.map(({ value, count }) => ({
        key: value,
        count,
        icon: value === OTHER_VALUE ? <Icon path={GLOBE_ICON} /> : flagEmoji(value),
        name: value === OTHER_VALUE ? t('Unknown') : countryNames.of(value),
      }))}
    />
  );
}

/** Converts a country code to regional indicator letters, which render as a flag. */
function flagEmoji(code: string): string {
  return String.fromCodePoint(...[...code].map((letter) => 0x1f1a5 + letter.charCodeAt(0)));
}

/** The icon of a known service, or the first letter of the name. */
function SiteIcon({ url, name }: { url: string; name: string }) {
  const icon = URL.canParse(url) ? linkIcon({}, url, name) : undefined;
  return icon && icon in BRAND_ICONS ? (
    <img src={`/dashboard/icons/${icon}.svg`} width="20" height="20" alt="" />
  ) : (
    <span class="rank-letter">{[...name][0]?.toUpperCase()}</span>
  );
}
