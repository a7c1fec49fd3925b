import { json } from 'node:stream/consumers';
import { extractPage } from './extract-page.ts';

try {
  const input = (await json(process.stdin)) as Parameters<typeof extractPage>;
  process.stdout.write(JSON.stringify(extractPage(...input)));
} catch (error) {
  if (!(error instanceof RangeError)) throw error;
}
