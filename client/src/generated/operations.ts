// Generated from the contract: change it there and run `npm run generate`.

import type { APIPromise, Requester } from '../api-promise.ts';
import type { OtherKind } from '../blocks.ts';
import { type ListPromise, listPromise } from '../list-promise.ts';
import type { RequestOptions } from '../options.ts';
import type { OtherValue } from '../other-value.ts';

/** Operations of `client.account`. */
export class AccountOperations {
  readonly #client: Requester;

  constructor(client: Requester) {
    this.#client = client;
  }

  /**
   * Read the display name: `GET /account/get-display-name`.
   * Returns the display name of the account. It is empty if the account never set one.
   */
  getDisplayName(options?: RequestOptions): APIPromise<DisplayNameResponse> {
    return this.#client.request('GET', '/account/get-display-name', undefined, options);
  }

  /**
   * Change the display name: `POST /account/update-display-name`.
   * Sanitizes and claims the name, which turns email forwarding off and clears its destination address, even if the name stays the same. A session needs a login within the last 60 minutes to clear a confirmed destination address.
   * @throws 400 `displayNameMissing`, `displayNameTooShort`, `displayNameInvalid`; 403 `reauthenticationRequired`; 404 `profileNotFound`; 409 `displayNameReserved`, `displayNameTaken`; 429 `nameChangeLimitReached`, `heldNameLimitReached`: see `UpdateDisplayNameErrorCode`.
   * @example
   * const result = await client.account.updateDisplayName({ display_name: 'Jane Doe' });
   */
  updateDisplayName(
    body: UpdateDisplayNameRequest,
    options?: RequestOptions,
  ): APIPromise<UpdateDisplayNameResponse> {
    return this.#client.request('POST', '/account/update-display-name', body, options);
  }
}

/** Operations of `client.site`. */
export class SiteOperations {
  readonly #client: Requester;

  constructor(client: Requester) {
    this.#client = client;
  }

  /**
   * Read the site configuration: `GET /site/get-site-configuration`.
   * Returns the details of the site, its content blocks in display order and all preset themes. To change it, send the fields of `site` and `blocks` side by side to `updateSiteConfiguration`, which accepts them as they are.
   */
  getSiteConfiguration(options?: RequestOptions): APIPromise<SiteConfigurationResponse> {
    return this.#client.request('GET', '/site/get-site-configuration', undefined, options);
  }

  /**
   * Change the site configuration: `POST /site/update-site-configuration`.
   * Changes the fields in the request, all or none of them. `blocks` replaces the whole list; `[]` deletes all.
   * @throws 400 `themeInvalid`, `clubThemeOff`; 500 `blocksNotSaved`, `blocksNotRemoved`: see `UpdateSiteConfigurationErrorCode`.
   * @example
   * const result = await client.site.updateSiteConfiguration({ bio: 'Potter in Lisbon.', blocks: [{ type: 'link', url: 'https://example.com' }] });
   */
  updateSiteConfiguration(
    body: UpdateSiteConfigurationRequest,
    options?: RequestOptions,
  ): APIPromise<UpdateSiteConfigurationResponse> {
    return this.#client.request('POST', '/site/update-site-configuration', body, options);
  }

  /**
   * Read the visibility: `GET /site/get-site-status`.
   * Returns whether the site is publicly visible. A new site is hidden.
   */
  getSiteStatus(options?: RequestOptions): APIPromise<SiteStatusResponse> {
    return this.#client.request('GET', '/site/get-site-status', undefined, options);
  }

  /**
   * Toggle the visibility: `POST /site/toggle-site-visibility`.
   * Shows a hidden site, or hides one that is visible or for members (`enabled` is false), and returns the new state; a site that an operator hides stays hidden (`newStatus` is false). `POST /owner/page/update-page-visibility` with `{ "visible": true }` sets the state instead, and can be repeated.
   */
  toggleSiteVisibility(options?: RequestOptions): APIPromise<ToggleSiteVisibilityResponse> {
    return this.#client.request('POST', '/site/toggle-site-visibility', undefined, options);
  }
}

/** Operations of `client.emailForwarding`. */
export class EmailForwardingOperations {
  readonly #client: Requester;

  constructor(client: Requester) {
    this.#client = client;
  }

  /**
   * Turn email forwarding on or off: `POST /email-forwarding/email-forwarding-toggle`.
   * Turns forwarding of mail to an address of your own on, which needs a display name, or off; only a key with operator rights replaces the confirmed address of an operator (`confirmedAddressProtected`). `message` says whether mail is forwarded, waits until the owner of the address confirms, or cannot be forwarded.
   * @throws 400 `enabledMissing`, `forwardingAddressInvalid`, `displayNameNotSet`, `forwardingAddressMissing`, `forwardingLoop`, `forwardingAddressNotAllowed`; 403 `confirmedAddressProtected`, `reauthenticationRequired`, `ownerOnly`; 404 `profileNotFound`; 429 `forwardingAddressLimitReached`; 503 `mailLimitReached`: see `EmailForwardingToggleErrorCode`.
   * @example
   * const result = await client.emailForwarding.emailForwardingToggle({ enabled: true, email: 'jane@example.com' });
   */
  emailForwardingToggle(
    body: EmailForwardingToggleRequest,
    options?: RequestOptions,
  ): APIPromise<EmailForwardingToggleResponse> {
    return this.#client.request('POST', '/email-forwarding/email-forwarding-toggle', body, options);
  }
}

/** Operations of `client.stats`. */
export class StatsOperations {
  readonly #client: Requester;

  constructor(client: Requester) {
    this.#client = client;
  }

  /**
   * List the projects: `GET /stats/get-projects`.
   * Returns the projects of the account, oldest first.
   * @example
   * for await (const entry of client.stats.getProjects()) console.log(entry);
   */
  getProjects(options?: RequestOptions): ListPromise<ProjectsResponse, Project> {
    return listPromise('projects', () =>
      this.#client.request('GET', '/stats/get-projects', undefined, options),
    );
  }

  /**
   * Submit a metric: `POST /stats/ingest-metrics`.
   * Records one metric of a project, such as how many people came or what was sold. A success means that the metric is committed to the database.
   * @throws 400 `projectIdMissing`, `metricPayloadInvalid`; 403 `projectForbidden`; 429 `metricLimitReached`: see `IngestMetricsErrorCode`.
   * @example
   * const result = await client.stats.ingestMetrics({ projectId: '3f0c6a0e-6b57-4f0b-9a51-8a2d1f0e7c11', payload: { visitors: 42, page: '/pots', duration_ms: 12.5 } });
   */
  ingestMetrics(
    body: IngestMetricsRequest,
    options?: RequestOptions,
  ): APIPromise<IngestMetricsResponse> {
    return this.#client.request('POST', '/stats/ingest-metrics', body, options);
  }
}

/** Operations of `client.hooks`. */
export class HooksOperations {
  readonly #client: Requester;

  constructor(client: Requester) {
    this.#client = client;
  }

  /**
   * Send a chat message: `POST /hooks/send-chat-webhook`.
   * Sends a message through a Discord webhook and returns the message id. If Discord rejects the message, the error quotes Discord.
   * @throws 400 `webhookUrlInvalid`, `messageEmpty`, `chatPlatformRefused`, `webhookNotFound`; 500 `chatPlatformFailed`, `outcomeUnknown`, `chatPlatformRateLimited`, `requestInterrupted`; 503 `relayOverloaded`, `relayRateLimited`, `relayBlocked`, `relayPausedForAccount`, `relayPaused`: see `SendChatWebhookErrorCode`.
   * @example
   * const result = await client.hooks.sendChatWebhook({ webhookUrl: 'https://discord.com/api/webhooks/1234567890/your-webhook-token', payload: { content: 'Hello from Nameplate!' } });
   */
  sendChatWebhook(
    body: SendChatWebhookRequest,
    options?: RequestOptions,
  ): APIPromise<ChatWebhookResponse> {
    return this.#client.request('POST', '/hooks/send-chat-webhook', body, options);
  }

