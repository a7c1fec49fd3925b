import { z } from 'zod';
import { DAY_MS, MINUTE_MS } from '#contract/shared/durations.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { QUOTE_PREFIX } from '#contract/shared/mail-quote.ts';
import {
  countWaitingApplications,
  listNewestApplicants,
  setApplicationToken,
} from '#db/queries/applications.ts';
import { findOwnerAddress } from '#db/queries/owner-mails.ts';
import {
  defineMail,
  defineOwnerMail,
  MailData,
  OwnerMailData,
} from '#server/platform/mail/define-mail.ts';
import {
  dashboardLink,
  enteredFooter,
  formatDate,
  operatorFooter,
  plateFor,
  preventAutoLinks,
} from '#server/platform/mail/mail-text.ts';
import type { Translator } from '#translations/translator.ts';
import { describeDirectory } from '../instance/describe-directory.ts';
import { createLoginLink } from '../sessions/login-link.ts';

/** What is sent about an application that did not lead to an account, or has not yet. */
const STATES = ['waiting', 'declined', 'expired'] as const;

export function expiryOf(createdAt: Date): Date {
  return new Date(createdAt.getTime() + LIMITS.applicationDays * DAY_MS);
}

export function deletionOf(decidedAt: Date): Date {
  return new Date(decidedAt.getTime() + LIMITS.decidedApplicationDays * DAY_MS);
}

export const applicationMail = defineMail({
  kind: 'application',
  schema: MailData.extend({
    state: z.enum(STATES),
    applicationId: z.string(),
    address: z.string(),
    name: z.string(),
    sentence: z.string().nullable().default(null),
  }),
  load: async (trx, mail, { publicUrl, token, tokenHash }) => {
    if (mail.state !== 'waiting') return { ...mail, expiresAt: new Date(), link: '' };
    const application = await setApplicationToken(trx, mail.applicationId, tokenHash);
    if (!application) return undefined;
    const link = dashboardLink(publicUrl, `withdrawal#${token}/${mail.name}`);
    return { ...mail, expiresAt: expiryOf(application.created_at), link };
  },
  write: ({ state, name, sentence, expiresAt, link }, { server, publicUrl, t }) => {
    const shared = { plate: plateFor(name), footer: enteredFooter(server, t) };
    if (state === 'waiting') return { ...shared, ...waitingTexts(expiresAt, link, server, t) };
    const isDeclined = state === 'declined';
    return {
      ...shared,
      plate: isDeclined ? server : shared.plate,
      subject: isDeclined
        ? t('Your application to {server} was declined', { server })
        : t('Your application to {server} has expired', { server }),
      intro: [
        isDeclined
          ? t('{server} has declined your application.', { server })
          : t(
              'Nobody has decided about your application within {days} days, so it was deleted, and the name {name} is free again.',
              { days: LIMITS.applicationDays, name: `@${name}` },
            ),
        ...(sentence === null ? [] : [`${QUOTE_PREFIX}${sentence}`]),
      ],
      ...(!isDeclined && { action: { label: t('Ask again'), link: publicUrl } }),
      outro: isDeclined
        ? [
            t(
              'Your address and what you wrote are deleted. This answer follows after {days} days.',
              {
                days: LIMITS.decidedApplicationDays,
              },
            ),
          ]
        : [],
    };
  },
});

function waitingTexts(expiresAt: Date, link: string, server: string, t: Translator) {
  const date = formatDate(expiresAt, t);
  return {
    subject: t('Your application to {server}', { server }),
    intro: [
      t('The people who run {server} have your application. You get a mail with the answer.', {
        server,
      }),
      t('They can decide until {date}. Your name is held until then.', { date }),
    ],
    textLink: { label: t('See how it stands, or take it back'), link },
  };
}

/** The applicant has proved the address, so a link there may log in. */
export const approvalMail = defineMail({
  kind: 'approval',
  schema: MailData.extend({
    accountId: z.string(),
    name: z.string(),
    by: z.string().nullable(),
    sentence: z.string().nullable(),
  }),
  load: async (trx, mail, sending) => {
    const address = await findOwnerAddress(trx, mail.accountId);
    if (address === undefined) return undefined;
    const minutes = (LIMITS.approvalLinkDays * DAY_MS) / MINUTE_MS;
    const options = { isMailed: true, minutes };
    const link = await createLoginLink(trx, mail.accountId, sending.publicUrl, options);
    return { ...mail, address, link, outro: describeDirectory(sending, mail.language) };
  },
  write: ({ name, by, sentence, address, link, outro }, { server, t }) => ({
    subject: t('You are in: {name} at {server}', { name: `@${name}`, server }),
    headline: t('You are in'),
    isWelcome: true,
    plate: plateFor(name),
    intro: [
      t('Welcome to {server}. Your account is ready, and the name {name} is yours.', {
        server,
        name: `@${name}`,
      }),
      ...(sentence === null ? [] : [`${QUOTE_PREFIX}${sentence}${by === null ? '' : `\n@${by}`}`]),
    ],
    hasOneTimeLink: true,
    action: { label: t('Start your page'), link },
    note: t('The link works once, for {days} days. After that, sign in with {address}.', {
      days: LIMITS.approvalLinkDays,
      address,
    }),
    outro,
  }),
});

/** The others are in the dashboard. */
const LISTED_IN_NOTICE = 5;

export const applicationNoticeMail = defineOwnerMail({
  kind: 'application-notice',
  to: 'operators',
  limitKind: 'application',
  schema: OwnerMailData,
  isSummedUp: true,
  load: async (trx, mail) => {
    const count = await countWaitingApplications(trx);
    const newest = await listNewestApplicants(trx, LISTED_IN_NOTICE);
    return count === 0 ? undefined : { ...mail, count, newest };
  },
  write: ({ count, newest }, { server, publicUrl, t }) => ({
    subject: t('{count, plural, one {# person wants} other {# people want}} to join {server}', {
      count,
      server,
    }),
    plate: server,
    intro: [
      newest
        .map(({ name, display_name }) =>
          name ? `${preventAutoLinks(name, 100)} @${display_name}` : `@${display_name}`,
        )
        .join('\n'),
      t('Decide within {days} days. You get at most one mail an hour about this.', {
        days: LIMITS.applicationDays,
      }),
    ],
    action: {
      label: t('See who is waiting'),
      link: dashboardLink(publicUrl, 'operator/members/waiting'),
    },
    footer: operatorFooter(server, t),
  }),
});
