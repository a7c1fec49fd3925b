import { confirm } from '#dashboard/components/confirm.tsx';
import { ListRow } from '#dashboard/components/list-row.tsx';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { LocalDate, TimeAgo } from '#dashboard/components/time.tsx';
import { t } from '#dashboard/translate.ts';

/** Passkeys or single sign-on logins, each with a button that removes it after a question. */
export function LoginMethods<
  Method extends { id: string; created_at: string; last_used_at: string | null },
>({
  methods,
  nameOf,
  icon,
  detailOf,
  addedTitle,
  action,
  textsFor,
  remove,
  onRemoved,
}: {
  methods: readonly Method[];
  nameOf: (method: Method) => string;
  icon: string;
  /** Where it works or comes from. */
  detailOf: (method: Method) => string | false | undefined;
  addedTitle: string;
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
    <ul>
      {methods.map((method) => (
        <ListRow
          key={method.id}
          icon={icon}
          title={nameOf(method)}
          text={
            <>
              {detailOf(method) && `${detailOf(method)} · `}
              {addedTitle} <LocalDate time={method.created_at} /> ·{' '}
              {method.last_used_at === null ? (
                t('Never used')
              ) : (
                <>
                  {t('Last used')} <TimeAgo time={method.last_used_at} />
                </>
              )}
            </>
          }
          actions={
            <button
              type="button"
              class="quiet danger"
              aria-label={textsFor(nameOf(method)).label}
              onClick={() => void askAndRemove(method)}
            >
              {action}
            </button>
          }
        />
      ))}
    </ul>
  );
}