  /**
   * Edit a chat message: `PATCH /hooks/send-chat-webhook`.
   * Changes a message that was sent through the same webhook: Discord keeps what you leave out, such as its embeds. If Discord rejects the change, the error quotes Discord.
   * @throws 400 `webhookUrlInvalid`, `messageIdInvalid`, `messageEmpty`, `chatPlatformRefused`, `webhookNotFound`; 500 `chatPlatformFailed`, `outcomeUnknown`, `chatPlatformRateLimited`, `requestInterrupted`; 503 `relayOverloaded`, `relayRateLimited`, `relayBlocked`, `relayPausedForAccount`, `relayPaused`: see `EditChatWebhookErrorCode`.
   * @example
   * const result = await client.hooks.editChatWebhook({ webhookUrl: 'https://discord.com/api/webhooks/1234567890/your-webhook-token', messageId: '1105936272348135426', payload: { content: 'Hello from Nameplate!' } });
   */
  editChatWebhook(
    body: EditChatWebhookRequest,
    options?: RequestOptions,
  ): APIPromise<ChatWebhookResponse> {
    return this.#client.request('PATCH', '/hooks/send-chat-webhook', body, options);
  }
}

/** Error codes that all GET methods share. */
export type ReadErrorCode =
  | 'apiKeyMissing'
  | 'apiKeyMalformed'
  | 'apiKeysDiffer'
  | 'bearerMissing'
  | 'apiKeyExpired'
  | 'apiKeyRevoked'
  | 'unauthorized'
  | 'accountSuspended'
  | 'insufficientScope'
  | 'accountNotKept'
  | 'rateLimited'
  | 'addressRateLimited'
  | 'overloaded'
  | 'internalError';

/** Error codes that all methods with an idempotency key share. */
export type WriteErrorCode =
  | 'apiKeyMissing'
  | 'apiKeyMalformed'
  | 'apiKeysDiffer'
  | 'bearerMissing'
  | 'apiKeyExpired'
  | 'apiKeyRevoked'
  | 'unauthorized'
  | 'accountSuspended'
  | 'insufficientScope'
  | 'accountNotKept'
  | 'rateLimited'
  | 'addressRateLimited'
  | 'overloaded'
  | 'validationFailed'
  | 'jsonMalformed'
  | 'notUtf8'
  | 'jsonKeyForbidden'
  | 'numberTooLarge'
  | 'integerTooLarge'
  | 'nestingTooDeep'
  | 'tooManyMembers'
  | 'textUnsupported'
  | 'valueUnsupported'
  | 'bodyLengthMismatch'
  | 'bodyTooLarge'
  | 'contentTypeUnsupported'
  | 'contentEncodingUnsupported'
  | 'crossSiteRequest'
  | 'idempotencyKeyInvalid'
  | 'idempotencyKeyReused'
  | 'storedResponseLimitReached'
  | 'internalError';

/** Error codes of `client.account.getDisplayName`. A newer server may have more. */
export type GetDisplayNameErrorCode = ReadErrorCode;

/** Error codes of `client.account.updateDisplayName`. A newer server may have more. */
export type UpdateDisplayNameErrorCode =
  | WriteErrorCode
  | 'displayNameMissing'
  | 'displayNameTooShort'
  | 'displayNameInvalid'
  | 'displayNameReserved'
  | 'displayNameTaken'
  | 'nameChangeLimitReached'
  | 'heldNameLimitReached'
  | 'profileNotFound'
  | 'reauthenticationRequired';

/** Error codes of `client.site.getSiteConfiguration`. A newer server may have more. */
export type GetSiteConfigurationErrorCode = ReadErrorCode;

/** Error codes of `client.site.updateSiteConfiguration`. A newer server may have more. */
export type UpdateSiteConfigurationErrorCode =
  | WriteErrorCode
  | 'themeInvalid'
  | 'blocksNotSaved'
  | 'blocksNotRemoved'
  | 'clubThemeOff';

/** Error codes of `client.site.getSiteStatus`. A newer server may have more. */
export type GetSiteStatusErrorCode = ReadErrorCode;

/** Error codes of `client.site.toggleSiteVisibility`. A newer server may have more. */
export type ToggleSiteVisibilityErrorCode = WriteErrorCode;

/** Error codes of `client.emailForwarding.emailForwardingToggle`. A newer server may have more. */
export type EmailForwardingToggleErrorCode =
  | WriteErrorCode
  | 'enabledMissing'
  | 'forwardingAddressInvalid'
  | 'displayNameNotSet'
  | 'forwardingAddressMissing'
  | 'confirmedAddressProtected'
  | 'forwardingAddressLimitReached'
  | 'forwardingLoop'
  | 'forwardingAddressNotAllowed'
  | 'mailLimitReached'
  | 'profileNotFound'
  | 'reauthenticationRequired'
  | 'ownerOnly';

/** Error codes of `client.stats.getProjects`. A newer server may have more. */
export type GetProjectsErrorCode = ReadErrorCode;

/** Error codes of `client.stats.ingestMetrics`. A newer server may have more. */
export type IngestMetricsErrorCode =
  | WriteErrorCode
  | 'projectIdMissing'
  | 'metricPayloadInvalid'
  | 'projectForbidden'
  | 'metricLimitReached';

/** Error codes of `client.hooks.sendChatWebhook`. A newer server may have more. */
export type SendChatWebhookErrorCode =
  | WriteErrorCode
  | 'webhookUrlInvalid'
  | 'messageEmpty'
  | 'chatPlatformRefused'
  | 'webhookNotFound'
  | 'chatPlatformFailed'
  | 'outcomeUnknown'
  | 'chatPlatformRateLimited'
  | 'relayOverloaded'
  | 'relayRateLimited'
  | 'relayBlocked'
  | 'relayPausedForAccount'
  | 'relayPaused'
  | 'requestInterrupted';

/** Error codes of `client.hooks.editChatWebhook`. A newer server may have more. */
export type EditChatWebhookErrorCode =
  | WriteErrorCode
  | 'webhookUrlInvalid'
  | 'messageIdInvalid'
  | 'messageEmpty'
  | 'chatPlatformRefused'
  | 'webhookNotFound'
  | 'chatPlatformFailed'
  | 'outcomeUnknown'
  | 'chatPlatformRateLimited'
  | 'relayOverloaded'
  | 'relayRateLimited'
  | 'relayBlocked'
  | 'relayPausedForAccount'
  | 'relayPaused'
  | 'requestInterrupted';

/** The display name of the account. */
export interface DisplayNameResponse {
  /** The display name. Empty if the account never set one. At most 63 characters. Example: `'jane-doe'` */
  display_name: string;
}

/** The display name to set. */
export interface UpdateDisplayNameRequest {
  /** The new name: lower-cased, with hyphens for white space, without punctuation and emoji; other letters, such as é, are refused with a suggestion. The result must have 3 to 63 characters, not start or end with a hyphen, and be unique across all accounts. Example: `'Jane Doe'` */
  display_name: string;
}

/** The display name was changed. `getDisplayName` returns the result. */
export interface UpdateDisplayNameResponse {
  /** Always true. */
  success: true;
  /** The result, as one sentence. At most 4,096 characters. */
  message: string;
}

/** The configuration of the site. */
export interface SiteConfigurationResponse {
  /** The details of the site. Fields that were never set are null. */
  site: Site;
  /** The content blocks in display order. At most 101 entries. */
  blocks: Block[];
  /** All preset themes, first the server's own if it has one. At most 8 entries. */
  availableThemes: Theme[];
}

/** The details of the site. Fields that were never set are null. */
export interface Site {
  /** Site description. At most 4,000 characters. Example: `'Potter in Lisbon.'` */
  bio: string | null;
  /** The page's title. Any text, independent of the account's display name. At most 200 characters. Example: `"Jane's pots"` */
  display_name: string | null;
  /** Location shown on the site. At most 200 characters. Example: `'Lisbon'` */
  location: string | null;
  /** A mood emoji or a string. At most 200 characters. Example: `'🌞'` */
  mood: string | null;
  /** URL of the avatar image. At most 2,048 characters. Example: `'https://example.com/jane.png'` */
  avatar_url: string | null;
  /** The custom theme, which the page uses while `theme_id` is null. */
  custom_theme: CustomTheme | null;
  /** The id of the selected preset theme. At most 36 characters. Format: uuid. Example: `'5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a01'` */
  theme_id:
    | '5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a01'
    | '5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a02'
    | '5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a03'
    | '5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a04'
    | '5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a05'
    | '5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a06'
    | '5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a07'
    | '5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a00'
    | OtherValue
    | null;
  /** The selected preset theme. */
  themes: Theme | null;
}

