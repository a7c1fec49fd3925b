import { extractPage } from './extract-page.ts';

process.once('message', (source: string) => {
  process.send!(extractPage(source), () => process.disconnect());
});
