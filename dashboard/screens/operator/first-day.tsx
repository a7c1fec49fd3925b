import type { ComponentChildren } from 'preact';
import { owner } from '#dashboard/api/api.ts';
import { AsyncContent } from '#dashboard/components/async-content.tsx';
import { Icon } from '#dashboard/components/icon.tsx';
import type { Instance } from '../appearance/instance-draft.ts';
import { GAP } from '../appearance/markdown.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { instanceName } from '#dashboard/instance.ts';
import { displayName } from '#dashboard/display-name.ts';
import { dashboardHref } from '#dashboard/router.ts';
import { pagesUrl } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';
import type { ServerState } from './labels.ts';
import { MAIL_PATH } from './setup.tsx';
import './server.css';

const listFormat = new Intl.ListFormat(t.locale);

/** Of the step that adds a passkey or an address. */
export const LOGIN_PATH = 'settings#email';

/** Backup and mail can fail again later, which Your server reports. */
export function isUnfinished({ isDone, path }: Step): boolean {
  return !isDone && !path.startsWith('operator#') && path !== MAIL_PATH;
}

interface Step {
  title: string;
  text: string;
  isDone: boolean;
  path: string;
  action: string;
}

/** Home for operators without a page: a checklist for setting up the club. */
export function FirstDay({
  onClose,
  children,
}: {
  /** Hides the list while every step is done. Null if it is hidden. */
  onClose: (() => void) | null;
  children: ComponentChildren;
}) {
  const state = useAsync(async () => loadSteps(await owner.server.getServer()));
  const isListed = onClose !== null || state.value?.some(({ isDone }) => !isDone);
  return (
    <>
      <ScreenHeader
        title={t('Home')}
        heading={t('{instance} is up', { instance: instanceName.value })}
        subtitle={new URL(pagesUrl).host}
      />
      {children}
      <div class={isListed ? 'main-and-side' : undefined}>
        {isListed && (
          <div>
            <AsyncContent state={state}>
              {(steps) => <StepList steps={steps} onClose={onClose} />}
            </AsyncContent>
          </div>
        )}
        <div class={isListed ? undefined : 'pair'}>
          <section class="card">
            <h2>{t('What people see')}</h2>
            <p class="hint">{t('The front page carries your name, logo and color.')}</p>
            <a class="button" href={`${pagesUrl}/`} target="_blank" rel="noreferrer">
              {t('Front page')}
              <Icon path={ICON_PATHS.externalLink} />
            </a>
          </section>
          <section class="card">
            <h2>{t('You are a member, too')}</h2>
            <p class="hint">
              {displayName.value
                ? t('@{name} is yours. Your page can wait.', { name: displayName.value })
                : t('Your page can wait. But invitations do not name you until you have a name.')}
            </p>
            <a class="button" href={dashboardHref('?name=')}>
              {displayName.value ? t('Edit page') : t('Claim your name')}
            </a>
          </section>
        </div>
      </div>
    </>
  );
}

/** `listed` are those of the `steps` that get a line. */
export function StepList({
  steps,
  listed = steps,
  onClose,
}: {
  steps: readonly Step[];
  listed?: readonly Step[];
  onClose?: (() => void) | null;
}) {
  const doneCount = steps.filter(({ isDone }) => isDone).length;
  const next = listed.find(({ isDone }) => !isDone);
  return (
    <section class="card">
      <div class="card-head">
        <h2>{t('First steps')}</h2>
        {onClose && !next ? (
          <button type="button" onClick={onClose}>
            {t('Hide this list')}
          </button>
        ) : (
          <span class="hint">
            {t('{done} of {count}', { done: doneCount, count: steps.length })}
          </span>
        )}
      </div>
      <div class="server-meter" aria-hidden="true">
        <i style={{ width: `${(doneCount / steps.length) * 100}%` }} />
      </div>
      <ol class="server-setup first-day">
        {listed.map((step) => (
          <li key={step.title}>
            <span class={step.isDone ? 'step-marker good' : 'step-marker'}>
              {step.isDone ? <Icon path={ICON_PATHS.check} /> : steps.indexOf(step) + 1}
            </span>
            <div>
              <h3>
                {step.isDone && <span class="visually-hidden">{t('setup|Done')}: </span>}
                {step.title}
              </h3>
              <p class="hint">{step.text}</p>
            </div>
            <a
              class={step === next ? 'button primary' : step.isDone ? 'button quiet' : 'button'}
              href={dashboardHref(step.path)}
              // Loads a new document, because mail may have been set up since this one loaded.
              target="_self"
            >
              {step.isDone ? t('step|View') : step.action}
              <span class="visually-hidden"> ({step.title})</span>
            </a>
          </li>
        ))}
      </ol>
      {listed !== steps && doneCount > 0 && (
        <p class="hint">
          {t('setup|Done')}:{' '}
          {listFormat.format(steps.filter(({ isDone }) => isDone).map(({ title }) => title))}
        </p>
      )}
    </section>
  );
}