/** A custom theme. All fields are optional. */
export interface CustomTheme {
  /** The page background, #RRGGBB. At most 7 characters. Example: `'#101418'` */
  background_color?: string | undefined;
  /** Headings and buttons, #RRGGBB. At most 7 characters. Example: `'#FFD166'` */
  primary_color?: string | undefined;
  /** Text, #RRGGBB. At most 7 characters. Example: `'#F5F5F5'` */
  text_color?: string | undefined;
  /** Links, #RRGGBB. At most 7 characters. Example: `'#06D6A0'` */
  accent_color?: string | undefined;
  /** A font family name. The page includes Caveat, Inter, JetBrains Mono, Lora, Nunito, Playfair Display, Space Grotesk; other fonts appear only for visitors who have them installed. At most 100 characters. Example: `'Open Sans'` */
  font_family?: string | undefined;
}

/** A preset theme. */
export interface Theme {
  /** The id of the theme, to send as `theme_id`. At most 36 characters. Format: uuid. Example: `'5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a01'` */
  id: string;
  /** The name of the theme. At most 50 characters. Example: `'Paper'` */
  name: string;
  /** The colors of a theme. */
  settings: ThemeSettings;
}

/** The colors of a theme. */
export interface ThemeSettings {
  /** A short description of the theme. At most 200 characters. */
  description: string;
  /** The text color, #RRGGBB. At most 7 characters. */
  textColor: string;
  /** The link color, #RRGGBB. At most 7 characters. */
  accentColor: string;
  /** The background color, #RRGGBB. At most 7 characters. */
  backgroundColor: string;
}

/** A stored content block. Blocks other than text and link can lack fields, or have values that the page ignores. */
export type Block =
  | LinkBlock
  | TextBlock
  | HeadingBlock
  | SocialBlock
  | ImageBlock
  | GalleryBlock
  | ContactBlock
  | ContactFormBlock
  | MetricBlock
  | EventBlock
  | CountdownBlock
  | QuoteBlock
  | FaqBlock
  | CodeBlock
  | KeyBlock
  | EmbedBlock
  | QrBlock
  | DividerBlock
  | PageBlock
  | OtherBlock;

/** The site details to change. Omitted fields stay unchanged; null clears a field, except `blocks`; so does an empty string in `avatar_url` and `theme_id`. */
export interface UpdateSiteConfigurationRequest {
  /** Site description. At most 4,000 characters. Example: `'Potter in Lisbon.'` */
  bio?: string | null | undefined;
  /** The page's title. Any text, independent of the account's display name. At most 200 characters. Example: `"Jane's pots"` */
  display_name?: string | null | undefined;
  /** Location shown on the site. At most 200 characters. Example: `'Lisbon'` */
  location?: string | null | undefined;
  /** A mood emoji or a string. At most 200 characters. Example: `'🌞'` */
  mood?: string | null | undefined;
  /** The URL of the avatar image: absolute, http or https, without credentials. An empty string clears it. At most 2,048 characters. Example: `'https://example.com/jane.png'` */
  avatar_url?: string | null | undefined;
  /** The id of a preset theme. If empty or null, the page uses `custom_theme`. Their names, in this order: Paper, Daylight, Meadow, Blossom, Midnight, Ember, Terminal, and the server's own if it is the first of `availableThemes`. Example: `'5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a01'` */
  theme_id?:
    | '5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a01'
    | '5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a02'
    | '5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a03'
    | '5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a04'
    | '5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a05'
    | '5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a06'
    | '5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a07'
    | '5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a00'
    | ''
    | OtherValue
    | null
    | undefined;
  /** A custom theme, which replaces the stored one as a whole. The page uses it only if no `theme_id` is set. */
  custom_theme?: CustomThemeUpdate | null | undefined;
  /** All content blocks in display order; those not in the list are deleted. At most 101: 100 blocks and one with page settings. Together, they have at most 983,040 bytes of JSON without ids, and 9,000 keys and values. Each has at most 16,384 bytes besides `id`, `type`, `enabled`, `content` and `url`. */
  blocks?: BlockUpdate[] | undefined;
}

/** The custom theme to store. Unknown keys are ignored. */
export interface CustomThemeUpdate {
  /** The page background, #RRGGBB. At most 7 characters. Example: `'#101418'` */
  background_color?: string | undefined;
  /** Headings and buttons, #RRGGBB. At most 7 characters. Example: `'#FFD166'` */
  primary_color?: string | undefined;
  /** Text, #RRGGBB. At most 7 characters. Example: `'#F5F5F5'` */
  text_color?: string | undefined;
  /** Links, #RRGGBB. At most 7 characters. Example: `'#06D6A0'` */
  accent_color?: string | undefined;
  /** A font family name. The page includes Caveat, Inter, JetBrains Mono, Lora, Nunito, Playfair Display, Space Grotesk; other fonts appear only for visitors who have them installed. At most 100 characters. Example: `'Open Sans'` */
  font_family?: string | undefined;
}

/** A content block to store. The server checks `id` (each once), `type`, `enabled`, `content` and `url`, none of which can be null, and that a `text` has `content` and a `link` a `url`. Other fields can have any value; a block that lacks one that its kind requires is stored but not shown, and `X-Ignored-Fields` names it. */
export type BlockUpdate =
  | LinkBlockUpdate
  | TextBlockUpdate
  | HeadingBlockUpdate
  | SocialBlockUpdate
  | ImageBlockUpdate
  | GalleryBlockUpdate
  | ContactBlockUpdate
  | ContactFormBlockUpdate
  | MetricBlockUpdate
  | EventBlockUpdate
  | CountdownBlockUpdate
  | QuoteBlockUpdate
  | FaqBlockUpdate
  | CodeBlockUpdate
  | KeyBlockUpdate
  | EmbedBlockUpdate
  | QrBlockUpdate
  | DividerBlockUpdate
  | PageBlockUpdate
  | OtherBlockUpdate;

/** The site was updated. */
export interface UpdateSiteConfigurationResponse {
  /** Always true. */
  success: true;
}

/** The visibility of the site. */
export interface SiteStatusResponse {
  /** Whether the site is publicly visible. */
  enabled: boolean;
}

/** The new visibility of the site. */
export interface ToggleSiteVisibilityResponse {
  /** Always true. */
  success: true;
  /** Whether the site is publicly visible now. */
  newStatus: boolean;
}

/** The forwarding setting. */
export interface EmailForwardingToggleRequest {
  /** Whether to forward mail sent to the display-name address. */
  enabled: boolean;
  /** One plain email address; special-use domains such as `internal` or `example` are refused. Optional when turning forwarding off, or if an address is already stored. 1 to 254 characters. Example: `'jane@example.com'` */
  email?: string | null | undefined;
}

/** The forwarding setting after the change. */
export interface EmailForwardingToggleResponse {
  /** Always true. */
  success: true;
  /** The result, as one sentence. At most 4,096 characters. Example: `'Mail to jane-doe@club.example is forwarded to jane@example.com.'` */
  message: string;
  /** Whether forwarding is turned on. */
  enabled: boolean;
  /** The stored destination, or the one that waits for confirmation. It is kept while forwarding is off. At most 254 characters. Example: `'jane@example.com'` */
  email: string | null;
}

/** The projects of the account. */
export interface ProjectsResponse {
  /** The projects, oldest first. */
  projects: Project[];
}

/** A project that metrics can be sent to. */
export interface Project {
  /** The id of the project, to send as `projectId`, or as `project_id` in the owner API. At most 36 characters. Format: uuid. Example: `'3f0c6a0e-6b57-4f0b-9a51-8a2d1f0e7c11'` */
  id: string;
  /** The name of the project. At most 200 characters. Example: `'Shop'` */
  name: string;
  /** When the project was created (ISO 8601, UTC). At most 30 characters. Format: date-time. Example: `'2026-01-31T09:30:00.000Z'` */
  created_at: string;
}

