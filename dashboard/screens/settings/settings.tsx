import type { Language } from '#contract/shared/languages.ts';
import { owner } from '#dashboard/api/api.ts';
import { colorScheme } from '#dashboard/color-scheme.ts';
import { Failure, Loading } from '#dashboard/components/async-content.tsx';
import { downloadAfterLogin } from '#dashboard/components/download-file.ts';
import { withErrorMessage } from '#dashboard/components/messages.tsx';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import './settings.css';
import { Switch } from '#dashboard/components/switch.tsx';
import { type AsyncState, useAsync } from '#dashboard/components/use-async.ts';
import {
  hasDeveloperTools,
  loadCurrentAccount,
  updateDeveloperTools,
} from '#dashboard/current-account.ts';
import { isOn } from '#dashboard/facts.ts';
import { instanceName } from '#dashboard/instance.ts';
import { isOwner } from '#dashboard/kept-accounts.ts';
import { actingFor } from '#dashboard/router.ts';
import { canMailLoginLinks } from '#dashboard/session.ts';
import { timeZone, timeZoneOptions } from '#dashboard/time-zones.ts';
import { LANGUAGE_OPTIONS, language, t } from '#dashboard/translate.ts';
import { DeleteAccount } from './delete-account.tsx';
import { Identities } from './identities.tsx';
import { LoginEmail } from './login-email.tsx';
import { Passkeys } from './passkeys.tsx';
import { Sessions } from './sessions.tsx';
import { SettingRow } from './setting-row.tsx';

/** Logins and preferences are those of the person. */
const isOwn = actingFor === undefined;

const LINKS = [
  {
    feature: 'keepers',
    path: 'keepers',
    title: t('Keepers'),
    text: t('People who look after this account with you.'),
  },
  {
    feature: 'domains',
    path: 'domains',
    title: t('Domains'),
    text: t('Use your own domain for your page.'),
  },
  {
    feature: 'oauth',
    path: 'connected-apps',
    title: t('Connected apps'),
    text: t('Websites and AI clients that use your account.'),
  },
  {
    feature: 'connections',
    path: 'connections',
    title: t('Connections'),
    text: t(
      'Get notified when something happens: in a chat, on your phone, by email or in your program.',
    ),
  },
] as const;

export function Settings() {
  const session = useAsync(loadCurrentAccount);
  return (
    <>
      <ScreenHeader
        title={t('Settings')}
        subtitle={
          isOwn
            ? t('How you sign in, your domains and your data.')
            : t('Keepers, domains and data.')
        }
      />
      <div class="main-and-side">
        <div>
          <section class="card">
            <h2>{t('Preferences')}</h2>
            {session.failure && !session.value ? (
              <Failure state={session} />
            ) : (
              <ul>
                {isOwn && <LanguageChoice />}
                {isOwn && <ColorSchemeChoice />}
                <TimeZoneChoice session={session} />
                {isOn('messages') && canMailLoginLinks && <MemberMessages session={session} />}
                <FrontPage />
                <DeveloperTools />
              </ul>
            )}
          </section>
          <section class="card">
            <h2>{t('Account')}</h2>
            <ul>
              {isOwn && <LoginEmail />}
              {LINKS.filter(({ feature }) => isOn(feature)).map(({ path, title, text }) => (
                <SettingRow key={path} title={title} text={text} open={path} />
              ))}
              {isOwner.value && <ExportData />}
              {isOwner.value && <DeleteAccount />}
            </ul>
          </section>
        </div>
        {isOwn && (
          <div>
            <div class="card sign-in-ways">
              {isOn('passkeys') && <Passkeys />}
              {isOn('signOn') && <Identities />}
              <Sessions />
            </div>
          </div>
        )}
      </div>
    </>
  );
}

function LanguageChoice() {
  const change = async (select: HTMLSelectElement) => {
    const next = select.value as Language;
    // Each language has its own bundle, so reload the document.
    if (await withErrorMessage(owner.account.updateLanguage({ language: next }))) location.reload();
    else select.value = language;
  };
  return (
    <SettingRow title={t('Language')}>
      <select
        class="language"
        aria-label={t('Language')}
        value={language}
        onChange={({ currentTarget }) => void change(currentTarget)}
      >
        {LANGUAGE_OPTIONS.map(([tag, name]) => (
          <option key={tag} value={tag} lang={tag}>
            {name}
          </option>
        ))}
      </select>
    </SettingRow>
  );
}

