import { writeGenerated } from '../../tools/generated-file.ts';
import { buildDocument } from './document.ts';

writeGenerated(
  new URL('../../openapi.json', import.meta.url),
  `${JSON.stringify(buildDocument(), null, 2)}\n`,
);
