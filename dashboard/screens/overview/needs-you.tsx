import { ListRow } from '#dashboard/components/list-row.tsx';
import type { ToDo } from '#dashboard/current-account.ts';
import { dashboardHref } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import { findingIcon, TO_DO_LINKS } from '../server/to-do-links.ts';

/** A single item has no heading, and a primary button. */
export function NeedsYou({ findings }: { findings: readonly ToDo[] }) {
  if (findings.length === 0) return null;
  const isSingle = findings.length === 1;
  return (
    <section class="card needs-you" aria-label={t('To do')}>
      {!isSingle && (
        <h2>
          {t('To do')} <span class="count">{findings.length}</span>
        </h2>
      )}
      <ul>
        {findings.map(({ code, title, text, path }) => {
          const [screen, label] = path
            ? [path, t('Open')]
            : (TO_DO_LINKS[code] ?? [`operator#${code}`, t('How to fix it')]);
          return (
            <ListRow
              key={code}
              icon={findingIcon(code)}
              tone={/^applications|^keeper/.test(code) ? 'tinted' : path ? 'bad' : 'warn'}
              title={title}
              text={text}
              actions={
                <a
                  class={isSingle ? 'button primary' : 'button'}
                  href={dashboardHref(screen)}
                  aria-label={`${label} (${title})`}
                >
                  {label}
                </a>
              }
            />
          );
        })}
      </ul>
    </section>
  );
}
