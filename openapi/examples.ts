import { THEMES } from '../contract/themes.ts';
import type { Json, JsonObject } from './json.ts';
import type { OperationId } from './operation.ts';

/** One example: its name within the document, what it shows and the body. */
export interface Example {
  name: string;
  summary: string;
  value: Json;
}

interface OperationExamples {
  request?: Example;
  answer: Example;
  /** By status; the statuses that every endpoint answers alike are not here. */
  errors: Readonly<Record<number, readonly Example[]>>;
}

function error(name: string, summary: string, sentence: string): Example {
  return { name, summary, value: { error: sentence } };
}

const block: JsonObject = {
  id: '0b7c2f4e-2f6a-4b3e-8c7d-5a1e9d3f6b20',
  type: 'text',
  enabled: true,
  content: 'Hello!',
};
const projectId = '3f0c6a0e-6b57-4f0b-9a51-8a2d1f0e7c11';
const messageId = '1105936272348135426';
const webhookUrl = 'https://discord.com/api/webhooks/1105936272348135000/your-webhook-token';

const webhookErrors = [
  error(
    'WebhookUrlRefused',
    'The webhook URL is missing or is not one of the chat platform.',
    "The webhook URL is required and must be one of the chat platform's.",
  ),
  error(
    'MessageEmpty',
    'The message has neither content nor an embed.',
    'The payload must have content or at least one embed.',
  ),
];