/** The metric to submit. */
export interface IngestMetricsRequest {
  /** The id of one of your projects (`getProjects`). Example: `'3f0c6a0e-6b57-4f0b-9a51-8a2d1f0e7c11'` */
  projectId: string;
  /** Any JSON object, nested at most 64 levels deep. The whole body has at most 10,000 keys and values. Integers beyond ±(2^53 - 1) that would be rounded, such as nanoseconds since 1970, are refused: send them as strings. */
  payload: MetricPayload;
}

/** Any JSON object, nested at most 64 levels deep. The whole body has at most 10,000 keys and values. Integers beyond ±(2^53 - 1) that would be rounded, such as nanoseconds since 1970, are refused: send them as strings. */
export interface MetricPayload {
  [key: string]: unknown;
}

/** The metric was stored. */
export interface IngestMetricsResponse {
  /** The result, as one sentence. At most 4,096 characters. Example: `'The metric was ingested.'` */
  message: string;
}

/** A message to send. */
export interface SendChatWebhookRequest {
  /** The full Discord webhook URL: `https://discord.com/api/webhooks/ID/TOKEN`, also at `discordapp.com`. Its query may have `thread_id`, `with_components` and `wait`, once each; the server always sends `wait=true`. At most 2,048 characters. Example: `'https://discord.com/api/webhooks/1234567890/your-webhook-token'` */
  webhookUrl: string;
  /** A message with content or at least one embed; all keys are passed on to Discord. Send integers beyond ±(2^53 - 1), such as ids, as strings. */
  payload: ChatMessage;
}

/** A message with content or at least one embed; all keys are passed on to Discord. Send integers beyond ±(2^53 - 1), such as ids, as strings. */
export type ChatMessage = ChatMessageWithContent | ChatMessageWithEmbeds;

/** An embed. All keys are passed on to Discord. */
export interface Embed {
  /** The title of the embed. At most 256 characters, not counting white space around it. Example: `'Release 1.2'` */
  title?: string | null | undefined;
  /** The text of the embed. At most 4,096 characters, not counting white space around it. Example: `'Now with themes.'` */
  description?: string | null | undefined;
  /** Short texts, each with a heading. At most 25 entries. */
  fields?: EmbedField[] | null | undefined;
  /** The footer of the embed. */
  footer?: EmbedFooter | null | undefined;
  /** The author of the embed. */
  author?: EmbedAuthor | null | undefined;
  [key: string]: unknown;
}

/** A field of an embed. */
export interface EmbedField {
  /** The heading of the field. At most 256 characters, not counting white space around it. */
  name?: string | null | undefined;
  /** The text. At most 1,024 characters, not counting white space around it. */
  value?: string | null | undefined;
  [key: string]: unknown;
}

/** The footer of an embed. */
export interface EmbedFooter {
  /** The text. At most 2,048 characters, not counting white space around it. */
  text?: string | null | undefined;
  [key: string]: unknown;
}

/** The author of an embed. */
export interface EmbedAuthor {
  /** The name. At most 256 characters, not counting white space around it. */
  name?: string | null | undefined;
  [key: string]: unknown;
}

/** The message that was sent or edited. */
export interface ChatWebhookResponse {
  /** Always true. */
  success: true;
  /** The result, as one sentence. At most 4,096 characters. Example: `'The message was sent.'` */
  message: string;
  /** The id of the message. Use it as `messageId` to edit the message. At most 20 characters. Example: `'1105936272348135426'` */
  messageId: string;
}

/** A message to edit. */
export interface EditChatWebhookRequest {
  /** The full Discord webhook URL: `https://discord.com/api/webhooks/ID/TOKEN`, also at `discordapp.com`. Its query may have `thread_id`, `with_components` and `wait`, once each; the server always sends `wait=true`. At most 2,048 characters. Example: `'https://discord.com/api/webhooks/1234567890/your-webhook-token'` */
  webhookUrl: string;
  /** The id of the message to edit, as returned by the request that sent it. At most 20 characters. Example: `'1105936272348135426'` */
  messageId: string;
  /** A message with content or at least one embed; all keys are passed on to Discord. Send integers beyond ±(2^53 - 1), such as ids, as strings. */
  payload: ChatMessage;
}

/** The fields of every ChatMessage. */
export interface BaseChatMessage {
  /** The text of the message. At most 2,000 characters, not counting white space around it. Example: `'Hello from Nameplate!'` */
  content?: string | null | undefined;
  /** Rich content. All texts in all embeds together can have at most 6,000 characters. At most 10 entries. */
  embeds?: Embed[] | null | undefined;
  [key: string]: unknown;
}

/** A message with text and, optionally, embeds. */
export interface ChatMessageWithContent extends BaseChatMessage {
  /** The text of the message. At most 2,000 characters, not counting white space around it. At least 1 character. Example: `'Hello from Nameplate!'` */
  content: string;
  [key: string]: unknown;
}

/** A message with at least one embed and, optionally, text. */
export interface ChatMessageWithEmbeds extends BaseChatMessage {
  /** Rich content. All texts in all embeds together can have at most 6,000 characters. 1 to 10 entries. */
  embeds: Embed[];
  [key: string]: unknown;
}

/** The fields of every Block. */
export interface BaseBlock {
  /** The id of the block. At most 36 characters. Format: uuid. Example: `'0b7c2f4e-2f6a-4b3e-8c7d-5a1e9d3f6b20'` */
  id: string;
  /** The block type: `text` needs `content`, and `link` needs `url`. Blocks of other types are stored unchanged. At most 32 characters. Example: `'text'` */
  type: string;
  /** Whether the block is shown. */
  enabled: boolean;
  /** The text, in kinds that have one; in a link, event or countdown, used if there is no title. At most 10,000 characters. Example: `'Hello!'` */
  content?: string | undefined;
  /** The link target, in kinds that have one. At most 2,048 characters. Example: `'https://example.com'` */
  url?: string | undefined;
}

/** A button that opens a page, an email, a call or a chat. */
export interface LinkBlock extends BaseBlock {
  type: 'link';
  /** Address: an absolute http or https URL without credentials, or a mailto, tel, sms, xmpp, matrix or geo URL. At most 2,048 characters. Example: `'https://example.com/shop'` */
  url: string;
  /** Title. `label` or `content` also works, unless `title` is sent. Example: `'My shop'` */
  title?: string | undefined;
  /** Description. Example: `'Mugs, bowls and vases'` */
  description?: string | undefined;
  /** Icon: a name that `/docs/site-blocks.md` lists, one to three emoji, or none. Default: the icon of the linked service. Example: `'github'` */
  icon?: string | undefined;
  /** Picture: an absolute http or https URL without credentials. Shown instead of the icon; large if the link is featured. Example: `'https://example.com/mugs.jpg'` */
  picture?: string | undefined;
  /** Feature this link. The theme makes the link stand out. Default: false. */
  featured?: boolean | undefined;
  /** Half width. Default: false. */
  half?: boolean | undefined;
  /** Show it as mine on Mastodon. The link has `rel="me"`, so a Mastodon profile that links to this page shows it as verified. Default: `true` */
  me?: boolean | undefined;
  /** Show from: ISO 8601, in UTC unless it has an offset; a date alone means the whole day. Example: `'2026-11-01'` */
  from?: string | undefined;
  /** Show until: ISO 8601, in UTC unless it has an offset; a date alone means the whole day. Not before `from`. Example: `'2026-12-24T18:00'` */
  until?: string | undefined;
  /** Width on wide screens. Blocks in a row grow until they fill it. Default: `'auto'` */
  size?: 'auto' | 'third' | 'half' | 'full' | OtherValue | undefined;
}

/** A paragraph, with bold, lists and links if you like (Markdown). */
export interface TextBlock extends BaseBlock {
  type: 'text';
  /** Text. Markdown: *emphasis*, [links](https://…), lists, quotes. At most 10,000 characters. Example: `'Potter in *Lisbon*.'` */
  content: string;
  /** Width on wide screens. Blocks in a row grow until they fill it. Default: `'auto'` */
  size?: 'auto' | 'third' | 'half' | 'full' | OtherValue | undefined;
}

