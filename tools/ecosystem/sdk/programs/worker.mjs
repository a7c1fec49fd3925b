import * as sdk from './client.js';
import { useClient } from './use-client.mjs';

export default {
  async fetch(_request, { settings }) {
    await useClient(sdk, { ...settings, inspect: String });
    return new Response('done');
  },
};