/** What every operation is sent and answers, in realistic data. */
export const examples: Readonly<Record<OperationId, OperationExamples>> = {
  getDisplayName: {
    answer: {
      name: 'DisplayName',
      summary: 'The display name of the account.',
      value: { display_name: 'jane-doe' },
    },
    errors: {},
  },
  updateDisplayName: {
    request: {
      name: 'NewDisplayName',
      summary: 'A name that becomes jane-doe.',
      value: { display_name: 'Jane Doe' },
    },
    answer: {
      name: 'DisplayNameUpdated',
      summary: 'The name was free and is taken.',
      value: {
        success: true,
        message:
          'The display name is now jane-doe. Email forwarding was disabled and can be enabled again via the API or dashboard.',
      },
    },
    errors: {
      400: [
        error('DisplayNameMissing', 'No name was sent.', 'A display name is required.'),
        error(
          'DisplayNameTooShort',
          'Too little is left of the name.',
          'The display name must be at least 3 characters long: letters a-z, digits and hyphens count, hyphens at the ends do not.',
        ),
        error(
          'DisplayNameInvalid',
          'The name has letters that a display name cannot have.',
          'The display name is not valid. How about jos-doe?',
        ),
      ],
      404: [
        error(
          'ProfileNotFound',
          'The key is valid, but the profile is gone.',
          'The profile could not be found; the session may be stale.',
        ),
      ],
      409: [
        error(
          'DisplayNameReserved',
          'The name is on the list of reserved names.',
          'The display name admin is not available.',
        ),
        error(
          'DisplayNameTaken',
          'Another account has the name.',
          'The display name jane-doe is already taken.',
        ),
      ],
    },
  },
  getSiteConfiguration: {
    answer: {
      name: 'SiteConfiguration',
      summary: 'A site with a preset theme and one block.',
      value: {
        site: {
          bio: 'Potter in Lisbon.',
          avatar_url: 'https://example.com/jane.png',
          custom_theme: null,
          theme_id: THEMES[0].id,
          display_name: "Jane's pots",
          location: 'Lisbon',
          mood: '🌞',
          themes: THEMES[0],
        },
        blocks: [block],
        availableThemes: [...THEMES],
      },
    },
    errors: {},
  },
  updateSiteConfiguration: {
    request: {
      name: 'NewSiteConfiguration',
      summary: 'Some details, a theme of your own and two blocks.',
      value: {
        bio: 'Potter in Lisbon.',
        theme_id: null,
        custom_theme: {
          background_color: '#101418',
          primary_color: '#FFD166',
          text_color: '#F5F5F5',
          accent_color: '#06D6A0',
          font_family: 'Open Sans',
        },
        blocks: [block, { type: 'link', url: 'https://example.com', label: 'My shop' }],
      },
    },
    answer: {
      name: 'SiteConfigurationUpdated',
      summary: 'All of it is stored.',
      value: { success: true },
    },
    errors: {
      400: [
        error(
          'ThemeUnknown',
          'The theme is not one of the presets.',
          'theme_id must be the id of a preset theme, an empty string or null.',
        ),
      ],
      500: [
        error(
          'SiteDetailsFailed',
          'The details could not be stored.',
          'Failed to update site details.',
        ),
        error(
          'BlocksNotSaved',
          'The blocks could not be stored.',
          'Failed to save content blocks.',
        ),
        error(
          'BlocksNotRemoved',
          'The blocks that are not in the list could not be deleted.',
          'Failed to remove old content blocks.',
        ),
      ],
    },
  },
  getSiteStatus: {
    answer: {
      name: 'SiteHidden',
      summary: 'The site is not public.',
      value: { enabled: false },
    },
    errors: {},
  },
  toggleSiteVisibility: {
    answer: {
      name: 'SitePublished',
      summary: 'The site was hidden and is public now.',
      value: { success: true, newStatus: true },
    },
    errors: { 400: [] },
  },
  emailForwardingToggle: {
    request: {
      name: 'ForwardingWanted',
      summary: 'Forward to this address from now on.',
      value: { enabled: true, email: 'jane@example.com' },
    },
    answer: {
      name: 'ForwardingEnabled',
      summary: 'Forwarding is on.',
      value: {
        success: true,
        message: 'Mail to jane-doe@example.org is forwarded to jane@example.com.',
        enabled: true,
        email: 'jane@example.com',
      },
    },
    errors: {
      400: [
        error(
          'ForwardingStateMissing',
          'It is not said whether mail is forwarded.',
          'enabled must be true or false.',
        ),
        error(
          'DisplayNameNotSet',
          'There is no address to forward from.',
          'A display name must be set before forwarding is enabled.',
        ),
        error(
          'ForwardingAddressMissing',
          'No address was sent, and none is stored.',
          'An email is required to enable forwarding.',
        ),
        error(
          'ForwardingAddressInvalid',
          'The address is not one plain email address.',
          'email must be one plain email address of at most 254 characters.',
        ),
      ],
      404: [
        error(
          'ForwardingProfileNotFound',
          'The key is valid, but the profile is gone.',
          'The profile could not be found; the session may be stale.',
        ),
      ],
    },
  },
  getProjects: {
    answer: {
      name: 'Projects',
      summary: 'An account with one project.',
      value: {
        projects: [{ id: projectId, name: 'Shop', created_at: '2026-01-31T09:30:00.000Z' }],
      },
    },
    errors: {},
  },
  ingestMetrics: {
    request: {
      name: 'NewMetric',
      summary: 'A metric of any shape.',
      value: { projectId, payload: { visitors: 42, page: '/pots', duration_ms: 12.5 } },
    },
    answer: {
      name: 'MetricIngested',
      summary: 'The metric is committed.',
      value: { message: 'The metric was ingested.' },
    },
    errors: {
      400: [
        error('ProjectIdMissing', 'No project was named.', 'The project ID is required.'),
        error(
          'MetricPayloadMissing',
          'The payload is missing or is not an object.',
          'The metric payload is required and must be an object.',
        ),
      ],
      403: [
        error(
          'ProjectForbidden',
          'The project is of another account, or does not exist.',
          'The project does not belong to you.',
        ),
      ],
    },
  },
  sendChatWebhook: {
    request: {
      name: 'NewChatMessage',
      summary: 'A message with a text and an embed.',
      value: {
        webhookUrl,
        payload: {
          content: 'Hello from Nameplate!',
          embeds: [{ title: 'Release 1.2', description: 'Now with themes.' }],
        },
      },
    },
    answer: {
      name: 'ChatMessageSent',
      summary: 'The message is in the channel.',
      value: { success: true, message: 'The message was sent.', messageId },
    },
    errors: { 400: webhookErrors },
  },
  editChatWebhook: {
    request: {
      name: 'EditedChatMessage',
      summary: 'Another text for the same message.',
      value: { webhookUrl, messageId, payload: { content: 'Hello again from Nameplate!' } },
    },
    answer: {
      name: 'ChatMessageEdited',
      summary: 'The message has the new text.',
      value: { success: true, message: 'The message was edited.', messageId },
    },
    errors: {
      400: [
        ...webhookErrors,
        error(
          'MessageIdMissing',
          'No message was named.',
          'The message ID is required and must be 1 to 20 digits.',
        ),
      ],
    },
  },
};

/** The 400s that every write shares. */
export const writeRefusals: readonly Example[] = [
  error('JsonMalformed', 'The body is not JSON.', 'The request body is not valid JSON.'),
  error(
    'IdempotencyKeyReused',
    'The key was sent before, with another body.',
    'The Idempotency-Key was used before with another request body.',
  ),
];

/** The answers that are the same wherever they occur, by status. */
export const sharedErrors: Readonly<Record<number, Example>> = {
  413: error(
    'BodyTooLarge',
    'The body holds more than 1 MiB.',
    'The request body is larger than 1 MiB.',
  ),
  415: error(
    'NotJson',
    'The body is not declared as JSON.',
    'The Content-Type must be application/json.',
  ),
  429: error(
    'RateLimited',
    'The operator allows fewer requests per minute.',
    'Too many requests with this key; try again in 20 seconds.',
  ),
  503: error(
    'Overloaded',
    'The server is overloaded or stopping.',
    'The service is overloaded; try again in a moment.',
  ),
};
