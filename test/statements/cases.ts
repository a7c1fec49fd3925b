import type { Transaction } from 'kysely';
import type { Database } from '#db/schema.ts';

/** Ids of rows that exist in the database. */
export const THERE = {
  account: '00000000-0000-4000-8000-000000000001',
  project: '00000000-0000-4000-8000-000000000002',
  event: '00000000-0000-4000-8000-000000000003',
  session: '00000000-0000-4000-8000-000000000004',
  destination: '00000000-0000-4000-8000-000000000005',
  registration: '00000000-0000-4000-8000-000000000007',
  webhook: '00000000-0000-4000-8000-000000000007',
  alert: '00000000-0000-4000-8000-000000000008',
  entry: '00000000-0000-4000-8000-00000000000b',
  invitation: '00000000-0000-4000-8000-00000000000c',
  report: '00000000-0000-4000-8000-00000000000a',
  key: 'np_key',
  passkey: 'passkey',
  identity: '00000000-0000-4000-8000-000000000006',
  picture: 'AAAAAAAAAAAAAAAAAAAAAA-1x1',
  name: 'jane',
  /** In quarantine, with an alias. */
  left: 'jane-left',
  /** In quarantine, without an alias. */
  free: 'jane-free',
  hash: Buffer.alloc(32, 1),
  time: '2026-01-01T00:00:00.000000Z',
};
const {
  account,
  project,
  event,
  session,
  key,
  name,
  left,
  hash,
  time,
  passkey,
  picture,
  identity,
} = THERE;
const { webhook, alert } = THERE;

const MISSING = '00000000-0000-4000-8000-000000000009';
const OTHER = Buffer.alloc(32, 2);
const DAY = '2026-01-02';
const DAYS = { since: '2026-01-01', until: DAY };
const DATE = new Date(time);
const POSITION = { received_at: time, id: '1' };
const RANGE = { projectId: project, since: time, until: '2026-02-01T00:00:00Z' };
const STORED = { accountId: account, method: 'POST', path: '/', key: 'stored', bodyHash: hash };
const FRESH = { ...STORED, key: 'fresh' };
const STOP = { subject: 'platform:chat', reason: 'limited', seconds: 60 } as const;
const EMAIL = 'jane@example.com';
const LEASED = {
  name,
  revision: 2,
  leasedUntil: new Date(0),
  destination: null,
  uncertainUntil: null,
};
const OUTCOME = { isSynced: true, isUncertain: false, error: null };
const FIELD = { position: 0, path: ['a'], last: true };
const BLOCK = { id: MISSING, type: 'text', enabled: true, content: 'Hello!' };
const FILES = { 96: OTHER, 512: OTHER, 1200: OTHER };
const EVALUATED = { id: alert, revision: 0, until: new Date() };
const SENT = { alertId: alert, revision: 0 };
const ALERT = {
  path: ['a'],
  aggregate: 'sum' as const,
  minutes: 5,
  comparison: 'above' as const,
  threshold: 1,
  pauseMinutes: 60,
  webhookId: webhook,
};
const QUARANTINE = 30;
const METRIC = JSON.stringify({ accountId: account, projectId: project, payload: {} });
const SERIES = {
  ...RANGE,
  starts: [DATE],
  measures: [{ path: ['a'], aggregate: 'p95' as const }],
  filters: [{ path: ['b'], is: 'eq' as const, value: 1 }],
  every: 1,
};

type Query = (trx: Transaction<Database>, ...rest: never[]) => Promise<unknown> | AsyncGenerator;
type Rest<F> = F extends (db: never, ...rest: infer R) => unknown ? R : never;
/** The calls of each query function of a file. */
type Calls<M> = { [F in keyof M as M[F] extends Query ? F : never]: Rest<M[F]>[] };

