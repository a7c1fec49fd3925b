import { signal } from '@preact/signals';
import { owner } from '#dashboard/api/api.ts';
import { downloadAfterLogin } from '#dashboard/components/download-file.ts';
import { showFormDialog } from '#dashboard/components/form-dialog.tsx';
import { withErrorMessage } from '#dashboard/components/messages.tsx';
import { RadioCards } from '#dashboard/components/radio-cards.tsx';
import { language, t } from '#dashboard/translate.ts';

const FORMATS = [
  {
    value: 'csv',
    title: t('Table (CSV)'),
    description: t('For spreadsheets, and to invite everyone to another server.'),
  },
  {
    value: 'vcf',
    title: t('Address book (vCard)'),
    description: t('For contacts in Apple, Google, Nextcloud, Outlook and Thunderbird.'),
  },
];

export async function showMemberExport(
  selection: NonNullable<Parameters<typeof owner.members.exportMembers>[0]>,
  filter: string,
): Promise<void> {
  const counted = await withErrorMessage(
    owner.members.listMembers({ ...selection, limit: 1, count: true }),
  );
  if (!counted) return;
  const total = counted.total ?? 0;
  const format = signal('csv');
  const { search = '', state = 'all', group_id } = selection;
  // Excel expects the list separator of its language.
  const separator = language === 'de' ? 'semicolon' : 'comma';
  await showFormDialog({
    title: t('Export members'),
    text: [
      t('{total, plural, one {# person} other {# people}}', { total }),
      (state !== 'all' || group_id) && t('Filter: {filter}', { filter }),
      search && t('Search: “{search}”', { search }),
    ]
      .filter(Boolean)
      .join(' · '),
    render: () => (
      <>
        <RadioCards
          label={t('File')}
          value={format.value}
          options={FORMATS}
          onValue={(value) => (format.value = value)}
        />
        <p class="hint">
          {t('Names and confirmed email addresses. Members who are being deleted are left out.')}{' '}
          {t('Invited people who have not joined are not in it.')}
        </p>
      </>
    ),
    submitLabel: t('Export'),
    isDisabled: total === 0,
    onSubmit: () =>
      downloadAfterLogin('members.exportMembers', {
        search,
        state,
        ...(group_id && { group_id }),
        format: format.value,
        separator,
      }),
  });
}
