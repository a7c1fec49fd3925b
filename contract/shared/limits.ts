/**
 * The size limits of the service, which schemas or handlers enforce unless noted otherwise. The
 * OpenAPI documents publish the limits of fields. Text lengths are in Unicode code points. The limits
 * of page texts, such as the bio, are in `site-fields.ts`.
 */
export const LIMITS = {
  /** A request body, in bytes. */
  bodyBytes: 1_048_576,
  /** A request body for login and sign-up, which need no credentials, in bytes. */
  unauthenticatedBodyBytes: 65_536,
  /** Total keys and values in a JSON body, across all levels. */
  jsonMembers: 10_000,
  /** Nesting levels in a JSON body. */
  jsonDepth: 64,
  displayNameMin: 3,
  displayNameMax: 63,
  /** How long a former name can redirect to the current one, in days. */
  redirectDays: 90,
  url: 2_048,
  passkeys: 20,
  /** Keepers and open invitations of one account. */
  keepers: 20,
  /** Connections of one account to websites and apps, and to the same app: one for each device. */
  grants: 200,
  grantsPerClient: 50,
  /** Websites and apps that operators create. */
  clients: 200,
  redirectUris: 10,
  fontFamily: 100,
  /** Blocks of a page. Its settings, a block of type `page` in the API, do not count. */
  blocks: 100,
  /** Entries of a list of blocks: the blocks and the page settings. */
  blockEntries: 101,
  blockType: 32,
  blockContent: 10_000,
  /** A single-line block field, such as a title. Used only by forms and the OpenAPI documents; the API does not enforce it. */
  blockText: 500,
  /** Items of a list field that the page shows. */
  blockItems: 50,
  /** Days on which a repeating event does not take place. */
  eventExceptions: 60,
  /** Fields of a contact form. */
  formFields: 10,
  /** The `width` and `height` fields of an image block. */
  blockPixels: 10_000,
  /** The `days` field of a metric block. */
  blockDays: 90,
  /** JSON of all blocks without ids, in bytes. Small enough that a whole site, as the API returns it, fits in a request body. */
  blocksBytes: 983_040,
  /** Keys and values of all blocks, for the same reason. */
  blocksMembers: 9_000,
  /** JSON of the additional fields of one block, in bytes. */
  blockFieldsBytes: 16_384,
  /** Size of the blocks on a page, in bytes. Applies separately to their JSON (without ids and types) and to their HTML. */
  pageBytes: 100_000,
  /** Source of a page to import. The largest known pages are about 0.5 MB. */
  pageSource: 500_000,
  /** Stored versions of a site, and their JSON in bytes. The newest version is always stored. */
  siteVersions: 20,
  siteVersionsBytes: 4_194_304,
  /** An uploaded picture file, in bytes. `decoder-process.ts` limits its pixels. */
  pictureBytes: 10_485_760,
  /** A stored picture at its largest size, in pixels. Screenshots and infographics are tall. */
  pictureWidth: 1_200,
  pictureHeight: 9_600,
  /** Pictures per account. */
  pictures: 500,
  /** Address and title of a stored cover. PostgreSQL indexes the address. */
  coverUrl: 500,
  coverTitle: 200,
  coverLookupsPerHour: 60,
  /** The largest limit that an operator can set for the pictures of an account, in MB. */
  pictureLimitMb: 1_000_000,
  /** Custom domains per account. */
  domains: 5,
  /** Days of page views in one response. */
  pageViewDays: 366,
  /** Days in one query of visitors. */
  visitorDays: 732,
  /** Distinct values of a kind, such as referrers, counted per page and day. */
  visitValues: 200,
  /** Entries of each list in the result of a visitors query. */
  visitorList: 100,
  /** Value of `utm_source`, `utm_campaign` or `ref` that is counted. */
  campaignTag: 100,
  /** URL of a link whose clicks are counted. */
  trackedLinkUrl: 1_000,
  /** Entries in one batch of a list. */
  listEntries: 200,
  /** People in one member list, and uses of one invitation link. */
  members: 10_000,
  /** A member list as CSV. Smaller than a body, because JSON escapes lengthen it. */
  memberCsv: 1_000_000,
  /** Column names in the result of checking a member list. */
  memberColumns: 100,
  memberName: 200,
  email: 254,
  /** Accounts of one email address: listed in a login mail, and created by sign-up without an operator. */
  accountsPerAddress: 10,
  idempotencyKey: 255,
  /** A human-readable message or summary in a response. */
  message: 4_096,
  messageId: 20,
  projectName: 200,
  keyLabel: 200,
  /** Listed requests per account. */
  keyRequests: 500,
  /** Requests that one server stores in a second: of one account, and successful ones of all accounts. */
  keyRequestsPerSecond: 10,
  allKeyRequestsPerSecond: 200,
  userAgent: 100,
  /** Characters of an error message in the list of requests. */
  keyRequestMessage: 1_000,
  /** A `projectId` in a request. Ids that are not UUIDs get 403 instead of 400. */
  projectId: 255,
  /** Keys in the path of a payload value, and their total characters. */
  pathKeys: 64,
  pathCharacters: 1_024,
  filters: 5,
  filterText: 1_000,
  /** Days in one query of metrics. */
  queryDays: 3_660,
  /** Points of a chart. */
  buckets: 1_000,
  groups: 20,
  /** Returned characters of a group's name. */
  groupText: 200,
  listedMetrics: 1_000,
  describedFields: 200,
  /** Example values per field, and the length of each. */
  examples: 3,
  exampleText: 100,
  /** Alerts per account, and the time window of an alert in minutes. */
  alerts: 20,
  alertWindowMinutes: 1_440,
  /** The longest pause between two messages that an owner can set for an alert, in minutes. */
  alertPauseMinutes: 10_080,
  /** Connections per account, and tests and deliveries sent again to all of them. */
  connections: 20,
  manualAttemptsPerHour: 20,
  connectionName: 100,
  connectionToken: 200,
  /** Group addresses of the server, and recipients of one of them. */
  addresses: 100,
  addressRecipients: 50,
  /** Groups of members, and members of one of them. */
  memberGroups: 200,
  groupMembers: 5_000,
  groupName: 60,
  /** The name or id of a group of single sign-on. */
  signOnGroup: 200,
  /** Days until a deleted group is gone for good, and until its slug is free. */
  deletedGroupDays: 30,
  groupSlugDays: 90,
  /** Per connection: waiting deliveries, finished deliveries, and characters kept of each response. */
  pendingDeliveries: 10_000,
  deliveries: 100,
  responseExcerpt: 500,
  suspensionReason: 500,
  invitationNote: 200,
  invitationSentence: 300,
  /** Days until an invitation expires. */
  invitationDays: 365,
  reportText: 2_000,
  applicationText: 500,
  /** Waiting applications of one email address. */
  applicationsPerAddress: 3,
  /** Days for the decision, and after it until the application is deleted. */
  applicationDays: 14,
  decidedApplicationDays: 30,
  approvalLinkDays: 7,
  /** The highest count of waiting applications. */
  countedApplications: 1_000,
  /** Messages from contact forms of pages. */
  visitorMessage: 4_000,
  visitorName: 100,
  /** Texts that present the installation. */
  instanceName: 60,
  instanceLine: 100,
  /** Of the picture on the landing page. */
  instanceCoverDescription: 300,
  instanceWelcome: 2_000,
  /** Each of imprint, privacy policy and terms. */
  legalText: 50_000,
  /** Open reports per page. When full, a new report replaces one that has the most common reason. */
  openReports: 20,
  /** The highest count of open reports across all pages. */
  countedReports: 1_000,
  /** Test emails of all operators together. */
  testMailsPerHour: 10,
  /** Messages of operators to members, in 24 hours. */
  messagesPerDay: 2,
  /** Days between two official notices. */
  officialNoticeDays: 14,
  messageSubject: 150,
  messageText: 10_000,
  /** Sessions per account. When full, a login ends the least recently used session. */
  sessions: 50,
} as const;

/** Formats a limit for the sentences of the API, such as `10,000`. */
export function formatLimit(limit: number): string {
  return limit.toLocaleString('en');
}