interface Files {
  'daily-usage': typeof import('#db/queries/daily-usage.ts');
  accounts: typeof import('#db/queries/accounts.ts');
  'alert-runs': typeof import('#db/queries/alerts/alert-runs.ts');
  alerts: typeof import('#db/queries/alerts/alerts.ts');
  'api-keys': typeof import('#db/queries/api-keys.ts');
  'audit-log': typeof import('#db/queries/audit-log.ts');
  blocks: typeof import('#db/queries/sites/blocks.ts');
  domains: typeof import('#db/queries/domains.ts');
  challenges: typeof import('#db/queries/sessions/challenges.ts');
  'chat-rejections': typeof import('#db/queries/chat/chat-rejections.ts');
  'chat-send-counts': typeof import('#db/queries/chat/chat-send-counts.ts');
  'chat-stops': typeof import('#db/queries/chat/chat-stops.ts');
  'chat-webhooks': typeof import('#db/queries/chat/chat-webhooks.ts');
  confirmations: typeof import('#db/queries/forwarding/confirmations.ts');
  'destination-mails': typeof import('#db/queries/forwarding/destination-mails.ts');
  'display-names': typeof import('#db/queries/display-names.ts');
  events: typeof import('#db/queries/events.ts');
  'forwarding-destinations': typeof import('#db/queries/forwarding/forwarding-destinations.ts');
  'provider-aliases': typeof import('#db/queries/forwarding/provider-aliases.ts');
  'idempotency-keys': typeof import('#db/queries/idempotency-keys.ts');
  identities: typeof import('#db/queries/sessions/identities.ts');
  'sign-ups': typeof import('#db/queries/sessions/sign-ups.ts');
  invitations: typeof import('#db/queries/sessions/invitations.ts');
  'last-backup': typeof import('#db/queries/last-backup.ts');
  'last-maintenance': typeof import('#db/queries/last-maintenance.ts');
  'login-links': typeof import('#db/queries/sessions/login-links.ts');
  'metric-buckets': typeof import('#db/queries/metrics/metric-buckets.ts');
  'metric-deletions': typeof import('#db/queries/metrics/metric-deletions.ts');
  'metric-measures': typeof import('#db/queries/metrics/metric-measures.ts');
  'metric-series': typeof import('#db/queries/metrics/metric-series.ts');
  'metric-spans': typeof import('#db/queries/metrics/metric-spans.ts');
  'metric-values': typeof import('#db/queries/metrics/metric-values.ts');
  metrics: typeof import('#db/queries/metrics/metrics.ts');
  jobs: typeof import('#db/queries/jobs.ts');
  'owner-mails': typeof import('#db/queries/owner-mails.ts');
  'page-visits': typeof import('#db/queries/sites/page-visits.ts');
  'operator-accounts': typeof import('#db/queries/operator-accounts.ts');
  operators: typeof import('#db/queries/operators.ts');
  passkeys: typeof import('#db/queries/sessions/passkeys.ts');
  pictures: typeof import('#db/queries/pictures.ts');
  'postfix-aliases': typeof import('#db/queries/forwarding/postfix-aliases.ts');
  'forwarding-settings': typeof import('#db/queries/forwarding/forwarding-settings.ts');
  projects: typeof import('#db/queries/projects.ts');
  'provider-destinations': typeof import('#db/queries/forwarding/provider-destinations.ts');
  'public-sites': typeof import('#db/queries/sites/public-sites.ts');
  reports: typeof import('#db/queries/reports.ts');
  sessions: typeof import('#db/queries/sessions/sessions.ts');
  'site-versions': typeof import('#db/queries/sites/site-versions.ts');
  sites: typeof import('#db/queries/sites/sites.ts');
  'unconfirmed-mails': typeof import('#db/queries/unconfirmed-mails.ts');
  usage: typeof import('#db/queries/usage.ts');
}

/**
 * Calls of every query function, by file. Together they send every statement of the function. The
 * compiler reports missing functions.
 */
