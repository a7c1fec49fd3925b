import { z } from 'zod';
import { ALERT_STATES, type AlertState, alertFields } from './alert-condition.ts';
import { JOE_ID, JOSE_ID, PROJECT_ID, ALERT_ID, EXAMPLE_TIME } from './examples.ts';
import {
  booleanField,
  countField,
  idField,
  keyId,
  nullableTextField,
  objectSchema,
  textField,
  timeField,
} from './fields.ts';
import { metricPath } from './metric-query.ts';
import { SCOPES } from './scope.ts';
import { BACKUP_ERRORS } from './shared/backup-errors.ts';
import type { DeliveredEventType } from './shared/event-types.ts';
import { LIMITS } from './shared/limits.ts';
import { REPORT_REASONS } from './shared/report-reasons.ts';

const name = (description: string) => textField(description, LIMITS.displayNameMax, 'jane-doe');
const by = z
  .string()
  .optional()
  .meta({
    description:
      'The id of the key or session that caused the event, `operator`, or `single sign-on`. Missing if a link in a mail or a job caused it.',
    maxLength: 67,
    examples: ['np_KeE5H4OlWsWE2ciL'],
  });
const keyLabel = nullableTextField(
  'The label of the key, or null.',
  LIMITS.keyLabel,
  'status page',
);
const domain = textField('The domain.', 253, 'jane.example');
const day = (description: string, example: string) =>
  z.iso.date().meta({ description, maxLength: 10, examples: [example] });
const week = {
  since: day('The first of seven days (UTC), or of those so far in a test.', '2026-01-26'),
  until: day('The last day (UTC).', '2026-02-01'),
};
const topEntry = (description: string, value: string) =>
  z
    .object({
      value: textField('The value.', LIMITS.trackedLinkUrl, value),
      count: countField('How often it was counted.', 12),
    })
    .nullable()
    .meta({ description: `${description}. Null if there is none.` });
const WeekSummary = objectSchema('WeekSummary', 'The views and messages of a week.', {
  ...week,
  views: countField('The number of views of the page.', 93),
  clicks: countField('The number of clicks on links.', 17),
  top_link: topEntry('The link with the most clicks', 'https://shop.example/'),
  top_referrer: topEntry('The host that the most views came from', 'news.example'),
  messages: countField('The number of messages through the contact form.', 2),
});
const ServerWeekSummary = objectSchema(
  'ServerWeekSummary',
  'What changed on the server in a week.',
  {
    ...week,
    joined: countField('The number of accounts that were created.', 5),
    left: countField('The number of accounts that were deleted.', 1),
    reports: countField('The number of reports of pages.', 0),
    failed_backups: countField('The number of days on which backups failed.', 0),
    last_backup_at: timeField(
      'When the last backup ended; null if there is none',
      '2026-01-31T03:00:09.000Z',
    ).nullable(),
  },
);
const member = {
  account_id: idField('The account of the member.', JOE_ID),
  display_name: nullableTextField(
    'The display name of the member, or null.',
    LIMITS.displayNameMax,
    'joe-bloggs',
  ),
};
const CONDITION = 'Average of duration_ms in the last 15 minutes is above 10';
const ALERT_DATA =
  'The alert and its new state. Optional fields are missing only in events that version 0.2.0 stored.';
const AlertEventData = objectSchema('AlertEventData', ALERT_DATA, {
  alert_id: idField('The id of the alert.', ALERT_ID),
  project_id: idField('The id of its project.', PROJECT_ID),
  project: textField('The name of its project.', LIMITS.projectName, 'Shop'),
  path: metricPath.optional().meta({
    description: 'The path of the value in the payloads. Empty for the metrics themselves.',
    examples: [['duration_ms']],
  }),
  aggregate: alertFields.aggregate
    .unwrap()
    .optional()
    .meta({
      description: 'The aggregate that is compared with the threshold.',
      examples: ['avg'],
    }),
  minutes: alertFields.minutes.optional(),
  comparison: alertFields.comparison.optional(),
  threshold: z
    .number()
    .nullish()
    .meta({ description: 'The number to compare with. Null with `absent`.', examples: [10] }),
  alert: textField(
    'The project and the condition, in the language of the account.',
    LIMITS.message,
    `Shop · ${CONDITION}`,
  ),
  text: textField(
    'The message, in the language of the account.',
    LIMITS.message,
    `${CONDITION}. It is now 12.`,
  ),
  state: z
    .enum(ALERT_STATES)
    .meta({ description: 'The new state of the alert.', examples: ['firing'] }),
  value: z
    .number()
    .nullable()
    .meta({ description: 'The value at the evaluation, or null.', examples: [12] }),
});

function alertData(state: AlertState, value: number | null, text: string) {
  const example = {
    alert_id: ALERT_ID,
    project_id: PROJECT_ID,
    project: 'Shop',
    ...{ path: ['duration_ms'], aggregate: 'avg', minutes: 15, comparison: 'above', threshold: 10 },
    ...{ alert: `Shop · ${CONDITION}`, text, state, value },
  };
  return AlertEventData.meta({ description: ALERT_DATA, examples: [example] });
}

