import { useEffect, useRef } from 'preact/hooks';
import { owner } from '#dashboard/api/api.ts';
import { Empty, AsyncContent } from '#dashboard/components/async-content.tsx';
import { confirm } from '#dashboard/components/confirm.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { LocalDate, TimeOfDay } from '#dashboard/components/time.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { visuallyHidden } from '#dashboard/components/visually-hidden.tsx';
import { t } from '#dashboard/translate.ts';
import { changesText, describeChanges, findTextChange, joinVersions } from './changes.ts';
import { draft } from './current-draft.ts';
import { viewedVersion } from './preview.tsx';
import { toSite } from './site.ts';
import './versions.css';

export async function restorePageVersion(version: number): Promise<void> {
  const text = t('The current version stays in the list.');
  const isConfirmed = await confirm({
    title: t('Restore version {version}?', { version }),
    text: draft.isChanged.peek() ? `${t('Your unsaved changes will be lost.')} ${text}` : text,
    action: t('Restore'),
  });
  if (!isConfirmed) return;
  await withErrorMessage(
    draft.restore(version).then(() => showMessage(t('Restored version {version}.', { version }))),
  );
}

/** Comparing a version loads it. */
const MAX_COMPARED = 8;

async function loadVersions() {
  const { versions } = await owner.page.listPageVersions();
  const rows = joinVersions(versions);
  const compare = async (row: (typeof rows)[number]) => {
    const [before, after] = await Promise.all(
      [row.previous, row.version].map((version) => owner.page.getPageVersion({ version })),
    );
    return findTextChange(before!, after!);
  };
  return Promise.all(
    rows.map(async (row, index) => ({
      ...row,
      change:
        row.previous !== undefined && index < MAX_COMPARED && changesText(row)
          ? await compare(row).catch(() => undefined)
          : undefined,
    })),
  );
}

export function Versions({ onView, onClose }: { onView: () => void; onClose: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const versions = useAsync(loadVersions, [draft.version.value], { keepsOldValue: true });
  useEffect(() => heading.current!.focus(), []);
  const view = async (version: number) => {
    const found = await withErrorMessage(owner.page.getPageVersion({ version }));
    if (!found) return;
    viewedVersion.value = { version, site: toSite(found) };
    onView();
  };
  return (
    <section class="card" aria-labelledby="versions">
      <div class="card-head">
        <h2 id="versions" ref={heading} tabIndex={-1}>
          {t('Versions')}
        </h2>
        <button
          type="button"
          class="icon-button"
          aria-label={t('Close versions')}
          onClick={onClose}
        >
          <Icon path={ICON_PATHS.close} />
        </button>
      </div>
      <AsyncContent state={versions}>
        {(rows) =>
          rows.length < 2 ? (
            <Empty icon={ICON_PATHS.clock} title={t('No earlier versions')}>
              <p class="muted">{t('Each time you save, the previous version is listed here.')}</p>
            </Empty>
          ) : (
            <ul class="row-list versions">
              {rows.map((row, index) => (
                <li key={row.version} class="row">
                  <p class="grow">
                    <span class="strong">
                      {row.previous === undefined ? t('Oldest version') : describeChanges(row)}
                    </span>
                    <Difference change={row.change} />
                    <small>
                      {t.rich('Version {version}, <time></time>', {
                        version: row.version,
                        time: () => <When time={row.created_at} />,
                      })}
                    </small>
                  </p>
                  {index === 0 ? (
                    <span class="pill good">{t('version|Current')}</span>
                  ) : (
                    <VersionButtons version={row.version} onView={() => void view(row.version)} />
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </AsyncContent>
    </section>
  );
}

function Difference({ change }: { change: ReturnType<typeof findTextChange> }) {
  if (!change) return null;
  return (
    <span class="version-change">
      {change.removed && <del>{change.removed}</del>} {change.added && <ins>{change.added}</ins>}
    </span>
  );
}

function When({ time }: { time: string }) {
  const isToday = new Date(time).toDateString() === new Date().toDateString();
  return isToday ? <TimeOfDay time={time} /> : <LocalDate time={time} />;
}

function VersionButtons({ version, onView }: { version: number; onView: () => void }) {
  return (
    <>
      <button
        type="button"
        class="quiet"
        aria-pressed={viewedVersion.value?.version === version}
        onClick={onView}
      >
        {t.rich('View<hidden> version {version}</hidden>', { version, hidden: visuallyHidden })}
      </button>
      <button type="button" class="quiet" onClick={() => void restorePageVersion(version)}>
        {t.rich('Restore<hidden> version {version}</hidden>', { version, hidden: visuallyHidden })}
      </button>
    </>
  );
}