export const CALLS: { [File in keyof Files]: Calls<Files[File]> } = {
  'daily-usage': {
    addDailyUsage: [[DAY, [{ accountId: account, metrics: 1, responses: 1 }]]],
    countNameChange: [[account, DAY]],
    deleteOldDailyUsage: [[DAY]],
  },
  accounts: {
    insertAccount: [[]],
    hasAccount: [[]],
    listAccounts: [[{ limit: 100 }], [{ limit: 100, after: account }], [{ limit: 100, name: 'j' }]],
    findAccount: [[account], [name]],
    listNamesBeginningWith: [['j']],
    readAccount: [[account]],
    assertAccount: [[account]],
    lockAccount: [[account]],
    setSuspended: [
      [account, { suspended: true, reason: 'Phishing' }],
      [account, { suspended: false }],
    ],
    setClosed: [[account]],
    listClosedAccounts: [[60]],
    lockWholeAccount: [[account]],
    deleteAccount: [[MISSING]],
  },
  'alert-runs': {
    listDueAlerts: [[16]],
    saveEvaluation: [[EVALUATED, { state: 'firing', value: 2, seconds: 1 }]],
    postponeEvaluation: [[EVALUATED]],
    lockAlertInState: [[EVALUATED, 'firing']],
    markNotified: [
      [alert, { state: 'firing', isMailed: false }],
      [alert, { state: 'fine', isMailed: true }],
    ],
    saveNotificationError: [[alert, 'No address.']],
    beginAlertMessage: [[SENT, 'Unknown.']],
    saveMessageResult: [
      [SENT, null],
      [SENT, 'Refused.'],
    ],
  },
  alerts: {
    listAlerts: [[account], [account, project]],
    countAlerts: [[account]],
    insertAlert: [[{ ...ALERT, accountId: account, projectId: project }]],
    updateAlert: [[{ ...ALERT, accountId: account, id: alert }]],
    deleteAlert: [[account, alert]],
    findAlert: [[account, alert]],
    isWebhookUsed: [[account, webhook]],
  },
  'api-keys': {
    findApiKeys: [[[key]]],
    touchApiKeys: [[[key]]],
    countApiKeys: [[account]],
    insertApiKey: [[{ id: 'np_new', accountId: account, secretHash: hash, label: null }]],
    listApiKeys: [[account]],
    revokeApiKey: [[key], [key, account]],
    revokeApiKeys: [[account]],
  },
  'audit-log': {
    insertAuditEntry: [
      [
        {
          who: 'root',
          via: 'command',
          action: 'keys revoke',
          account_id: null,
          name: null,
          project_id: null,
          key_id: key,
          detail: {},
        },
      ],
    ],
    listAuditEntries: [
      [{ limit: 20 }],
      [{ limit: 20, account }],
      [{ limit: 20, account: name }],
      [{ limit: 20, account, after: THERE.entry }],
      [{ limit: 20, after: THERE.entry }],
    ],
    hasAuditEntry: [[THERE.entry]],
    deleteOldAuditEntries: [[]],
  },
  blocks: {
    upsertBlocks: [[account, [BLOCK]]],
    deleteBlocksExcept: [[account, [MISSING]]],
  },
  challenges: {
    getChallengeSecret: [[]],
    useChallenge: [[hash], [OTHER]],
    deleteExpiredChallenges: [[]],
  },
  'chat-rejections': {
    recordChatRejection: [[{ platform: 'chat', accountId: account, minutes: 10 }]],
    deleteOldChatRejections: [[]],
  },
  'chat-send-counts': {
    countChatSend: [
      [account, { perSecond: 0, perMinute: 0 }],
      [account, { perSecond: 1, perMinute: 1 }],
    ],
    deleteOldChatSendCounts: [[]],
  },
  'chat-stops': {
    findChatStop: [[[STOP.subject]]],
    upsertChatStop: [[STOP]],
    extendChatStop: [[STOP]],
    deleteChatStop: [[STOP.subject]],
    countChatStops: [[]],
    deleteExpiredChatStops: [[]],
  },
  'chat-webhooks': {
    listWebhooks: [[account]],
    insertWebhook: [
      [{ id: MISSING, accountId: account, name, platformId: '1', encryptedUrl: hash }],
    ],
    findWebhookUrl: [[account, webhook]],
    lockWebhook: [[account, webhook]],
    deleteWebhook: [[account, MISSING]],
  },
  confirmations: {
    findConfirmation: [[hash]],
    confirm: [[{ id: THERE.destination, accountId: account, name }]],
    isConfirmed: [[account, EMAIL]],
    withdrawConfirmations: [[account]],
    countUnconfirmed: [[]],
  },
  'destination-mails': {
    countDestinationMail: [[{ accountId: account, address: EMAIL }]],
    setConfirmationToken: [[THERE.destination, OTHER]],
  },
  'display-names': {
    findDisplayName: [[account]],
    findDisplayNames: [[[account]]],
    listUnavailableNames: [
      [[name, 'new-name'], { quarantineDays: QUARANTINE }],
      [[name, 'new-name'], { quarantineDays: QUARANTINE, accountId: account }],
    ],
    claimDisplayName: [[{ accountId: account, name: 'new-name', quarantineDays: QUARANTINE }]],
    releaseDisplayName: [[account, name]],
    listQuarantinedNames: [[QUARANTINE], [QUARANTINE, account]],
    deleteQuarantinedName: [[left], [THERE.free]],
    markAliasRemoved: [[left]],
    markAllAliasesRemoved: [[]],
  },
  events: {
    insertEvent: [
      [{ accountId: account, type: 'display_name_updated', outcome: 'succeeded', detail: {} }],
    ],
    insertRefusedLogin: [[{ keyId: key, reason: 'keyRevoked' }]],
    hasRecentEvent: [[{ accountId: account, type: 'page_changed', detail: { by: key } }]],
    completeEvent: [
      [
        { accountId: account, id: event },
        { outcome: 'succeeded', detail: {} },
      ],
    ],
    deleteEventsBeyond: [[account, 0]],
    deleteOldEvents: [[1]],
    listEvents: [
      [account, { limit: 20 }],
      [account, { limit: 20, after: event }],
      [account, { limit: 20, types: ['page_changed'] }],
    ],
    countEvents: [[[account]]],
    listVerifications: [[]],
    hasEvent: [[account, event]],
  },
  'forwarding-destinations': {
    chooseDestination: [[account, EMAIL]],
    deleteOldChoices: [[]],
  },
  'provider-aliases': {
    bumpRevisionIfForwarded: [[name]],
    bumpRevision: [[name]],
    leaseAlias: [[name, { leaseMs: 1, uncertainMs: 1 }]],
    endLease: [[LEASED, OUTCOME]],
    listUnqueuedAliases: [[]],
    countUnsyncedAliases: [[]],
    listForwarding: [[], [name]],
  },
  'idempotency-keys': {
    claimIdempotencyKey: [[FRESH], [STORED]],
    claimIdempotencyKeys: [[[{ ...FRESH, status: 200, response: {} }]]],
    storeResponse: [[STORED, { status: 200, json: '{}' }]],
    deleteIdempotencyKey: [[STORED]],
    interruptIdempotencyKey: [[STORED]],
    replaceStoredResponses: [[account, { method: 'POST', path: '/', answer: {} }]],
    deleteExpiredIdempotencyKeys: [[]],
    deleteStoredResponses: [[account, 100]],
  },
  identities: {
    findIdentity: [[{ issuer: 'https://id.example.org', subject: 'jane' }]],
    listIdentities: [[account]],
    insertIdentity: [
      [{ accountId: account, issuer: 'https://id.example.com', subject: 'jane', label: null }],
    ],
    touchIdentity: [[identity]],
    deleteIdentity: [[account, identity]],
    hasOtherLogin: [[account, { mailsLinks: true }]],
  },
  'sign-ups': {
    hasAccountWithEmail: [[EMAIL]],
    canMailInvitation: [[hash]],
    insertSignUp: [[{ email: EMAIL, display_name: 'jane-new' }]],
    setSignUpToken: [[THERE.registration, OTHER]],
    consumeSignUp: [[hash]],
    setLoginEmail: [[account, 'other@example.com']],
    deleteExpiredSignUps: [[]],
  },
  invitations: {
    insertInvitation: [[OTHER, { days: 7 }]],
    listInvitations: [[{ limit: 20 }], [{ limit: 20, after: THERE.invitation }]],
    hasInvitation: [[THERE.invitation]],
    isInvitationOpen: [[hash]],
    deleteInvitation: [[THERE.invitation]],
    consumeInvitation: [[hash]],
    deleteExpiredInvitations: [[]],
  },
  'last-backup': {
    saveLastBackup: [[]],
    findLastBackup: [[]],
  },
  'last-maintenance': {
    saveLastMaintenance: [[{ seconds: 1, failed: 0 }]],
    findLastMaintenance: [[]],
  },
  'login-links': {
    insertLoginLink: [[{ accountId: account, tokenHash: OTHER }]],
    useLoginLink: [[hash]],
    deleteLoginLinks: [[account]],
    deleteExpiredLoginLinks: [[]],
  },
  'metric-buckets': {
    findBucketStarts: [
      [{ since: time, until: DAY, timeZone: 'Europe/Oslo', unit: 'hour' }],
      [{ since: time, until: DAY, timeZone: 'Europe/Oslo', unit: 'day' }],
    ],
  },
  'metric-deletions': {
    insertMetricDeletion: [[RANGE]],
    insertExpiredMetrics: [[]],
    listMetricDeletions: [[10]],
    finishMetricDeletion: [[{ id: '1', ...RANGE }], [{ id: '1', projectId: project }]],
    countMetricDeletions: [[project]],
  },
  'metric-measures': {},
  'metric-series': {
    sumUpSeries: [[SERIES], [{ ...SERIES, groupBy: ['c'], groups: [null], every: 32 }]],
    estimateMetrics: [
      [RANGE, 100],
      [RANGE, 0],
    ],
    hasMetricWith: [
      [RANGE, ['a']],
      [RANGE, []],
    ],
  },
  'metric-spans': {
    sumUpMetrics: [
      [
        {
          projectId: project,
          fields: [FIELD],
          spanSeconds: 60,
          after: POSITION,
          settled: true,
          limit: 1_000,
        },
      ],
    ],
  },
  domains: {
    listDomains: [[account]],
    findDomain: [[account, 'jane.example']],
    lockDomain: [[account, 'jane.example']],
    isDomainTaken: [[account, 'jane.example']],
    insertDomain: [[account, { domain: 'new.example', token: 'A'.repeat(22) }]],
    deleteDomain: [[account, 'jane.example']],
    clearDomainRedirect: [[account]],
    updateDomain: [[{ accountId: account, domain: 'jane.example' }, { redirect: true }]],
    revokeOutdatedVerification: [
      [
        { accountId: MISSING, domain: 'jane.example' },
        { tokens: [], problem: 'It is lost.' },
      ],
    ],
    listDueDomains: [[500]],
    findDomainSites: [[['jane.example']]],
  },
  'metric-values': {},
  metrics: {
    insertMetrics: [[[{ text: METRIC }]]],
    deleteSomeMetrics: [
      [{ projectId: project }, 100],
      [RANGE, 100],
    ],
    listMetrics: [[{ projectId: project }], [RANGE]],
    findMetrics: [
      [{ ...RANGE, limit: 100, bytes: 1_000 }],
      [{ projectId: project, limit: 100, bytes: 1_000, newestFirst: true }],
      [{ projectId: project, limit: 100, bytes: 1_000, newestFirst: true, after: POSITION }],
    ],
  },
  jobs: {
    readQueue: [[]],
    lockMailJob: [[MISSING]],
    cancelMails: [[account], [account, ['login']]],
    findStuckMails: [[]],
  },
  'owner-mails': {
    countOwnerMail: [[account, 'login']],
    findOwnAddress: [[account]],
    listAccountsOfAddress: [[EMAIL]],
    deleteOldOwnerMails: [[]],
  },
  'unconfirmed-mails': { countUnconfirmedMail: [['sign_up', 200]] },
  'page-visits': {
    addPageVisits: [
      [[{ accountId: account, kind: 'referrer', day: DAY, value: 'news.example', count: 1 }]],
    ],
    listVisitDays: [[account, DAYS]],
    listPageViews: [[account, { until: DAY, days: 30 }]],
    listTopVisits: [[account, { ...DAYS, limit: 10 }]],
    findFirstVisitDay: [[account]],
    listPageVisits: [[account], [account, DAYS]],
    deleteOldPageVisits: [[{ today: DAY, days: 730 }]],
  },
  'operator-accounts': {
    listOperatorAccounts: [
      [{ day: DAY, limit: 20 }],
      [{ day: DAY, limit: 20, after: account }],
      [{ day: DAY, limit: 20, suspended: true }],
      [{ day: DAY, limit: 20, search: account }],
      [{ day: DAY, limit: 20, search: EMAIL }],
      [{ day: DAY, limit: 20, search: 'ja' }],
      [{ day: DAY, limit: 20, search: 'ja', after: account }],
    ],
    findOperatorAccount: [[account, DAY]],
  },
  operators: {
    isOperator: [[account]],
    insertOperator: [[account]],
    insertFirstOperator: [[account]],
    deleteOperator: [[account]],
    listOperators: [[]],
  },
  passkeys: {
    findPasskey: [[passkey]],
    listPasskeys: [[account]],
    insertPasskey: [
      [
        {
          id: 'new-passkey',
          accountId: account,
          publicKey: hash,
          counter: 0,
          transports: [],
          label: null,
        },
      ],
    ],
    touchPasskey: [[passkey, 1]],
    deletePasskey: [[account, passkey]],
  },
  'postfix-aliases': {
    findDestination: [[name]],
  },
  pictures: {
    usePicture: [[account, hash]],
    sumPictures: [[account]],
    insertPicture: [
      [account, { id: 'BBBBBBBBBBBBBBBBBBBBBB-1x1', fileHash: OTHER, files: FILES }],
      [account, { id: 'BBBBBBBBBBBBBBBBBBBBBB-1x1', fileHash: hash, files: FILES }],
    ],
    listPictures: [[account]],
    deletePicture: [[account, picture]],
    findPictureStates: [[[picture]]],
    findPictureFiles: [[[`${picture} 96`]]],
    listAccountsWithOldPictures: [[1]],
    noteUsedPictures: [[account]],
    deleteUnusedPictures: [[account, 30]],
  },
  'forwarding-settings': {
    lockForwardingSettings: [[account]],
    findForwarding: [[account]],
    updateForwarding: [[account, { enabled: true, email: EMAIL, confirmed: true }]],
    clearForwarding: [[account]],
  },
  projects: {
    listProjects: [[account]],
    listProjectIds: [[account]],
    findProject: [[project]],
    countProjects: [[account]],
    insertProject: [[account, 'Shop']],
    renameProject: [
      [{ id: project, name: 'Shop' }],
      [{ id: project, name: 'Shop', accountId: account }],
    ],
    findOwnProjects: [[account, [project]]],
    findMetricDays: [[account, project]],
    updateMetricDays: [[{ id: project, days: 1 }], [{ id: project, days: 1, accountId: account }]],
    findMetricViews: [[account, project]],
    listMetricViews: [[account]],
    updateMetricViews: [[{ id: project, views: [], accountId: account }]],
    closeProject: [[project]],
    closeOwnProject: [[account, project]],
    listClosedProjects: [[10]],
    deleteClosedProject: [[project]],
  },
  'provider-destinations': {
    noteProviderDestination: [[EMAIL]],
    forgetProviderDestinations: [[[EMAIL]]],
    findUnwantedDestinations: [[1]],
    findNamesForwardedTo: [[[EMAIL]]],
  },
  'public-sites': {
    findPageStates: [[[name]]],
    findPages: [[[name]]],
    findWholePages: [[[name]]],
    findOwnSite: [[account]],
    setPageSuspended: [
      [account, true],
      [account, false],
    ],
    listPages: [[{ suspended: false, limit: 20 }], [{ suspended: true, limit: 20 }]],
  },
  reports: {
    insertReport: [
      [account, { name, reason: 'scam', text: null, email: null, limit: 20 }],
      [account, { name, reason: 'other', text: 'Look!', email: EMAIL, limit: 20 }],
    ],
    listReports: [
      [{ isOpen: true, limit: 20 }],
      [{ isOpen: false, limit: 20 }],
      [{ isOpen: true, limit: 20, after: THERE.report }],
      [{ isOpen: true, limit: 20, accountId: account }],
    ],
    hasReport: [[THERE.report]],
    closeReports: [[[THERE.report]]],
    deleteOldReports: [[]],
    countOpenReports: [[1_000]],
  },
  sessions: {
    findSessions: [[[hash.toString('hex')]]],
    listSessions: [[account]],
    findProof: [[account, session]],
    insertSession: [
      [
        {
          accountId: account,
          tokenHash: OTHER,
          via: 'link',
          keyId: null,
          passkeyId: null,
          identityId: null,
          authenticatedAt: null,
          agent: null,
        },
      ],
    ],
    deleteSessionsBeyond: [[account, 1]],
    deleteSession: [[account, session]],
    deleteSessions: [[account]],
    deleteSessionsOfPasskey: [[account, passkey]],
    deleteSessionsOfIdentity: [[account, identity]],
    touchSessions: [[[session]]],
    deleteEndedSessions: [[]],
  },
  'site-versions': {
    keepSiteVersion: [[account, { limit: 1, bytes: 1 }]],
    listSiteVersions: [[account]],
    findNewestVersion: [[account]],
    findSiteVersion: [[account], [account, 1]],
  },
  sites: {
    findSiteConfigurations: [[[account]]],
    findSiteConfiguration: [[account]],
    upsertSite: [[account, { bio: 'Potter.' }]],
    raiseSiteVersion: [[project]],
    findSiteEnabled: [[account]],
    toggleSite: [[account]],
    setSiteEnabled: [
      [account, true],
      [account, false],
    ],
    isVisitCountingEnabled: [[account]],
    setVisitCounting: [[account, false]],
  },
  usage: {
    listUsage: [
      [{ day: DAY, quarantineDays: QUARANTINE, limit: 20 }],
      [{ day: DAY, quarantineDays: QUARANTINE, limit: 20, accountId: account }],
    ],
  },
};
