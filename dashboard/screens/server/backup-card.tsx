import { useEffect, useRef } from 'preact/hooks';
import { owner } from '#dashboard/api/api.ts';
import { downloadAfterLogin } from '#dashboard/components/download-file.ts';
import { calendarDaysUntil } from '#dashboard/components/format-time-ago.ts';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { showError, showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { TimeOfDay } from '#dashboard/components/time.tsx';
import { usePolling } from '#dashboard/components/use-polling.ts';
import { loadCurrentAccount } from '#dashboard/current-account.ts';
import { isOn } from '#dashboard/facts.ts';
import { dashboardHref, fragment } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import { type ServerState, formatAmount } from '../members/labels.ts';

type Backups = NonNullable<ServerState['backups']>;

const SHOWN_DAYS = 7;
const listFormat = new Intl.ListFormat(t.locale);
const weekdayFormat = new Intl.DateTimeFormat(t.locale, { weekday: 'short' });

function showResult(hasFailed: boolean): void {
  if (hasFailed) showError(t('The backup failed.'));
  else showMessage(t('The backup is made.'));
  // Updates the mark in the menu. If this fails, the menu keeps the old one.
  loadCurrentAccount().catch(() => undefined);
}

function download({ name }: Backups['files'][number]): void {
  void downloadAfterLogin('server.exportBackup', { name });
}

export function BackupCard({
  backups,
  hasFailed,
  onChange,
  poll,
}: {
  backups: Backups;
  hasFailed: boolean;
  onChange: () => void;
  poll: () => void;
}) {
  const { files, is_running: isRunning } = backups;
  usePolling(isRunning ? 'progress' : undefined, poll);
  const start = useBackup(backups, hasFailed, onChange);
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (fragment.value === 'backup') card.current!.scrollIntoView();
  }, [fragment.value]);
  return (
    <section class="card" aria-label={t('Backup')} ref={card}>
      <div class="card-head">
        <h2>{t('Backup')}</h2>
        {hasFailed ? (
          <span class="pill bad">{t('Failed')}</span>
        ) : (
          <span class="muted">
            {t.rich('every night at <time></time>', {
              time: () => <TimeOfDay time={backups.next_at} />,
            })}
          </span>
        )}
      </div>
      {hasFailed && <p>{t('The server tries again within an hour.')}</p>}
      <Week files={files} hasFailed={hasFailed} />
      <div class="row" role="status">
        <button type="button" disabled={isRunning} onClick={() => void start(false)}>
          <Icon path={ICON_PATHS.refresh} />
          {isRunning ? t('Backing up…') : t('Back up now')}
        </button>
        <button type="button" disabled={isRunning} onClick={() => void start(true)}>
          <Icon path={ICON_PATHS.download} />
          {t('Back up and download')}
        </button>
      </div>
      <BackupHelp backups={backups} />
    </section>
  );
}

/**
 * Returns a function that starts a backup, and downloads it if asked to. Shows a message when a
 * running backup ends, also if the server or another operator started it.
 */
function useBackup(
  { files: [newest], is_running: isRunning }: Backups,
  hasFailed: boolean,
  onChange: () => void,
): (downloads: boolean) => Promise<void> {
  const isDownloaded = useRef(false);
  const wasRunning = useRef(isRunning);
  useEffect(() => {
    if (wasRunning.current && !isRunning) {
      showResult(hasFailed);
      if (isDownloaded.current && !hasFailed && newest) download(newest);
      isDownloaded.current = false;
    }
    wasRunning.current = isRunning;
  }, [isRunning]);
  return async (downloads) => {
    const started = await withErrorMessage(owner.server.createBackup());
    isDownloaded.current = downloads && started !== undefined;
    onChange();
  };
}

function BackupHelp({ backups }: { backups: Backups }) {
  return (
    <details>
      <summary>{t('Where backups are, and how to restore one')}</summary>
      <p class="hint">
        {t.rich(
          'The last seven days are kept on this server, in <code>{folder}</code>. Download one now and then, so that a copy is elsewhere. It does not contain <files></files>: keep copies of these, too; without the key, connections are lost. <code>npx nameplate restore</code> puts it on an empty server (<code>docs/backup.md</code>).',
          {
            folder: backups.folder,
            files: () =>
              listFormat
                .formatToParts(backups.separate_files)
                .map(({ type, value }) => (type === 'element' ? <code>{value}</code> : value)),
            code: (children) => <code>{children}</code>,
          },
        )}
      </p>
      {isOn('connections') && (
        <a href={dashboardHref('connections')}>{t('Get notified when a backup fails')}</a>
      )}
    </details>
  );
}

function Week({ files, hasFailed }: { files: Backups['files']; hasFailed: boolean }) {
  const days = Array.from({ length: SHOWN_DAYS }, (_, index) => {
    const daysUntil = index - SHOWN_DAYS + 1;
    const time = new Date().setDate(new Date().getDate() + daysUntil);
    const file = files.find(({ made_at }) => calendarDaysUntil(made_at) === daysUntil);
    const isToday = index === SHOWN_DAYS - 1;
    return { time, file, isToday, isBad: isToday && hasFailed };
  });
  return (
    <ol class="server-week">
      {days.map(({ time, file, isToday, isBad }) => {
        const day = isToday ? t('Today') : weekdayFormat.format(time);
        const size = file && formatAmount('bytes', file.bytes);
        return (
          <li key={time} class={file || isBad ? undefined : 'none'}>
            <i class={isBad ? 'tile bad' : 'tile good'}>
              {(file || isBad) && <Icon path={isBad ? ICON_PATHS.close : ICON_PATHS.check} />}
            </i>
            {file && !isBad ? (
              <button
                type="button"
                class="link"
                title={`${t('Download')} (${size})`}
                onClick={() => download(file)}
              >
                {day}
              </button>
            ) : (
              <span>
                {day}
                <span class="visually-hidden">: {isBad ? t('Failed') : t('None')}</span>
              </span>
            )}
          </li>
        );
      })}
    </ol>
  );
}