/** A title for the blocks below it. */
export interface HeadingBlock extends BaseBlock {
  type: 'heading';
  /** Heading. `title` also works, unless `content` is sent. At most 10,000 characters. Example: `'My work'` */
  content: string | undefined;
}

/** A row of icons: Instagram, GitHub, Mastodon and more. */
export interface SocialBlock extends BaseBlock {
  type: 'social';
  /** Links. At most 50 entries. */
  items:
    | {
        /** Name. `title` also works, unless `label` is sent. Example: `'GitHub'` */
        label?: string | undefined;
        /** Address: an absolute http or https URL without credentials, or a mailto, tel, sms, xmpp, matrix or geo URL. Example: `'https://github.com/jane-doe'` */
        url: string;
        /** Icon: a name that `/docs/site-blocks.md` lists, one to three emoji, or none. Default: the icon of the linked service. Example: `'github'` */
        icon?: string | undefined;
        /** Show it as mine on Mastodon. The link has `rel="me"`, so a Mastodon profile that links to this page shows it as verified. Default: `true` */
        me?: boolean | undefined;
      }[]
    | undefined;
}

/** A photo, with a caption if you like. */
export interface ImageBlock extends BaseBlock {
  type: 'image';
  /** Picture: an absolute http or https URL without credentials. At most 2,048 characters. Example: `'https://example.com/mugs.jpg'` */
  url: string | undefined;
  /** Alt text. What the picture shows, for people who cannot see it. Example: `'Three blue mugs'` */
  alt?: string | undefined;
  /** Caption. Below the picture. Example: `'Fresh from the kiln'` */
  caption?: string | undefined;
  /** Link: an absolute http or https URL without credentials. Where a click on the image leads. Example: `'https://example.com/shop'` */
  link?: string | undefined;
  /** Width in pixels. Ignored without `height`. 1 to 10,000. Example: `1200` */
  width?: number | undefined;
  /** Height in pixels. Ignored without `width`. 1 to 10,000. Example: `800` */
  height?: number | undefined;
  /** Width on wide screens. Blocks in a row grow until they fill it. Default: `'auto'` */
  size?: 'auto' | 'third' | 'half' | 'full' | OtherValue | undefined;
}

/** Several photos in rows. None is cropped. */
export interface GalleryBlock extends BaseBlock {
  type: 'gallery';
  /** Pictures. At most 50 entries. */
  items:
    | {
        /** Picture: an absolute http or https URL without credentials. Example: `'https://example.com/mugs.jpg'` */
        url: string;
        /** Alt text. What the picture shows, for people who cannot see it. Example: `'Three blue mugs'` */
        alt?: string | undefined;
        /** Caption. Below the picture. Example: `'Fresh from the kiln'` */
        caption?: string | undefined;
      }[]
    | undefined;
  /** Width on wide screens. Blocks in a row grow until they fill it. Default: `'auto'` */
  size?: 'auto' | 'third' | 'half' | 'full' | OtherValue | undefined;
}

/** Email, phone and address. */
export interface ContactBlock extends BaseBlock {
  type: 'contact';
  /** Email. Example: `'jane@example.com'` */
  email?: string | undefined;
  /** Phone. Example: `'+351 21 000 0000'` */
  phone?: string | undefined;
  /** Postal address. Example: `'Rua das Flores 1\n1200-192 Lisbon'` */
  address?: string | undefined;
  /** Show my forwarding address. Only while forwarding is on. Default: false. */
  forwarding?: boolean | undefined;
  /** Width on wide screens. Blocks in a row grow until they fill it. Default: `'auto'` */
  size?: 'auto' | 'third' | 'half' | 'full' | OtherValue | undefined;
}

/** Visitors write to you. Your address stays hidden until you reply. */
export interface ContactFormBlock extends BaseBlock {
  type: 'contact_form';
  /** Title. Example: `'Write to me'` */
  title?: string | undefined;
  /** Button. Default: Send. Example: `'Send'` */
  button?: string | undefined;
  /** Fields. Visitors fill them in above the message. At most 10 entries. */
  fields?:
    | {
        /** Label. Example: `'Boat'` */
        label: string;
        /** Kind. Example: `'choice'` Default: `'line'` */
        type?: 'line' | 'number' | 'choice' | 'tick' | OtherValue | undefined;
        /** Required. Default: false. */
        required?: boolean | undefined;
        /** Options. One per line. Ignored unless `type` is `choice`, which needs it. Example: `'Laser\nOptimist'` */
        options?: string | undefined;
      }[]
    | undefined;
}

/** A live number from a project, at most a minute old. */
export interface MetricBlock extends BaseBlock {
  type: 'metric';
  /** Project: the id of one of your projects. Example: `'3f0c6a0e-6b57-4f0b-9a51-8a2d1f0e7c11'` */
  project: string | undefined;
  /** Title. Example: `'My shop'` */
  title?: string | undefined;
  /** Field. Without one, metrics are counted. Example: `'orders.total'` */
  field?: string | undefined;
  /** Calculation. Ignored without `field`. */
  aggregate?: 'sum' | 'avg' | 'min' | 'max' | 'last' | 'count' | OtherValue | undefined;
  /** Days. 1 to 90. Default: `30` */
  days?: number | undefined;
  /** Display. */
  display?: 'sparkline' | 'bars' | 'number' | OtherValue | undefined;
  /** Width on wide screens. Blocks in a row grow until they fill it. Default: `'auto'` */
  size?: 'auto' | 'third' | 'half' | 'full' | OtherValue | undefined;
}

/** A date with time and place. */
export interface EventBlock extends BaseBlock {
  type: 'event';
  /** Title. `content` also works, unless `title` is sent. Example: `'Open studio'` */
  title: string | undefined;
  /** Starts: ISO 8601, in the `time_zone` of the block (or UTC) unless it has an offset; a date alone means the whole day. Events below one another are sorted by date. Example: `'2026-12-05T14:00'` */
  starts_at: string | undefined;
  /** Ends: ISO 8601, in the `time_zone` of the block (or UTC) unless it has an offset; a date alone means the whole day. Not before `starts_at`. Example: `'2026-12-05T18:00'` */
  ends_at?: string | undefined;
  /** Repeats. Example: `'weekly'` Default: `'never'` */
  repeats?:
    | 'never'
    | 'weekly'
    | 'two_weeks'
    | 'monthly'
    | 'monthly_weekday'
    | 'yearly'
    | OtherValue
    | undefined;
  /** Repeats until: a date without a time. The last day on which it can start. Ignored unless it repeats. Not before `starts_at`. Example: `'2027-06-30'` */
  repeats_until?: string | undefined;
  /** Holidays and other exceptions. Days on which it does not take place. Ignored unless it repeats. At most 60 entries. */
  repeats_except?: string[] | undefined;
  /** Time zone. The page shows this zone. Example: `'Europe/Lisbon'` Default: `'UTC'` */
  time_zone?: string | undefined;
  /** Place. Example: `'Lisbon'` */
  location?: string | undefined;
  /** Link: an absolute http or https URL without credentials. At most 2,048 characters. Example: `'https://example.com/studio'` */
  url?: string | undefined;
  /** Width on wide screens. Blocks in a row grow until they fill it. Default: `'auto'` */
  size?: 'auto' | 'third' | 'half' | 'full' | OtherValue | undefined;
}

/** Days until a date, or since then. */
export interface CountdownBlock extends BaseBlock {
  type: 'countdown';
  /** Title. `content` also works, unless `title` is sent. Example: `'Christmas market'` */
  title?: string | undefined;
  /** Until: ISO 8601, in the `time_zone` of the block (or UTC) unless it has an offset; a date alone means the whole day. `ends_at` also works, unless `starts_at` is sent. Example: `'2026-12-24T18:00'` */
  starts_at: string | undefined;
  /** Time zone. The page shows this zone. Example: `'Europe/Lisbon'` Default: `'UTC'` */
  time_zone?: string | undefined;
  /** Width on wide screens. Blocks in a row grow until they fill it. Default: `'auto'` */
  size?: 'auto' | 'third' | 'half' | 'full' | OtherValue | undefined;
}

