import type { Signal } from '@preact/signals';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { t } from '#dashboard/translate.ts';
import type { ServerState } from '../members/labels.ts';
import { describeFinding, isOption, type Task, TaskList } from './setup.tsx';
import './server.css';

export function ToDoList({
  server,
  onChange,
  openCode,
}: {
  server: ServerState;
  onChange: () => void;
  openCode: Signal<string | undefined>;
}) {
  const tasks = listTasks(server);
  if (tasks.length === 0)
    return (
      <section class="card row" aria-label={t('To do')}>
        <span class="tile round good">
          <Icon path={ICON_PATHS.check} />
        </span>
        <div>
          <h2>{t('Nothing to do')}</h2>
          <p class="hint">{t('Requests, reports and problems appear here.')}</p>
        </div>
      </section>
    );
  return (
    <section class="card" aria-label={t('To do')}>
      <h2>
        {t('To do')} <span class="count">{tasks.length}</span>
      </h2>
      <TaskList tasks={tasks} onChange={onChange} openCode={openCode} hasPrimary />
    </section>
  );
}

export function listTasks(server: ServerState): Task[] {
  return server.setup
    .filter((finding) => finding.level !== 'ok' && !isOption(finding))
    .map((finding) => describeFinding(finding, server));
}
