import type { JsonObject } from './json.ts';
import type { OperationId } from './operation-id.ts';

/** Where the answer of an operation leads: the next operation, and what to send to it. */
export const links: Readonly<Record<string, JsonObject>> = {
  getDisplayName: {
    changeDisplayName: {
      operationId: 'updateDisplayName',
      description: 'Change the name that was read.',
    },
  },
  updateDisplayName: {
    enableForwardingAgain: {
      operationId: 'emailForwardingToggle',
      requestBody: { enabled: true },
      description: 'A change of name disables forwarding; the stored address is gone with it.',
    },
  },
  getSiteConfiguration: {
    changeSiteConfiguration: {
      operationId: 'updateSiteConfiguration',
      requestBody: '$response.body#/site',
      description: 'What was read can be sent back. Put the blocks beside it under the key blocks.',
    },
  },
  updateSiteConfiguration: {
    readSiteConfiguration: {
      operationId: 'getSiteConfiguration',
      description: 'Read what is stored, with the ids of new blocks.',
    },
  },
  getSiteStatus: {
    invertVisibility: {
      operationId: 'toggleSiteVisibility',
      description: 'Invert the visibility that was read.',
    },
  },
  toggleSiteVisibility: {
    readVisibility: {
      operationId: 'getSiteStatus',
      description: 'Read the visibility again.',
    },
  },
  getProjects: {
    ingestMetricOfFirstProject: {
      operationId: 'ingestMetrics',
      requestBody: { projectId: '$response.body#/projects/0/id' },
      description: 'The id of a project is the projectId of its metrics.',
    },
  },
  sendChatWebhook: {
    editSentMessage: {
      operationId: 'editChatWebhook',
      requestBody: {
        webhookUrl: '$request.body#/webhookUrl',
        messageId: '$response.body#/messageId',
      },
      description: 'The messageId names the message to edit, through the same webhook.',
    },
  },
  editChatWebhook: {
    editMessageAgain: {
      operationId: 'editChatWebhook',
      requestBody: {
        webhookUrl: '$request.body#/webhookUrl',
        messageId: '$response.body#/messageId',
      },
      description: 'A message can be edited any number of times.',
    },
  },
} satisfies Partial<Record<OperationId, JsonObject>>;
