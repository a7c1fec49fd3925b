import { writeGenerated } from '../../tools/generated-file.ts';
import { buildDocument, buildOwnerDocument } from './document.ts';

for (const [name, document] of Object.entries({
  'openapi.json': buildDocument(),
  'openapi-owner.json': buildOwnerDocument(),
}))
  writeGenerated(
    new URL(`../../${name}`, import.meta.url),
    `${JSON.stringify(document, null, 1)}\n`,
  );
