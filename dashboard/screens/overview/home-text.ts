import type { PageVisibility } from '#contract/shared/page-visibility.ts';
import { t } from '#dashboard/translate.ts';
import { type Forwarding, unconfirmedEmail } from '../mail/forwarding-text.ts';

interface HomeText {
  sentence: string;
  more?: string;
}

export interface TodaysVisits {
  views: number;
  clicks: number;
  /** The site that more than half of the views came from. */
  source: string | undefined;
  link: { title: string; clicks: number } | undefined;
}

/** What decides whether visits can be counted at all. */
export interface PageStage {
  /** Empty without a name. */
  name: string;
  visibility: PageVisibility;
  /** Whether an operator hides the page. */
  isSuspended: boolean;
  isCounting: boolean;
  /** Whether a visit was ever counted. */
  hadVisits: boolean;
}

/** The heading of Home: what happened today. */
export function describeToday(state: PageStage, { views, source, link }: TodaysVisits): HomeText {
  if (state.isSuspended) return { sentence: t('An operator has hidden your page.') };
  if (state.visibility === 'hidden')
    return { sentence: t('Your page is hidden.'), more: t('Only you can see it.') };
  if (!state.isCounting && views === 0)
    return { sentence: t('Your page is live.'), more: t('Visits are not counted.') };
  if (!state.hadVisits)
    return state.visibility === 'members'
      ? { sentence: t('Members see your page.'), more: t('Nobody else can open it.') }
      : { sentence: t('Your page is live.'), more: t('Show it to somebody.') };
  if (views === 0) return { sentence: t('No views yet today.') };
  const sentence =
    source === undefined
      ? t('{views, plural, one {# view} other {# views}} today.', { views })
      : t('{views, plural, one {# view} other {# views}} today, most from {source}.', {
          views,
          source,
        });
  if (!link) return { sentence };
  return {
    sentence,
    more: t('“{title}” got {clicks, plural, one {# click} other {# clicks}}.', { ...link }),
  };
}

/** In place of a chart without visits, on Home and Visitors. */
export function describeNoVisits(state: PageStage): { title: string; text: string } {
  const title = state.hadVisits ? t('No views in two weeks') : t('No visitors yet');
  if (!state.isCounting)
    return {
      title: t('Counting is off'),
      text: t('Turn on “Count views and clicks” to see how many people open your page.'),
    };
  if (state.name === '')
    return { title, text: t('Claim a name, so that your page has an address.') };
  if (state.isSuspended)
    return { title, text: t('Only you and the operators can open your page.') };
  if (state.visibility === 'hidden')
    return { title, text: t('Nobody can open your page until you publish it.') };
  return {
    title,
    text: t('Share the address of your page to see who links to you and what people click.'),
  };
}

/** Where mail to the name of the account arrives. Undefined if the server forwards none. */
export function describeMail(forwarding: Forwarding): string | undefined {
  const { available, enabled, stage, forwarding_email: address } = forwarding;
  const email =
    stage === 'waits for confirmation' ? unconfirmedEmail(forwarding) : forwarding.email;
  if (!available || address === null) return undefined;
  if (!enabled || email === null)
    return t('{address} can be your mail address. Choose where its mail arrives.', { address });
  if (stage === 'settled') return t('Mail to {address} arrives at {email}.', { address, email });
  if (stage === 'waits for confirmation')
    return t('Mail to {address} arrives at {email} once you open the link we sent there.', {
      address,
      email,
    });
  return t('Mail to {address} will soon arrive at {email}.', { address, email });
}
