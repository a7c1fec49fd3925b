import { extractPage } from './extract-page.ts';

process.once('message', (source: string) => {
  let page;
  try {
    page = extractPage(source);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  process.send!(page ?? null, () => process.disconnect());
});
