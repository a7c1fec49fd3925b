import { dateTimeFormat, listFormat } from '#contract/shared/intl-formats.ts';
import { shortenText } from '#contract/shared/user-text.ts';
import { isTimeZone } from '#contract/time-zone.ts';
import type { AddressAccount } from '#db/queries/owner-mails.ts';
import type { Translator } from '#translations/translator.ts';

/** Undefined for accounts without a display name, which are called by their email address. */
export function plateFor(name: string | null): string | undefined {
  return name === null || name.includes('@') ? undefined : `@${name}`;
}

export function accountName(name: string): string {
  return plateFor(name) ?? name;
}

export function operatorName(name: string | null | undefined, t: Translator): string {
  return plateFor(name ?? null) ?? t('An operator');
}

/** `keptId`: the account that a keeper acts for. */
export function dashboardLink(
  publicUrl: string,
  screen: string,
  { keptId }: { keptId?: string | null | undefined } = {},
): string {
  const account = keptId ? `for/${keptId}/` : '';
  return new URL(`dashboard/${account}${screen}`, `${publicUrl}/`).href;
}

export function operatorFooter(server: string, t: Translator): string {
  return t('Sent by {server} because this is the email address of an operator there.', { server });
}

/** For addresses that may not belong to the recipient. */
export function enteredFooter(server: string, t: Translator): string {
  return t('Sent by {server} because someone entered this address.', { server });
}

export function contactOperator(server: string, t: Translator): string {
  return t('If that was not you, contact the operator of {server}.', { server });
}

export function describeSharedAddress(
  accounts: readonly AddressAccount[],
  t: Translator,
): string[] {
  if (accounts.length === 0) return [];
  const names = accounts.flatMap(({ name }) => name ?? []);
  const hint = t('To sign in there instead, enter this address on the sign-in page.');
  const [name = t('An account without a name')] = names;
  const sentence =
    names.length > 1
      ? t('{names} have this address, too.', {
          names: listFormat(t.locale).format(names),
        })
      : t('{name} has this address, too.', { name });
  return [`${sentence} ${hint}`];
}

export function formatDate(date: Date, t: Translator): string {
  const locale = t.locale === 'en' ? 'en-GB' : t.locale;
  return dateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(date);
}

export function formatTime(time: string, t: Translator, timeZone?: string | null): string {
  const format = dateTimeFormat(t.locale === 'en' ? 'en-GB' : t.locale, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
    // Another version of Node.js may have stored a zone that this one does not know.
    timeZone: timeZone && isTimeZone(timeZone) ? timeZone : 'UTC',
  });
  return format.format(new Date(time));
}

/** A noncharacter after `.`, `:` and `@` where no mail program may add a link. It is never sent. */
const LINK_BREAK = '\ufdd0';

/** For text of strangers. `breakLinks` and `withoutLinkBreaks` apply it when the mail is composed. */
export function preventAutoLinks(text: string, max: number): string {
  return shortenText(withoutLinkBreaks(text), max).replace(
    /(?<=\S)[.:@](?=[\p{L}\p{N}/])/gu,
    `$&${LINK_BREAK}`,
  );
}

/** An element of its own for the character keeps Gmail and Outlook from linking, and is not copied. */
export function breakLinks(html: string): string {
  return withoutLinkBreaks(html.replaceAll(MARKED_CHARACTER, '<span>$1</span>'));
}

/** Plain text has no invisible defense, so only addresses with a scheme get a space. */
export function withoutLinkBreaks(text: string): string {
  return text.replaceAll(`:${LINK_BREAK}//`, ': //').replaceAll(LINK_BREAK, '');
}

const MARKED_CHARACTER = new RegExp(`([.:@])${LINK_BREAK}`, 'g');
