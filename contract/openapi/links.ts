import type { JsonObject } from './json.ts';
import type { OperationId } from './operation-id.ts';

/** OpenAPI links from the response of an operation to the next operation. */
export const links: Readonly<Record<string, JsonObject>> = {
  getDisplayName: {
    changeDisplayName: {
      operationId: 'updateDisplayName',
      description: 'Change the display name.',
    },
  },
  updateDisplayName: {
    enableForwardingAgain: {
      operationId: 'emailForwardingToggle',
      requestBody: { enabled: true },
      description: 'A name change disables forwarding and deletes the stored address.',
    },
  },
  getSiteConfiguration: {
    changeSiteConfiguration: {
      operationId: 'updateSiteConfiguration',
      requestBody: '$response.body#/site',
      description: 'Send the site back with changes. Add the blocks under the key blocks.',
    },
  },
  updateSiteConfiguration: {
    readSiteConfiguration: {
      operationId: 'getSiteConfiguration',
      description: 'Read the stored configuration, with the ids of new blocks.',
    },
  },
  getSiteStatus: {
    invertVisibility: {
      operationId: 'toggleSiteVisibility',
      description: 'Invert the visibility.',
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
      description: 'Use the id of a project as the projectId of its metrics.',
    },
  },
  sendChatWebhook: {
    editSentMessage: {
      operationId: 'editChatWebhook',
      requestBody: {
        webhookUrl: '$request.body#/webhookUrl',
        messageId: '$response.body#/messageId',
      },
      description: 'Edit the message through the same webhook.',
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
