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

export function dashboardLink(publicUrl: string, screen: string): string {
  return new URL(`dashboard/${screen}`, `${publicUrl}/`).href;
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
          names: new Intl.ListFormat(t.locale).format(names),
        })
      : t('{name} has this address, too.', { name });
  return [`${sentence} ${hint}`];
}

export function formatDate(date: Date, t: Translator): string {
  const locale = t.locale === 'en' ? 'en-GB' : t.locale;
  return date.toLocaleDateString(locale, { dateStyle: 'long', timeZone: 'UTC' });
}

export function formatTime(time: string, t: Translator, timeZone?: string | null): string {
  return new Date(time).toLocaleString(t.locale === 'en' ? 'en-GB' : t.locale, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
    // Another version of Node.js may have stored a zone that this one does not know.
    timeZone: timeZone && isTimeZone(timeZone) ? timeZone : 'UTC',
  });
}

/** Truncates user text, and inserts zero-width spaces so that mail programs add no links. */
export function preventAutoLinks(text: string, max: number): string {
  const characters = [...text];
  const truncated = characters.length > max ? [...characters.slice(0, max - 1), '…'] : characters;
  return truncated.join('').replace(/(?<=\S)[.:@](?=[\p{L}\p{N}/])/gu, '$&\u200b');
}
