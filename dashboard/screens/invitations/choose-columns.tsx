import { useSignal } from '@preact/signals';
import type { owner } from '#dashboard/api/api.ts';
import { Field } from '#dashboard/components/field.tsx';
import { Table } from '#dashboard/components/table.tsx';
import { isOn } from '#dashboard/facts.ts';
import { t } from '#dashboard/translate.ts';
import type { MemberColumn } from './member-csv.ts';
import './invitations.css';

export const COLUMN_LABELS: Readonly<Record<string, string>> = {
  email: t('Email address'),
  name: t('Full name'),
  first_name: t('First name'),
  last_name: t('Last name'),
  display_name: t('column|Display name'),
  forward_to_email: t('Forward mail to'),
  ...(isOn('groups') && { groups: t('Groups') }),
};
const OPTIONS = [['', t('Not used')], ...Object.entries(COLUMN_LABELS)] as const;
export type ColumnField = NonNullable<
  Parameters<typeof owner.invitations.checkInvitations>[0]['columns']
>[number];

export function ChooseColumns({
  columns,
  lines,
  onBack,
  onChoose,
}: {
  columns: readonly MemberColumn[];
  /** Numbers of the lines that the columns have examples of. */
  lines: readonly number[];
  onBack: () => void;
  onChoose: (fields: ColumnField[]) => void;
}) {
  const fields = useSignal(columns.map(({ field }) => field as ColumnField));
  const rows = columns.flatMap(({ title, examples }, index) =>
    title === '' && examples.every((example) => example === '')
      ? []
      : [{ index, title: title || t('Column {number}', { number: index + 1 }), examples }],
  );
  return (
    <section class="card invitation-columns">
      <h2>{t('Which column is which?')}</h2>
      <p class="hint">
        {t(
          'These are the first lines of your list. Choose what each column is. Only the email address is required; of several, the first one counts.',
        )}
      </p>
      <Table
        caption={t('Columns of your list')}
        rows={rows}
        rowKey={({ index }) => index}
        columns={[
          { title: t('Column'), cell: ({ title }) => <span class="strong">{title}</span> },
          ...lines.map((line, number) => ({
            title: t('Line {line}', { line }),
            cell: ({ examples }: (typeof rows)[number]) => examples[number],
          })),
          {
            title: t('Use as'),
            cell: ({ index, title }) => (
              <Field
                name={`column-${index}`}
                class="unlabeled"
                label={t('Use {column} as', { column: title })}
                value={fields.value[index] ?? ''}
                options={OPTIONS}
                onValue={(value) =>
                  (fields.value = fields.value.with(index, (value || null) as ColumnField))
                }
              />
            ),
          },
        ]}
      />
      <div class="row between">
        <button type="button" onClick={onBack}>
          {t('Back')}
        </button>
        <button
          type="button"
          class="primary"
          disabled={!fields.value.includes('email')}
          onClick={() => onChoose(fields.value)}
        >
          {t('Check the list')}
        </button>
      </div>
    </section>
  );
}
