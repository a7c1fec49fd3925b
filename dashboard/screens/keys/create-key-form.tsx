import { useSignal } from '@preact/signals';
import type { Scope } from '#contract/scope.ts';
import { type ResponseOf, owner } from '#dashboard/api/api.ts';
import { BoundField } from '#dashboard/components/field.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { RadioCards } from '#dashboard/components/radio-cards.tsx';
import { SegmentedControl } from '#dashboard/components/segmented-control.tsx';
import { isOperator, loadCurrentAccount } from '#dashboard/current-account.ts';
import { t } from '#dashboard/translate.ts';

const SCOPES = [
  {
    value: 'metrics',
    title: t('Send metrics'),
    description: t('Can add data. Cannot read or change anything.'),
    badge: <span class="pill good">{t('Safest')}</span>,
  },
  {
    value: 'read',
    title: t('Read only'),
    description: t('Can read your page, your events and your metrics.'),
  },
  {
    value: 'page',
    title: t('Change the page'),
    description: t('Can read and change your page, and nothing else.'),
  },
  {
    value: 'all',
    title: t('Full access'),
    description: t('Can read and change everything, and sign in.'),
    badge: <span class="pill warn">{t('Keep it secret')}</span>,
  },
] as const;

const OPERATOR_SCOPE = {
  value: 'operator',
  title: t('scope|Operator'),
  description: t('Full access, and everything on the Operator screens.'),
  badge: <span class="pill warn">{t('Keep it secret')}</span>,
} as const;

const EXPIRIES = [
  ['30', t('30 days')],
  ['90', t('90 days')],
  ['365', t('1 year')],
  ['', t('expires|Never')],
] as const;

export type Project = ResponseOf<typeof owner.projects.listProjects>['projects'][number];

export interface CreatedKey {
  id: string;
  label: string;
  secret: string;
}

export function CreateKeyForm({
  initialScope,
  projects,
  onCreated,
  onCancel,
}: {
  initialScope: Scope;
  projects: readonly Project[];
  onCreated: (key: CreatedKey) => void;
  onCancel: () => void;
}) {
  const label = useSignal('');
  const scope = useSignal<string>(initialScope);
  const projectId = useSignal('');
  const days = useSignal<(typeof EXPIRIES)[number][0]>('90');
  return (
    <Form
      fields={['label', 'scope', 'project_id', 'expires_at']}
      submitLabel={t('Create key')}
      onCancel={onCancel}
      onSubmit={async () => {
        const name = label.value.trim();
        const { api_key: secret, key } = await owner.keys.createKey({
          label: name || undefined,
          scope: scope.value as Scope,
          project_id: (scope.value === 'metrics' && projectId.value) || undefined,
          expires_at: days.value ? expiryIn(Number(days.value)) : undefined,
        });
        // The first key turns the developer tools on.
        loadCurrentAccount().catch(() => undefined);
        if (secret !== null) onCreated({ id: key.id, label: name, secret });
      }}
    >
      <BoundField
        signal={label}
        name="label"
        label={t('Name')}
        placeholder={t('Status page')}
        maxLength={200}
      />
      <RadioCards
        label={t('Scope')}
        value={scope.value}
        onValue={(value) => (scope.value = value)}
        options={isOperator.value ? [...SCOPES, OPERATOR_SCOPE] : SCOPES}
      />
      {scope.value === 'metrics' && projects.length > 0 && (
        <BoundField
          signal={projectId}
          name="project_id"
          label={t('Project')}
          hint={projectId.value && t('The key is deleted with the project.')}
          options={[
            ['', t('All projects')],
            ...projects.map(({ id, name }) => [id, name] as const),
          ]}
        />
      )}
      <div>
        <p class="label">{t('Expires')}</p>
        <SegmentedControl
          label={t('Expires')}
          value={days.value}
          options={EXPIRIES}
          onValue={(value) => (days.value = value)}
          look="wide segments"
        />
      </div>
    </Form>
  );
}

/** At midnight, so that resubmitting the form sends an identical request. */
function expiryIn(days: number): string {
  const expiry = new Date();
  expiry.setHours(24 * days, 0, 0, 0);
  return expiry.toISOString();
}
