import * as sdk from './client.js';
import { useClient, useWebhooks } from './use-client.mjs';
import * as webhooks from './webhooks.js';

export default {
  async fetch(_request, { settings }) {
    await useClient(sdk, { ...settings, inspect: String });
    await useWebhooks(webhooks);
    return new Response('done');
  },
};
