interface Deprecation {
  what: string;
  instead: string;
  /** Areas, operations, fields of schemas, query parameters (`listReports.state`) and commands. */
  names?: readonly string[];
  /** Fields that stay, but take fewer values. */
  narrowed?: readonly string[];
}

export const DEPRECATED_IN = '0.3.1';
export const REMOVED_IN = '0.4.0';

/** RFC 9745. There is no `Sunset`, because operators decide when they upgrade. */
export const DEPRECATION_DATE = `@${Date.UTC(2026, 10, 29) / 1_000}`;

/** What the next minor version removes or replaces. */
export const DEPRECATIONS: readonly Deprecation[] = [
  {
    what: 'Operations for applicants in the area `applications`',
    instead: 'Use those of `account` with the same names.',
    names: ['createApplication', 'getApplication', 'deleteApplication'].map(
      (name) => `applications.${name}`,
    ),
  },
  {
    what: 'Applications as a list of their own',
    instead:
      'With `REGISTRATION=approval`, applying creates a waiting account, for which 0.4.0 adds operations of `members`. Waiting applications become such accounts.',
    names: ['applications'],
  },
  {
    what: 'Connecting a mail server in the dashboard',
    instead:
      'Set `SMTP_URL` and `MAIL_FROM`. A connected mail server works until 0.5.0, and 0.4.0 shows the two lines to set.',
    names: [
      'server.checkMailServer',
      'server.deleteMailServer',
      'server.getMailServer',
      'server.listMailProviders',
      'server.updateMailServer',
    ],
  },
  {
    what: 'Reopening reports, and their groups and history',
    instead:
      'Reports stay a list with two decisions: hide the page, or `closeReports`. `listAuditEntries` has them.',
    names: ['reports.reopenReports'],
  },
  {
    what: 'Sending a message through a connection',
    instead: 'Use `sendChatWebhook` with the URL of the webhook.',
    names: ['connections.sendMessage'],
  },
  { what: 'The command `status`', instead: 'Use `nameplate check`.', names: ['status'] },
];

/** `name` is that of an operation (`area.operation`) or of a command. */
export function deprecationOf(name: string): string | undefined {
  const [area = ''] = name.split('.');
  const row = DEPRECATIONS.find(({ names = [] }) => names.includes(name) || names.includes(area));
  return row && describe(row);
}

/** Marks fields of a schema, or parameters of an operation. */
export function deprecateFields(name: string, fields: Record<string, Field>): void {
  for (const row of DEPRECATIONS)
    for (const [key, field] of Object.entries(fields)) {
      const isRemoved = row.names?.includes(`${name}.${key}`);
      if (isRemoved) field.deprecated = true;
      if (!isRemoved && !row.narrowed?.includes(`${name}.${key}`)) continue;
      // A nullable field may have its description in the variant that is not null.
      const variants = [field, ...(field.anyOf ?? [])];
      const documented = variants.find(({ description }) => description) ?? field;
      documented.description += ` Deprecated: ${describe(row)}`;
    }
}

interface Field {
  description?: string;
  deprecated?: boolean;
  anyOf?: Field[];
}

function describe({ what, instead }: Deprecation): string {
  return `${what} will be removed in ${REMOVED_IN}. ${instead}`;
}
