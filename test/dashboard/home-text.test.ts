import { expect, it } from 'vitest';
import { describeForwarding, type Forwarding } from '#dashboard/screens/mail/forwarding-text.ts';
import {
  describeMail,
  describeNoVisits,
  describeToday,
  type PageStage,
} from '#dashboard/screens/overview/home-text.ts';

const LIVE: PageStage = {
  name: 'jane',
  visibility: 'public',
  isSuspended: false,
  isCounting: true,
  hadVisits: true,
};
const QUIET = { views: 0, clicks: 0, source: undefined, link: undefined };

it.each<[change: Partial<PageStage>, visits: Partial<typeof QUIET> | object, string]>([
  [{ hadVisits: false }, {}, 'Your page is live. Show it to somebody.'],
  [
    { hadVisits: false, visibility: 'members' },
    {},
    'Members see your page. Nobody else can open it.',
  ],
  [{}, {}, 'No views yet today.'],
  [{}, { views: 1 }, '1 view today.'],
  [
    {},
    { views: 9, source: 'news.example', link: { title: 'Shop', clicks: 1 } },
    '9 views today, most from news.example. “Shop” got 1 click.',
  ],
  [{ isCounting: false }, {}, 'Your page is live. Visits are not counted.'],
  [{ isCounting: false }, { views: 2 }, '2 views today.'],
  [{ visibility: 'hidden' }, { views: 2 }, 'Your page is hidden. Only you can see it.'],
  [{ visibility: 'hidden', isSuspended: true }, {}, 'An operator has hidden your page.'],
])('with %j and visits %j, Home begins with “%s”', (change, visits, heading) => {
  const { sentence, more } = describeToday({ ...LIVE, ...change }, { ...QUIET, ...visits });
  expect(more === undefined ? sentence : `${sentence} ${more}`).toBe(heading);
});

it.each<[change: Partial<PageStage>, string]>([
  [{ hadVisits: false }, 'No visitors yet: Share the address of your page'],
  [{}, 'No views in two weeks: Share the address of your page'],
  [{ isCounting: false }, 'Counting is off: Turn on “Count views and clicks”'],
  [{ name: '', visibility: 'hidden', hadVisits: false }, 'No visitors yet: Claim a name'],
  [{ visibility: 'hidden', hadVisits: false }, 'No visitors yet: Nobody can open your page until'],
  [
    { visibility: 'hidden', isSuspended: true },
    'No views in two weeks: Only you and the operators',
  ],
])('with %j, an empty chart says “%s”', (change, start) => {
  const { title, text } = describeNoVisits({ ...LIVE, ...change });
  expect(`${title}: ${text}`).toContain(start);
});

const [ADDRESS, OLD, NEW] = ['jane@names.example', 'old@example.org', 'new@example.org'];
const OFF = {
  available: true,
  forwarding_email: ADDRESS,
  enabled: false,
  email: null,
  confirmed: null,
  pending_email: null,
  provider_email: null,
  stage: null,
} as Partial<Forwarding> as Forwarding;
const ON = { ...OFF, enabled: true, email: NEW };

it.each<[state: Forwarding, home: string | undefined, mail: string]>([
  [
    OFF,
    `${ADDRESS} can be your mail address. Choose where its mail arrives.`,
    `Mail to ${ADDRESS} goes nowhere.`,
  ],
  [
    { ...ON, confirmed: false, stage: 'waits for confirmation' },
    `Mail to ${ADDRESS} arrives at ${NEW} once you open the link we sent there.`,
    `Open the link in the mail to ${NEW}.`,
  ],
  [
    { ...ON, email: OLD, pending_email: NEW, stage: 'waits for confirmation' },
    `Mail to ${ADDRESS} arrives at ${NEW} once you open the link we sent there.`,
    `Open the link in the mail to ${NEW}.`,
  ],
  [
    { ...ON, email: OLD, pending_email: NEW, provider_email: OLD, stage: 'settled' },
    `Mail to ${ADDRESS} arrives at ${OLD}.`,
    `Your mail goes to ${OLD}.`,
  ],
  [
    { ...ON, stage: 'waits for the provider' },
    `Mail to ${ADDRESS} will soon arrive at ${NEW}.`,
    `Mail will soon go to ${NEW}.`,
  ],
  [
    { ...ON, stage: 'waiting' },
    `Mail to ${ADDRESS} will soon arrive at ${NEW}.`,
    `Mail will soon go to ${NEW}.`,
  ],
  [
    { ...ON, stage: 'settled', provider_email: NEW },
    `Mail to ${ADDRESS} arrives at ${NEW}.`,
    `Your mail goes to ${NEW}.`,
  ],
  [
    { ...OFF, email: OLD, stage: 'waiting', provider_email: OLD },
    `${ADDRESS} can be your mail address. Choose where its mail arrives.`,
    `Mail to ${ADDRESS} will soon go nowhere.`,
  ],
  [{ ...ON, available: false, stage: 'no provider' }, undefined, `Mail will soon go to ${NEW}.`],
  [{ ...OFF, forwarding_email: null }, undefined, `Mail to ${ADDRESS} goes nowhere.`],
])('forwarding in the state %j is described on Home and Mail', (state, home, mail) => {
  expect([describeMail(state), describeForwarding(state, ADDRESS).title]).toEqual([home, mail]);
});
