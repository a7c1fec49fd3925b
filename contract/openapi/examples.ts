import { mapSiteTexts } from '#contract/shared/site-fields.ts';
import type { Json, JsonObject } from './json.ts';
import type { contract } from '#contract/index.ts';
import { THEMES } from '#contract/themes.ts';
import { exampleOf } from './example-of.ts';
import type { CollectedContract } from './collect-operations.ts';

type Operations<Router> = { [Area in keyof Router]: keyof Router[Area] }[keyof Router];
type OperationId = Operations<typeof contract> & string;

export interface Example {
  /** Unique in the document. */
  name: string;
  summary: string;
  value: Json;
}

/** Examples of refusals are in the contract. */
export interface OperationExamples {
  request?: Example;
  response: Example;
}

const accountExamples = {
  getDisplayName: {
    response: {
      name: 'DisplayName',
      summary: 'The display name of the account.',
      value: { display_name: 'jane-doe' },
    },
  },
  updateDisplayName: {
    request: {
      name: 'NewDisplayName',
      summary: 'A name as typed, which is stored as jane-doe.',
      value: { display_name: 'Jane Doe' },
    },
    response: {
      name: 'DisplayNameUpdated',
      summary: 'The display name was changed.',
      value: {
        success: true,
        message:
          'The display name was updated to jane-doe. Email forwarding was disabled and can be re-enabled via the API or dashboard.',
      },
    },
  },
} satisfies Record<string, OperationExamples>;

const emailForwardingExamples = {
  emailForwardingToggle: {
    request: {
      name: 'ForwardingWanted',
      summary: 'Turn on forwarding to this address.',
      value: { enabled: true, email: 'jane@example.com' },
    },
    response: {
      name: 'ForwardingEnabled',
      summary: 'Forwarding is on.',
      value: {
        success: true,
        message: 'Mail to jane-doe@example.org is forwarded to jane@example.com.',
        enabled: true,
        email: 'jane@example.com',
      },
    },
  },
} satisfies Record<string, OperationExamples>;

const messageId = '1105936272348135426';
const webhookUrl = 'https://discord.com/api/webhooks/1105936272348135000/your-webhook-token';

const hooksExamples = {
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
    response: {
      name: 'ChatMessageSent',
      summary: 'The message is in the channel.',
      value: { success: true, message: 'The message was sent.', messageId },
    },
  },
  editChatWebhook: {
    request: {
      name: 'EditedChatMessage',
      summary: 'A new text for the message.',
      value: { webhookUrl, messageId, payload: { content: 'Hello again from Nameplate!' } },
    },
    response: {
      name: 'ChatMessageEdited',
      summary: 'The message has the new text.',
      value: { success: true, message: 'The message was edited.', messageId },
    },
  },
} satisfies Record<string, OperationExamples>;

const projectId = '3f0c6a0e-6b57-4f0b-9a51-8a2d1f0e7c11';

const statsExamples = {
  getProjects: {
    response: {
      name: 'Projects',
      summary: 'An account with one project.',
      value: {
        projects: [{ id: projectId, name: 'Shop', created_at: '2026-01-31T09:30:00.000Z' }],
      },
    },
  },
  ingestMetrics: {
    request: {
      name: 'NewMetric',
      summary: 'A metric of any shape.',
      value: { projectId, payload: { visitors: 42, page: '/pots', duration_ms: 12.5 } },
    },
    response: {
      name: 'MetricIngested',
      summary: 'The metric is committed.',
      value: { message: 'The metric was ingested.' },
    },
  },
} satisfies Record<string, OperationExamples>;

const block: JsonObject = {
  id: '0b7c2f4e-2f6a-4b3e-8c7d-5a1e9d3f6b20',
  type: 'text',
  enabled: true,
  content: 'Hello!',
};

const siteExamples = {
  getSiteConfiguration: {
    response: {
      name: 'SiteConfiguration',
      summary: 'A site with a preset theme and one block.',
      value: {
        site: {
          ...mapSiteTexts(({ example }) => example),
          avatar_url: 'https://example.com/jane.png',
          custom_theme: null,
          theme_id: THEMES[0].id,
          themes: THEMES[0],
        },
        blocks: [block],
        availableThemes: [...THEMES],
      },
    },
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
    response: {
      name: 'SiteConfigurationUpdated',
      summary: 'The configuration was stored.',
      value: { success: true },
    },
  },
  getSiteStatus: {
    response: {
      name: 'SiteHidden',
      summary: 'The site is not public.',
      value: { enabled: false },
    },
  },
  toggleSiteVisibility: {
    response: {
      name: 'SitePublished',
      summary: 'The site was hidden and is public now.',
      value: { success: true, newStatus: true },
    },
  },
} satisfies Record<string, OperationExamples>;

export const examples: Readonly<Record<string, OperationExamples>> = {
  ...accountExamples,
  ...siteExamples,
  ...emailForwardingExamples,
  ...statsExamples,
  ...hooksExamples,
} satisfies Record<OperationId, OperationExamples>;

export function generateExamples({
  operations,
  schemas,
}: CollectedContract): Record<string, OperationExamples> {
  const example = (name: string): Example => ({
    name,
    summary: schemas[name]?.description ?? '',
    value: exampleOf({ $ref: name }, schemas) as Json,
  });
  return Object.fromEntries(
    operations.map(({ id, route, request, responses }) => [
      id,
      {
        // An upload is a file, which has no useful example.
        ...(request !== undefined && !route.metadata.uploadTypes && { request: example(request) }),
        response: example(responses[200] ?? ''),
      },
    ]),
  );
}