/** A quote and who said it. */
export interface QuoteBlock extends BaseBlock {
  type: 'quote';
  /** Quote. At most 10,000 characters. Example: `'Her mugs outlive us all.'` */
  content: string | undefined;
  /** Source. Example: `'Lisbon Weekly'` */
  cite?: string | undefined;
  /** Width on wide screens. Blocks in a row grow until they fill it. Default: `'auto'` */
  size?: 'auto' | 'third' | 'half' | 'full' | OtherValue | undefined;
}

/** Questions whose answers open with a click. */
export interface FaqBlock extends BaseBlock {
  type: 'faq';
  /** Question. Ignored without `content` or `answer`. `question` also works, unless `title` is sent. Example: `'Do you ship?'` */
  title?: string | undefined;
  /** Answer. Ignored without `title` or `question`. `answer` also works, unless `content` is sent. At most 10,000 characters. Example: `'Yes, to all of Europe.'` */
  content?: string | undefined;
  /** More questions. At most 50 entries. */
  items?:
    | {
        /** Question. `title` also works, unless `question` is sent. Example: `'Do you ship?'` */
        question: string;
        /** Answer. `content` also works, unless `answer` is sent. Example: `'Yes, to all of Europe.'` */
        answer: string;
      }[]
    | undefined;
  /** Width on wide screens. Blocks in a row grow until they fill it. Default: `'auto'` */
  size?: 'auto' | 'third' | 'half' | 'full' | OtherValue | undefined;
}

/** Code or a command. */
export interface CodeBlock extends BaseBlock {
  type: 'code';
  /** Title. Example: `'My shop'` */
  title?: string | undefined;
  /** Language. Shown if there is no title. Example: `'sh'` */
  language?: string | undefined;
  /** Code. At most 10,000 characters. Example: `'npm install @nameplate/client'` */
  content: string | undefined;
  /** Width on wide screens. Blocks in a row grow until they fill it. Default: `'auto'` */
  size?: 'auto' | 'third' | 'half' | 'full' | OtherValue | undefined;
}

/** A public key or fingerprint that opens with a click. */
export interface KeyBlock extends BaseBlock {
  type: 'key';
  /** Kind. `title` also works, unless `kind` is sent. Example: `'SSH'` */
  kind?: string | undefined;
  /** Key. At most 10,000 characters. Example: `'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI jane-doe'` */
  content: string | undefined;
}

/** A video, song, post or map. It loads when a visitor opens it. */
export interface EmbedBlock extends BaseBlock {
  type: 'embed';
  /** Address: an absolute http or https URL without credentials. At most 2,048 characters. Example: `'https://www.youtube.com/watch?v=aqz-KE-bpKQ'` */
  url: string | undefined;
  /** Title. Example: `'My shop'` */
  title?: string | undefined;
  /** Open it at once. Visitors then load it with your page. Default: false. */
  inline?: boolean | undefined;
  /** Width on wide screens. Blocks in a row grow until they fill it. Default: `'auto'` */
  size?: 'auto' | 'third' | 'half' | 'full' | OtherValue | undefined;
}

/** A QR code for your page or another address. */
export interface QrBlock extends BaseBlock {
  type: 'qr';
  /** Address: an absolute http or https URL without credentials. Without one, the address of your page. At most 2,048 characters. Example: `'https://example.com/shop'` */
  url?: string | undefined;
  /** Title. `label` also works, unless `title` is sent. Example: `'My shop'` */
  title?: string | undefined;
  /** Width on wide screens. Blocks in a row grow until they fill it. Default: `'auto'` */
  size?: 'auto' | 'third' | 'half' | 'full' | OtherValue | undefined;
}

/** A line between blocks. */
export interface DividerBlock extends BaseBlock {
  type: 'divider';
}

/** Page settings. Only the first enabled block of this type is used; it is not visible. */
export interface PageBlock extends BaseBlock {
  type: 'page';
  /** Language: a tag such as en or pt-BR. Example: `'pt-BR'` Default: `'en'` */
  lang?: string | undefined;
  /** Pronouns. Example: `'she/her'` */
  pronouns?: string | undefined;
  /** Fediverse account. For example @jane@social.example. Example: `'@jane@social.example'` */
  fediverse?: string | undefined;
  /** Bluesky DID. Makes your own domain your Bluesky handle. Example: `'did:plc:z72i7hdynmk6r22z27h6tvur'` */
  bluesky?: string | undefined;
  /** Search engines may list the page. Default: `true` */
  indexing?: boolean | undefined;
  /** Look. */
  look?: 'theme' | 'gallery' | 'citrus' | 'velvet' | 'notebook' | OtherValue | undefined;
  /** Fonts. */
  fonts?:
    | 'theme'
    | 'system'
    | 'inter'
    | 'grotesk'
    | 'playfair'
    | 'lora'
    | 'nunito'
    | 'caveat'
    | 'mono'
    | OtherValue
    | undefined;
  /** Buttons. */
  buttons?:
    | 'theme'
    | 'filled'
    | 'outline'
    | 'soft'
    | 'shadow'
    | 'underline'
    | OtherValue
    | undefined;
  /** Corners. */
  corners?: 'theme' | 'square' | 'round' | 'pill' | OtherValue | undefined;
  /** Background. */
  background?: 'theme' | 'solid' | 'gradient' | 'pattern' | 'picture' | OtherValue | undefined;
  /** Background picture: an absolute http or https URL without credentials. Veiled, so that text stays readable. Example: `'https://example.com/studio.jpg'` */
  background_picture?: string | undefined;
  /** Layout. */
  layout?: 'theme' | 'centered' | 'left' | 'columns' | OtherValue | undefined;
  /** Avatar. */
  avatar?: 'theme' | 'circle' | 'square' | 'blob' | 'cover' | 'none' | OtherValue | undefined;
  /** Spacing. */
  density?: 'theme' | 'compact' | 'relaxed' | OtherValue | undefined;
}

/** A block of another kind, or one whose fields do not match its kind. */
export interface OtherBlock extends BaseBlock {
  /** The block type: `text` needs `content`, and `link` needs `url`. Blocks of other types are stored unchanged. At most 32 characters. Example: `'poll'` */
  type: OtherKind;
  [key: string]: unknown;
}

/** The fields of every BlockUpdate. */
export interface BaseBlockUpdate {
  /** The block id. Default: a new UUID. At most 36 characters. Format: uuid. Example: `'0b7c2f4e-2f6a-4b3e-8c7d-5a1e9d3f6b20'` */
  id?: string | undefined;
  /** The block type: `text` needs `content`, and `link` needs `url`. Blocks of other types are stored unchanged. At most 32 characters. Example: `'text'` */
  type: string;
  /** Whether the block is shown. Default: `true` */
  enabled?: boolean | undefined;
  /** The text, in kinds that have one; in a link, event or countdown, used if there is no title. At most 10,000 characters. Example: `'Hello!'` */
  content?: string | undefined;
  /** The link target, in kinds that have one: an http or https URL; in a link block also mailto, tel, sms, xmpp, matrix or geo. At most 2,048 characters. Example: `'https://example.com'` */
  url?: string | undefined;
}