/** When each event is sent, and the fields of its `data`: the `detail` of the event. */
const DATA: Readonly<
  Record<DeliveredEventType, readonly [string, z.ZodObject | Record<string, z.ZodType>]>
> = {
  page_visibility_changed: [
    'Sent when the page is published, shown to members or hidden.',
    {
      enabled: booleanField('Whether the page is public.', true),
      members: booleanField(
        'Whether only people who are signed in see the page.',
        false,
      ).optional(),
      by,
    },
  ],
  display_name_updated: [
    'Sent when the display name changes.',
    {
      from: nullableTextField('The former name, or null.', LIMITS.displayNameMax, 'jane'),
      to: name('The new name.'),
      by,
    },
  ],
  contact_message_received: [
    'Sent when a message arrives through the contact form. Its text and sender are only in the mail.',
    { page: textField('The address of the page.', LIMITS.url, 'https://club.example/@jane-doe') },
  ],
  domain_verified: ['Sent when a custom domain is verified.', { domain }],
  domain_lost: ['Sent when the TXT record of a verified domain is missing.', { domain }],
  key_created: [
    'Sent when an API key is created.',
    {
      key_id: keyId.meta({ description: 'The id of the key.' }),
      label: keyLabel,
      scope: z.enum(SCOPES).meta({ description: 'The scope of the key.', examples: ['metrics'] }),
      project_id: idField('The only project that the key is for, or null.', null)
        .nullish()
        .meta({ description: 'The only project that the key is for, or null.' }),
      by,
    },
  ],
  key_revoked: [
    'Sent when an API key is revoked, also if its project is deleted.',
    { key_id: keyId.meta({ description: 'The id of the key.' }), label: keyLabel, by },
  ],
  forwarding_updated: [
    'Sent when email forwarding is turned on or off, or gets a new destination.',
    {
      enabled: booleanField('Whether forwarding is on.', true),
      destination_changed: booleanField('Whether the destination changed.', false),
      by,
    },
  ],
  alert_firing: [
    'Sent when an alert starts to fire, or fires again after its pause.',
    alertData('firing', 12, `${CONDITION}. It is now 12.`),
  ],
  alert_recovered: [
    'Sent when the condition of an alert that fired is no longer true.',
    alertData('fine', 8, `No longer true: ${CONDITION}. It is now 8.`),
  ],
  alert_no_data: [
    'Sent when the time window of an alert has no value any more, once until it has one again. Connections that carry `alert_firing` get it.',
    alertData('no_data', null, `No data for the alert: ${CONDITION}.`),
  ],
  week_summary: [
    'Sent on Mondays at 8:00 in the time zone of the account, or later in the week if the server was down. The first one comes within 15 minutes, with the week before the latest Monday; if the account is newer than that week, on the next Monday.',
    WeekSummary,
  ],
  server_week_summary: [
    'Sent to operators, when `week_summary` is sent. Counts the events of the operator.',
    ServerWeekSummary,
  ],
  application_received: [
    'Sent to operators when a person with a confirmed address has applied for an account.',
    {
      application_id: idField('The id of the account that waits.', JOSE_ID),
      display_name: name('The name that the person has chosen.').meta({
        examples: ['jose-mueller'],
      }),
    },
  ],
  member_joined: ['Sent to operators when an account is created.', member],
  member_left: ['Sent to operators when an account is deleted.', member],
  member_suspended: ['Sent to operators when an account is suspended.', member],
  page_reported: [
    'Sent to operators when a visitor reports a page.',
    {
      ...member,
      reason: z
        .enum(REPORT_REASONS)
        .meta({ description: 'The reason for the report.', examples: ['scam'] }),
    },
  ],
  backup_failed: [
    'Sent to operators when a backup fails, at most once a day.',
    {
      error: z
        .enum(BACKUP_ERRORS)
        .meta({ description: 'Why the backup failed.', examples: ['space'] }),
    },
  ],
  forwarding_failing: [
    'Sent to operators when the forwarding provider refuses a change or cannot be reached, for the first address that fails.',
    {
      display_name: name('The name whose address could not be changed.'),
      error: textField('Why, as one sentence.', LIMITS.message, 'It could not be reached.'),
    },
  ],
  test: [
    'Sent by hand, to test a connection.',
    {
      week_summary: WeekSummary.optional().meta({
        description: 'The days since the last Monday, if the connection carries `week_summary`.',
      }),
      server_week_summary: ServerWeekSummary.optional().meta({
        description: 'The same for `server_week_summary`, if an operator sent the test.',
      }),
    },
  ],
};

/** Standard Webhooks (https://www.standardwebhooks.com): the body of each event. */
export const WEBHOOK_EVENTS = Object.fromEntries(
  Object.entries(DATA).map(([type, [description, data]]) => [
    type,
    objectSchema(schemaName(type), description, {
      type: z.literal(type).meta({ description: 'The type of the event.' }),
      timestamp: timeField('When the event happened', EXAMPLE_TIME),
      data:
        data instanceof z.ZodObject
          ? data
          : z.object(data).meta({ description: 'What happened; never a secret.' }),
    }),
  ]),
) as unknown as Readonly<Record<DeliveredEventType, z.ZodObject>>;

function schemaName(type: string): string {
  const words = type.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Event`;
}
