import * as sdk from './client.js';
import { exercise } from './exercise.mjs';

export default {
  async fetch(_request, { settings }) {
    await exercise(sdk, { ...settings, inspect: String });
    return new Response('done');
  },
};