/** A button that opens a page, an email, a call or a chat. */
export interface LinkBlockUpdate extends BaseBlockUpdate {
  type: 'link';
  /** Address: an absolute http or https URL without credentials, or a mailto, tel, sms, xmpp, matrix or geo URL. At most 2,048 characters. Example: `'https://example.com/shop'` */
  url: string;
  /** Title. `label` or `content` also works, unless `title` is sent. Example: `'My shop'` */
  title?: string | undefined;
  /** Description. Example: `'Mugs, bowls and vases'` */
  description?: string | undefined;
  /** Icon: a name that `/docs/site-blocks.md` lists, one to three emoji, or none. Default: the icon of the linked service. Example: `'github'` */
  icon?: string | undefined;
  /** Picture: an absolute http or https URL without credentials. Shown instead of the icon; large if the link is featured. Example: `'https://example.com/mugs.jpg'` */
  picture?: string | undefined;
  /** Feature this link. The theme makes the link stand out. Default: false. */
  featured?: boolean | undefined;
  /** Half width. Default: false. */
  half?: boolean | undefined;
  /** Show it as mine on Mastodon. The link has `rel="me"`, so a Mastodon profile that links to this page shows it as verified. Default: `true` */
  me?: boolean | undefined;
  /** Show from: ISO 8601, in UTC unless it has an offset; a date alone means the whole day. Example: `'2026-11-01'` */
  from?: string | undefined;
  /** Show until: ISO 8601, in UTC unless it has an offset; a date alone means the whole day. Not before `from`. Example: `'2026-12-24T18:00'` */
  until?: string | undefined;
  /** Width on wide screens. Blocks in a row grow until they fill it. Default: `'auto'` */
  size?: 'auto' | 'third' | 'half' | 'full' | OtherValue | undefined;
}

/** A paragraph, with bold, lists and links if you like (Markdown). */
export interface TextBlockUpdate extends BaseBlockUpdate {
  type: 'text';
  /** Text. Markdown: *emphasis*, [links](https://…), lists, quotes. At most 10,000 characters. Example: `'Potter in *Lisbon*.'` */
  content: string;
  /** Width on wide screens. Blocks in a row grow until they fill it. Default: `'auto'` */
  size?: 'auto' | 'third' | 'half' | 'full' | OtherValue | undefined;
}

/** A title for the blocks below it. */
export interface HeadingBlockUpdate extends BaseBlockUpdate {
  type: 'heading';
  /** Heading. `title` also works, unless `content` is sent. At most 10,000 characters. Example: `'My work'` */
  content: string | undefined;
}

/** A row of icons: Instagram, GitHub, Mastodon and more. */
export interface SocialBlockUpdate extends BaseBlockUpdate {
  type: 'social';
  /** Links. At most 50 entries. */
  items:
    | {
        /** Name. `title` also works, unless `label` is sent. Example: `'GitHub'` */
        label?: string | undefined;
        /** Address: an absolute http or https URL without credentials, or a mailto, tel, sms, xmpp, matrix or geo URL. Example: `'https://github.com/jane-doe'` */
        url: string;
        /** Icon: a name that `/docs/site-blocks.md` lists, one to three emoji, or none. Default: the icon of the linked service. Example: `'github'` */
        icon?: string | undefined;
        /** Show it as mine on Mastodon. The link has `rel="me"`, so a Mastodon profile that links to this page shows it as verified. Default: `true` */
        me?: boolean | undefined;
      }[]
    | undefined;
}

/** A photo, with a caption if you like. */
export interface ImageBlockUpdate extends BaseBlockUpdate {
  type: 'image';
  /** Picture: an absolute http or https URL without credentials. At most 2,048 characters. Example: `'https://example.com/mugs.jpg'` */
  url: string | undefined;
  /** Alt text. What the picture shows, for people who cannot see it. Example: `'Three blue mugs'` */
  alt?: string | undefined;
  /** Caption. Below the picture. Example: `'Fresh from the kiln'` */
  caption?: string | undefined;
  /** Link: an absolute http or https URL without credentials. Where a click on the image leads. Example: `'https://example.com/shop'` */
  link?: string | undefined;
  /** Width in pixels. Ignored without `height`. 1 to 10,000. Example: `1200` */
  width?: number | undefined;
  /** Height in pixels. Ignored without `width`. 1 to 10,000. Example: `800` */
  height?: number | undefined;
  /** Width on wide screens. Blocks in a row grow until they fill it. Default: `'auto'` */
  size?: 'auto' | 'third' | 'half' | 'full' | OtherValue | undefined;
}

/** Several photos in rows. None is cropped. */
export interface GalleryBlockUpdate extends BaseBlockUpdate {
  type: 'gallery';
  /** Pictures. At most 50 entries. */
  items:
    | {
        /** Picture: an absolute http or https URL without credentials. Example: `'https://example.com/mugs.jpg'` */
        url: string;
        /** Alt text. What the picture shows, for people who cannot see it. Example: `'Three blue mugs'` */
        alt?: string | undefined;
        /** Caption. Below the picture. Example: `'Fresh from the kiln'` */
        caption?: string | undefined;
      }[]
    | undefined;
  /** Width on wide screens. Blocks in a row grow until they fill it. Default: `'auto'` */
  size?: 'auto' | 'third' | 'half' | 'full' | OtherValue | undefined;
}

/** Email, phone and address. */
export interface ContactBlockUpdate extends BaseBlockUpdate {
  type: 'contact';
  /** Email. Example: `'jane@example.com'` */
  email?: string | undefined;
  /** Phone. Example: `'+351 21 000 0000'` */
  phone?: string | undefined;
  /** Postal address. Example: `'Rua das Flores 1\n1200-192 Lisbon'` */
  address?: string | undefined;
  /** Show my forwarding address. Only while forwarding is on. Default: false. */
  forwarding?: boolean | undefined;
  /** Width on wide screens. Blocks in a row grow until they fill it. Default: `'auto'` */
  size?: 'auto' | 'third' | 'half' | 'full' | OtherValue | undefined;
}

/** Visitors write to you. Your address stays hidden until you reply. */
export interface ContactFormBlockUpdate extends BaseBlockUpdate {
  type: 'contact_form';
  /** Title. Example: `'Write to me'` */
  title?: string | undefined;
  /** Button. Default: Send. Example: `'Send'` */
  button?: string | undefined;
  /** Fields. Visitors fill them in above the message. At most 10 entries. */
  fields?:
    | {
        /** Label. Example: `'Boat'` */
        label: string;
        /** Kind. Example: `'choice'` Default: `'line'` */
        type?: 'line' | 'number' | 'choice' | 'tick' | OtherValue | undefined;
        /** Required. Default: false. */
        required?: boolean | undefined;
        /** Options. One per line. Ignored unless `type` is `choice`, which needs it. Example: `'Laser\nOptimist'` */
        options?: string | undefined;
      }[]
    | undefined;
}

/** A live number from a project, at most a minute old. */
export interface MetricBlockUpdate extends BaseBlockUpdate {
  type: 'metric';
  /** Project: the id of one of your projects. Example: `'3f0c6a0e-6b57-4f0b-9a51-8a2d1f0e7c11'` */
  project: string | undefined;
  /** Title. Example: `'My shop'` */
  title?: string | undefined;
  /** Field. Without one, metrics are counted. Example: `'orders.total'` */
  field?: string | undefined;
  /** Calculation. Ignored without `field`. */
  aggregate?: 'sum' | 'avg' | 'min' | 'max' | 'last' | 'count' | OtherValue | undefined;
  /** Days. 1 to 90. Default: `30` */
  days?: number | undefined;
  /** Display. */
  display?: 'sparkline' | 'bars' | 'number' | OtherValue | undefined;
  /** Width on wide screens. Blocks in a row grow until they fill it. Default: `'auto'` */
  size?: 'auto' | 'third' | 'half' | 'full' | OtherValue | undefined;
}

/** A date with time and place. */
export interface EventBlockUpdate extends BaseBlockUpdate {
  type: 'event';
  /** Title. `content` also works, unless `title` is sent. Example: `'Open studio'` */
  title: string | undefined;
  /** Starts: ISO 8601, in the `time_zone` of the block (or UTC) unless it has an offset; a date alone means the whole day. Events below one another are sorted by date. Example: `'2026-12-05T14:00'` */
  starts_at: string | undefined;
  /** Ends: ISO 8601, in the `time_zone` of the block (or UTC) unless it has an offset; a date alone means the whole day. Not before `starts_at`. Example: `'2026-12-05T18:00'` */
  ends_at?: string | undefined;
  /** Repeats. Example: `'weekly'` Default: `'never'` */
  repeats?:
    | 'never'
    | 'weekly'
    | 'two_weeks'
    | 'monthly'
    | 'monthly_weekday'
    | 'yearly'
    | OtherValue
    | undefined;
  /** Repeats until: a date without a time. The last day on which it can start. Ignored unless it repeats. Not before `starts_at`. Example: `'2027-06-30'` */
  repeats_until?: string | undefined;
  /** Holidays and other exceptions. Days on which it does not take place. Ignored unless it repeats. At most 60 entries. */
  repeats_except?: string[] | undefined;
  /** Time zone. The page shows this zone. Example: `'Europe/Lisbon'` Default: `'UTC'` */
  time_zone?: string | undefined;
  /** Place. Example: `'Lisbon'` */
  location?: string | undefined;
  /** Link: an absolute http or https URL without credentials. At most 2,048 characters. Example: `'https://example.com/studio'` */
  url?: string | undefined;
  /** Width on wide screens. Blocks in a row grow until they fill it. Default: `'auto'` */
  size?: 'auto' | 'third' | 'half' | 'full' | OtherValue | undefined;
}

