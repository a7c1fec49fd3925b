/**
 * Every size limit of the service in one place: the schemas enforce them and the OpenAPI document
 * publishes them. Lengths are in Unicode code points unless said otherwise.
 */
export const LIMITS = {
  /** A request body, in bytes. */
  bodyBytes: 1_048_576,
  /** Keys and values in a JSON body, all levels together. */
  jsonMembers: 10_000,
  /** Levels of nesting in a JSON body. */
  jsonDepth: 64,
  displayNameMin: 3,
  displayNameMax: 63,
  bio: 4_000,
  location: 200,
  mood: 200,
  siteDisplayName: 200,
  url: 2_048,
  passkeys: 20,
  fontFamily: 100,
  blocks: 100,
  blockType: 32,
  blockContent: 10_000,
  /** One line of a block, such as a title: for forms and documents, since the API stores any field. */
  blockText: 500,
  /** Items of a list in a block that the page shows. */
  blockItems: 50,
  /** Width and height of an image. */
  blockPixels: 10_000,
  /** Days that a block with a metric is about. */
  blockDays: 90,
  /** All blocks of a site together, in bytes of JSON without their ids: with all else that is read, they fit into a body. */
  blocksBytes: 983_040,
  /** And in keys and values. */
  blocksMembers: 9_000,
  /** All further fields of one block together, in bytes of JSON. */
  blockFieldsBytes: 16_384,
  /** Limits of the blocks that a page shows, in bytes of what is stored without their ids and kinds, and of HTML. */
  pageBytes: 100_000,
  /** Source of a page to import: less than a body, in which it is a string. */
  pageSource: 1_000_000,
  /** Versions of a site that are kept, and their bytes of JSON together; the newest one always is. */
  siteVersions: 20,
  siteVersionsBytes: 4_194_304,
  /** A picture file: its bytes, its pixels, its longest side, and its bytes when decoded. */
  pictureBytes: 10_485_760,
  picturePixels: 40_000_000,
  pictureFileSide: 20_000,
  pictureDecodedBytes: 160_000_000,
  /** Fewer pixels for AVIF, because decoding it takes up to 24 bytes a pixel. */
  avifPixels: 16_000_000,
  /** Longest side of a stored picture, in pixels. */
  pictureSide: 1_200,
  /** Pictures of an account. */
  pictures: 500,
  /** Custom domains of an account. */
  domains: 5,
  /** Days of views of a page that are told at once. */
  viewDays: 366,
  /** Days that one query about visitors is about: two years. */
  visitorDays: 732,
  /** Different values of a kind, such as referring hosts, that are counted for a page on a day. */
  visitValues: 200,
  /** Entries of each list about visitors. */
  visitorList: 100,
  /** Address of a link whose clicks are counted. */
  countedLink: 1_000,
  /** Entries of a list that are told at once. */
  listed: 200,
  email: 254,
  idempotencyKey: 255,
  /** A sentence for people in an answer. */
  sentence: 4_096,
  messageId: 20,
  projectName: 200,
  keyLabel: 200,
  /** A project's id as it is sent: one that is no UUID is only not the sender's. */
  projectId: 255,
  /** Keys of a path into a payload, and their characters together. */
  pathKeys: 64,
  pathCharacters: 1_024,
  measures: 6,
  filters: 5,
  filterText: 1_000,
  /** Days of metrics that one query is about. */
  queryDays: 3_660,
  /** Points of a plot. */
  buckets: 1_000,
  groups: 20,
  /** Characters of a group's name that are told. */
  groupText: 200,
  listedMetrics: 1_000,
  /** Saved views of a project, and characters of the name and the query of each. */
  views: 20,
  viewName: 60,
  viewQuery: 2_000,
  describedFields: 200,
  /** Different values of a field that are told, and characters of each. */
  examples: 3,
  exampleText: 100,
  /** Alerts of an account, and minutes that one looks back. */
  alerts: 20,
  alertMinutes: 1_440,
  /** Minutes in which an alert is not repeated. */
  alertPause: 10_080,
  /** Stored webhooks of an account, and the characters of their names. */
  webhooks: 20,
  webhookName: 100,
  /** Reason of a suspension. */
  suspensionReason: 500,
  /** Note of an invitation. */
  invitationNote: 200,
  /** Days for which an invitation can be valid. */
  invitationDays: 365,
  /** Text of a visitor's report of a page. */
  reportText: 2_000,
  /** Open reports of one page; a further one replaces a report with the most frequent reason. */
  openReports: 20,
  /** Counting the open reports of all pages stops here. */
  countedReports: 1_000,
  /** Open sessions of an account: the one that was used longest ago ends. */
  sessions: 50,
} as const;
