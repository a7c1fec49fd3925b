import { confirm } from '#dashboard/components/confirm.tsx';
import { Icon } from '#dashboard/components/icon.tsx';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { type Column, Table } from '#dashboard/components/table.tsx';
import { LocalDate, TimeAgo } from '#dashboard/components/time.tsx';
import { t } from '#dashboard/translate.ts';

/** Passkeys or single sign-on logins, each with a button that removes it after a question. */
export function LoginMethodTable<
  Method extends { created_at: string; last_used_at: string | null },
>({
  caption,
  methods,
  rowKey,
  nameOf,
  title,
  icon,
  addedTitle,
  columns = [],
  action,
  textsFor,
  remove,
  onRemoved,
}: {
  caption: string;
  methods: readonly Method[];
  rowKey: (method: Method) => string;
  nameOf: (method: Method) => string;
  title: string;
  icon: string;
  addedTitle: string;
  columns?: readonly Column<Method>[];
  action: string;
  textsFor: (name: string) => { label: string; question: string; done: string };
  remove: (method: Method) => Promise<unknown>;
  onRemoved: () => void;
}) {
  const askAndRemove = async (method: Method) => {
    const { question, done } = textsFor(nameOf(method));
    const text = t('You can no longer sign in with it, and its sessions end.');
    if (!(await confirm({ title: question, text, action }))) return;
    if (!(await withErrorMessage(remove(method)))) return;
    showMessage(done);
    onRemoved();
  };
  return (
    <Table
      caption={caption}
      rows={methods}
      rowKey={rowKey}
      columns={[
        {
          title,
          cell: (method) => (
            <div class="row settings-name">
              <span class="tile">
                <Icon path={icon} />
              </span>
              <span class="strong">{nameOf(method)}</span>
            </div>
          ),
        },
        ...columns,
        { title: addedTitle, cell: (method) => <LocalDate time={method.created_at} /> },
        {
          title: t('Last used'),
          cell: ({ last_used_at: last }) =>
            last === null ? t('Never used') : <TimeAgo time={last} />,
        },
      ]}
      actions={(method) => (
        <button
          type="button"
          class="quiet danger"
          aria-label={textsFor(nameOf(method)).label}
          onClick={() => void askAndRemove(method)}
        >
          {action}
        </button>
      )}
    />
  );
}