/** Days until a date, or since then. */
export interface CountdownBlockUpdate extends BaseBlockUpdate {
  type: 'countdown';
  /** Title. `content` also works, unless `title` is sent. Example: `'Christmas market'` */
  title?: string | undefined;
  /** Until: ISO 8601, in the `time_zone` of the block (or UTC) unless it has an offset; a date alone means the whole day. `ends_at` also works, unless `starts_at` is sent. Example: `'2026-12-24T18:00'` */
  starts_at: string | undefined;
  /** Time zone. The page shows this zone. Example: `'Europe/Lisbon'` Default: `'UTC'` */
  time_zone?: string | undefined;
  /** Width on wide screens. Blocks in a row grow until they fill it. Default: `'auto'` */
  size?: 'auto' | 'third' | 'half' | 'full' | OtherValue | undefined;
}

/** A quote and who said it. */
export interface QuoteBlockUpdate extends BaseBlockUpdate {
  type: 'quote';
  /** Quote. At most 10,000 characters. Example: `'Her mugs outlive us all.'` */
  content: string | undefined;
  /** Source. Example: `'Lisbon Weekly'` */
  cite?: string | undefined;
  /** Width on wide screens. Blocks in a row grow until they fill it. Default: `'auto'` */
  size?: 'auto' | 'third' | 'half' | 'full' | OtherValue | undefined;
}

/** Questions whose answers open with a click. */
export interface FaqBlockUpdate extends BaseBlockUpdate {
  type: 'faq';
  /** Question. Ignored without `content` or `answer`. `question` also works, unless `title` is sent. Example: `'Do you ship?'` */
  title?: string | undefined;
  /** Answer. Ignored without `title` or `question`. `answer` also works, unless `content` is sent. At most 10,000 characters. Example: `'Yes, to all of Europe.'` */
  content?: string | undefined;
  /** More questions. At most 50 entries. */
  items?:
    | {
        /** Question. `title` also works, unless `question` is sent. Example: `'Do you ship?'` */
        question: string;
        /** Answer. `content` also works, unless `answer` is sent. Example: `'Yes, to all of Europe.'` */
        answer: string;
      }[]
    | undefined;
  /** Width on wide screens. Blocks in a row grow until they fill it. Default: `'auto'` */
  size?: 'auto' | 'third' | 'half' | 'full' | OtherValue | undefined;
}

/** Code or a command. */
export interface CodeBlockUpdate extends BaseBlockUpdate {
  type: 'code';
  /** Title. Example: `'My shop'` */
  title?: string | undefined;
  /** Language. Shown if there is no title. Example: `'sh'` */
  language?: string | undefined;
  /** Code. At most 10,000 characters. Example: `'npm install @nameplate/client'` */
  content: string | undefined;
  /** Width on wide screens. Blocks in a row grow until they fill it. Default: `'auto'` */
  size?: 'auto' | 'third' | 'half' | 'full' | OtherValue | undefined;
}

/** A public key or fingerprint that opens with a click. */
export interface KeyBlockUpdate extends BaseBlockUpdate {
  type: 'key';
  /** Kind. `title` also works, unless `kind` is sent. Example: `'SSH'` */
  kind?: string | undefined;
  /** Key. At most 10,000 characters. Example: `'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI jane-doe'` */
  content: string | undefined;
}

/** A video, song, post or map. It loads when a visitor opens it. */
export interface EmbedBlockUpdate extends BaseBlockUpdate {
  type: 'embed';
  /** Address: an absolute http or https URL without credentials. At most 2,048 characters. Example: `'https://www.youtube.com/watch?v=aqz-KE-bpKQ'` */
  url: string | undefined;
  /** Title. Example: `'My shop'` */
  title?: string | undefined;
  /** Open it at once. Visitors then load it with your page. Default: false. */
  inline?: boolean | undefined;
  /** Width on wide screens. Blocks in a row grow until they fill it. Default: `'auto'` */
  size?: 'auto' | 'third' | 'half' | 'full' | OtherValue | undefined;
}

/** A QR code for your page or another address. */
export interface QrBlockUpdate extends BaseBlockUpdate {
  type: 'qr';
  /** Address: an absolute http or https URL without credentials. Without one, the address of your page. At most 2,048 characters. Example: `'https://example.com/shop'` */
  url?: string | undefined;
  /** Title. `label` also works, unless `title` is sent. Example: `'My shop'` */
  title?: string | undefined;
  /** Width on wide screens. Blocks in a row grow until they fill it. Default: `'auto'` */
  size?: 'auto' | 'third' | 'half' | 'full' | OtherValue | undefined;
}

/** A line between blocks. */
export interface DividerBlockUpdate extends BaseBlockUpdate {
  type: 'divider';
}

/** Page settings. Only the first enabled block of this type is used; it is not visible. */
export interface PageBlockUpdate extends BaseBlockUpdate {
  type: 'page';
  /** Language: a tag such as en or pt-BR. Example: `'pt-BR'` Default: `'en'` */
  lang?: string | undefined;
  /** Pronouns. Example: `'she/her'` */
  pronouns?: string | undefined;
  /** Fediverse account. For example @jane@social.example. Example: `'@jane@social.example'` */
  fediverse?: string | undefined;
  /** Bluesky DID. Makes your own domain your Bluesky handle. Example: `'did:plc:z72i7hdynmk6r22z27h6tvur'` */
  bluesky?: string | undefined;
  /** Search engines may list the page. Default: `true` */
  indexing?: boolean | undefined;
  /** Look. */
  look?: 'theme' | 'gallery' | 'citrus' | 'velvet' | 'notebook' | OtherValue | undefined;
  /** Fonts. */
  fonts?:
    | 'theme'
    | 'system'
    | 'inter'
    | 'grotesk'
    | 'playfair'
    | 'lora'
    | 'nunito'
    | 'caveat'
    | 'mono'
    | OtherValue
    | undefined;
  /** Buttons. */
  buttons?:
    | 'theme'
    | 'filled'
    | 'outline'
    | 'soft'
    | 'shadow'
    | 'underline'
    | OtherValue
    | undefined;
  /** Corners. */
  corners?: 'theme' | 'square' | 'round' | 'pill' | OtherValue | undefined;
  /** Background. */
  background?: 'theme' | 'solid' | 'gradient' | 'pattern' | 'picture' | OtherValue | undefined;
  /** Background picture: an absolute http or https URL without credentials. Veiled, so that text stays readable. Example: `'https://example.com/studio.jpg'` */
  background_picture?: string | undefined;
  /** Layout. */
  layout?: 'theme' | 'centered' | 'left' | 'columns' | OtherValue | undefined;
  /** Avatar. */
  avatar?: 'theme' | 'circle' | 'square' | 'blob' | 'cover' | 'none' | OtherValue | undefined;
  /** Spacing. */
  density?: 'theme' | 'compact' | 'relaxed' | OtherValue | undefined;
}

/** Any other block, including one whose fields do not match its kind. It is stored unchanged; send its real `type`, such as `poll`, not the `other` of the discriminator. */
export interface OtherBlockUpdate extends BaseBlockUpdate {
  /** The block type: `text` needs `content`, and `link` needs `url`. Blocks of other types are stored unchanged. At most 32 characters. Example: `'poll'` */
  type: OtherKind;
  [key: string]: unknown;
}