/** Drafts contain gaps to fill in. */
function isComplete(text: string | null): boolean {
  return text !== null && text.search(GAP) === -1;
}

export async function loadSteps({
  setup,
  accounts,
  login_email: ownEmail,
  last_backup_at: lastBackupAt,
}: ServerState): Promise<Step[]> {
  const [{ instance }, { passkeys }, { counts }] = await Promise.all([
    owner.server.getInstance(),
    owner.passkeys.listPasskeys(),
    owner.invitations.listInvitations({ limit: 1 }),
  ]);
  const invitedCount = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const codes = new Set<string>(setup.map(({ code }) => code));
  const address = setup.find(({ code }) => code.startsWith('address'))!;
  const mail = setup.find(({ code }) => code.startsWith('mail') && code !== 'mailMissing');
  return [
    {
      title: t('Name and contact'),
      text:
        instance.name && instance.contact
          ? `${instance.name} · ${instance.contact}`
          : t('What your club, school or company is called, and where members can write to.'),
      isDone: instance.name !== null && instance.contact !== null,
      path: 'operator/appearance',
      action: t('Set up'),
    },
    backupStep(codes, lastBackupAt),
    {
      title: t('Address'),
      text: address.text,
      isDone: address.level === 'ok',
      path: `operator#${address.code}`,
      action: t('How to do it'),
    },
    {
      title: t('Mail'),
      text:
        mail?.text ??
        t('Login links and invitations need a mail server. Name one you already use.'),
      isDone: codes.has('mailSet'),
      path: MAIL_PATH,
      action: t('Connect mail'),
    },
    legalStep(instance),
    {
      title: t('A second way in'),
      text: loginText(passkeys.length > 0, ownEmail, codes),
      isDone: passkeys.length > 0 || ownEmail !== null,
      path: LOGIN_PATH,
      action: t('Add one'),
    },
    {
      title: t('Invite members'),
      text: invitationText(accounts.total, invitedCount),
      isDone: accounts.total > 1 || invitedCount > 0,
      path: invitedCount > 0 ? 'operator/members/invitations' : 'operator/members/add',
      action: t('Invite'),
    },
  ];
}

function backupStep(codes: ReadonlySet<string>, lastBackupAt: string | null): Step {
  const isDone = codes.has('backupSet') && lastBackupAt !== null;
  const problem = codes.has('backupFailed')
    ? t('The last backup failed.')
    : codes.has('backupOff')
      ? t('Backups are off.')
      : t('The first backup is being made.');
  return {
    title: t('Backup'),
    text: isDone ? t('Every night; the last seven days are kept.') : problem,
    isDone,
    path: 'operator#backup',
    action: t('step|View'),
  };
}

function legalStep(instance: Instance): Step {
  const hasImprint = isComplete(instance.imprint ?? instance.imprint_url);
  const hasPrivacy = isComplete(instance.privacy ?? instance.privacy_url);
  const problem = hasImprint
    ? t('The privacy policy is missing or has gaps.')
    : hasPrivacy
      ? t('The imprint is missing or has gaps.')
      : t('An imprint says who runs a site. Paste your texts, or fill in our drafts.');
  return {
    title: t('Imprint and privacy'),
    text: hasImprint && hasPrivacy ? t('Both are linked on every page.') : problem,
    isDone: hasImprint && hasPrivacy,
    path: 'operator/legal',
    action: t('Write them'),
  };
}

function loginText(
  hasPasskey: boolean,
  ownEmail: string | null,
  codes: ReadonlySet<string>,
): string {
  if (hasPasskey) return listFormat.format([t('A passkey'), ownEmail ?? []].flat());
  if (ownEmail !== null) return ownEmail;
  return codes.has('mailMissing')
    ? t(
        'A passkey; later a confirmed address, too. Without one, losing this browser locks you out.',
      )
    : t('A passkey or a confirmed address. With neither, losing this browser locks you out.');
}

function invitationText(accountCount: number, invitedCount: number): string {
  if (accountCount > 1)
    return t('{count, plural, one {# account} other {# accounts}} so far', { count: accountCount });
  return invitedCount > 0
    ? t('Nobody has joined yet.')
    : t('Paste your list, or print one link for everybody.');
}