function ColorSchemeChoice() {
  return (
    <SettingRow title={t('light or dark|Appearance')}>
      <select
        class="language"
        aria-label={t('light or dark|Appearance')}
        value={colorScheme.value}
        onChange={({ currentTarget }) =>
          (colorScheme.value = currentTarget.value as typeof colorScheme.value)
        }
      >
        <option value="system">{t('Automatic')}</option>
        <option value="light">{t('Light')}</option>
        <option value="dark">{t('Dark')}</option>
      </select>
    </SettingRow>
  );
}

interface SessionProps {
  session: AsyncState<Awaited<ReturnType<typeof loadCurrentAccount>>>;
}

/** The first document that an account opens stores the zone of the browser. */
function TimeZoneChoice({ session }: SessionProps) {
  const change = async (time_zone: string) => {
    await withErrorMessage(owner.account.updateTimeZone({ time_zone }));
    session.reload();
  };
  const zone = session.value?.time_zone ?? timeZone;
  return (
    <SettingRow
      id="time-zone"
      title={t('Time zone')}
      text={
        isOn('weekSummaries')
          ? t('For new events, and for weekly summaries, which are sent on Mondays at 8:00.')
          : t('For new events.')
      }
    >
      <select
        class="language"
        aria-label={t('Time zone')}
        value={zone}
        disabled={session.value === undefined}
        onChange={({ currentTarget }) => void change(currentTarget.value)}
      >
        {timeZoneOptions(zone).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </SettingRow>
  );
}

/** Messages that operators write to all members. */
function MemberMessages({ session }: SessionProps) {
  const change = async (messages: boolean) => {
    if (await withErrorMessage(owner.account.updateMessages({ messages }))) session.reload();
  };
  const name = instanceName.value;
  return (
    <SettingRow
      id="messages"
      title={t('Messages from {name}', { name })}
      text={t(
        'News from the operators, for all accounts with your address. Login links and important notices always come.',
      )}
    >
      <Switch
        label={<span class="visually-hidden">{t('Get messages from {name}', { name })}</span>}
        checked={session.value?.messages ?? true}
        disabled={session.value === undefined}
        onChange={(messages) => void change(messages)}
      />
    </SettingRow>
  );
}

/** Hidden while neither front page nor list of members shows pages. */
function FrontPage() {
  const choice = useAsync(() => owner.page.getFrontPage());
  const { visible: shown = false, available = false } = choice.value ?? {};
  const change = async (isShown: boolean) => {
    if (await withErrorMessage(owner.page.updateFrontPage({ visible: isShown }))) choice.reload();
  };
  // Loading keeps the screen hidden, so that this row does not shift the ones below.
  if (choice.isLoading && !choice.value)
    return (
      <li>
        <Loading />
      </li>
    );
  if (!available) return null;
  return (
    <SettingRow
      id="front-page"
      title={t('Front page and list of members')}
      text={t(
        'Shows your public page and its next dates on the front page and in the list of members.',
      )}
    >
      <Switch
        label={<span class="visually-hidden">{t('Show my page on the front page')}</span>}
        checked={shown}
        onChange={(isShown) => void change(isShown)}
      />
    </SettingRow>
  );
}

function DeveloperTools() {
  const isShown = hasDeveloperTools.value ?? false;
  return (
    <SettingRow
      title={t('Developer tools')}
      text={t('For people who write programs: metrics, events, keys, connections and API calls.')}
    >
      <Switch
        label={<span class="visually-hidden">{t('Show developer tools')}</span>}
        checked={isShown}
        disabled={hasDeveloperTools.value === undefined}
        onChange={(enabled) => void withErrorMessage(updateDeveloperTools(enabled))}
      />
    </SettingRow>
  );
}

function ExportData() {
  return (
    <SettingRow
      title={t('Export all my data')}
      text={t('Your page, your pictures and everything else in your account, as one ZIP file.')}
      open={() => void downloadAfterLogin('account.exportAccount')}
    />
  );
}
