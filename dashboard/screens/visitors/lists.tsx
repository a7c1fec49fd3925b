import { type Device, DIRECT_REFERRER, OTHER_VALUE } from '#contract/visits.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import type { LinkTitles } from './link-titles.ts';
import type { VisitorsResponse } from './period.ts';
import { RankedList } from './ranked-list.tsx';

type Entries = VisitorsResponse['links'];

const GLOBE =
  'M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M1.5 8h13M8 1.5c-4 4-4 9 0 13 4-4 4-9 0-13';
const DOTS = 'M3 8h.01M8 8h.01M13 8h.01';

const DEVICES: Readonly<Record<Device, readonly [name: string, icon: string]>> = {
  phone: ['Phone', 'M4.5 1.5h7v13h-7zM7.5 12h1'],
  tablet: ['Tablet', 'M2.5 1.5h11v13h-11zM7.5 12h1'],
  desktop: ['Desktop', 'M1.5 2.5h13v8.5h-13zM5.5 14h5M8 11v3'],
};

const countries = new Intl.DisplayNames(undefined, { type: 'region' });

/** The links that were clicked most, by their titles on the page if they are still there. */
export function TopLinks({ entries, titles }: { entries: Entries; titles: LinkTitles }) {
  return (
    <RankedList
      title="Top links"
      unit="Clicks"
      nothing="No clicks in this period."
      entries={entries.map(({ value, count }) => ({
        key: value,
        count,
        sign:
          value === OTHER_VALUE ? (
            <Icon path={DOTS} />
          ) : (
            firstLetter(titles.get(value) ?? shortenUrl(value))
          ),
        name:
          value === OTHER_VALUE ? (
            'Other links'
          ) : (
            <a href={value} target="_blank" rel="noreferrer" title={shortenUrl(value)}>
              {titles.get(value) ?? shortenUrl(value)}
            </a>
          ),
      }))}
    >
      <p class="hint">
        Clicks in browsers that do not report them, such as Firefox, are not counted.
      </p>
    </RankedList>
  );
}

/** The hosts that visitors came from. */
export function Referrers({ entries }: { entries: Entries }) {
  const special: Record<string, string> = {
    [DIRECT_REFERRER]: 'Direct',
    [OTHER_VALUE]: 'Other sites',
  };
  return (
    <RankedList
      title="Referrers"
      unit="Views"
      nothing="No views in this period."
      entries={entries.map(({ value, count }) => ({
        key: value,
        count,
        sign:
          value in special ? (
            <Icon path={value === DIRECT_REFERRER ? GLOBE : DOTS} />
          ) : (
            firstLetter(value)
          ),
        name: special[value] ?? value,
      }))}
    />
  );
}

/** Classes of devices. */
export function Devices({ entries }: { entries: Entries }) {
  return (
    <RankedList
      title="Devices"
      unit="Views"
      nothing="No views in this period."
      entries={entries.map(({ value, count }) => {
        const [name, icon] = DEVICES[value as Device] ?? ['Other', DOTS];
        return { key: value, count, sign: <Icon path={icon} />, name };
      })}
    />
  );
}

/** Countries of visitors, as a proxy tells them. */
export function Countries({ entries }: { entries: Entries }) {
  return (
    <RankedList
      title="Countries"
      unit="Views"
      nothing="No views in this period."
      entries={entries.map(({ value, count }) => ({
        key: value,
        count,
        sign: value === OTHER_VALUE ? <Icon path={GLOBE} /> : flagEmoji(value),
        name: value === OTHER_VALUE ? 'Unknown' : countries.of(value),
      }))}
    />
  );
}

/** The emoji of a country: its code in letters of flags. */
function flagEmoji(code: string): string {
  return String.fromCodePoint(...[...code].map((letter) => 0x1f1a5 + letter.charCodeAt(0)));
}

function firstLetter(name: string) {
  return <span class="rank-letter">{[...name][0]?.toUpperCase()}</span>;
}

/** An address as people read it. */
function shortenUrl(address: string): string {
  return address.replace(/^(?:https?:\/\/(?:www\.)?|mailto:|tel:)/, '').replace(/[/?#]*$/, '');
}
