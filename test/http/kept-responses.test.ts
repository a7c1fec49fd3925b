import { expect, it } from 'vitest';
import {
  createRepresentation,
  type Encoding,
} from '#server/platform/http/responses/representation.ts';

it.each<Encoding>(['identity', 'gzip', 'br'])(
  'a response (%s) that is kept in memory holds no larger buffer',
  async (encoding) => {
    for (const body of ['a short text', Buffer.from('a short file')]) {
      const content = { type: 'text/plain', headers: {}, body };
      const representation = await createRepresentation(content, encoding);
      expect(representation.body.buffer.byteLength).toBe(representation.body.length);
    }
  },
);
