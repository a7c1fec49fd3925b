import type { OpenApiDocument } from '#server/platform/openapi-documents.ts';
import { renderFields } from './area-markdown.ts';
import { exampleOfEvent, listParameters } from './operation.ts';
import { nestedFields, readObject } from './reference-schema.ts';

/** The headers of webhooks and all events. The second document has those for operators. */
export function renderEvents(documents: readonly OpenApiDocument[]): string {
  const webhooks = documents.flatMap((document, index) =>
    Object.entries(document.webhooks).map(([type, { post }]) => ({ document, index, type, post })),
  );
  const [{ document, post }] = webhooks as [(typeof webhooks)[number]];
  const headers = listParameters(document, post);
  const events = webhooks.flatMap(({ document: source, index, type, post: operation }) => {
    const { schema } = operation.requestBody!.content['application/json']!;
    const context = { document: source, linkedSchemas: new Set<string>() };
    const { description, fields } = readObject(source, schema);
    const data = fields.find(({ name }) => name === 'data')!;
    return [
      `### ${type}`,
      description + (index === 0 ? '' : ' Only operators get it.'),
      renderFields(context, nestedFields(context, data.schema)?.fields ?? []),
      `\`\`\`json\n${JSON.stringify(exampleOfEvent(source, schema))}\n\`\`\``,
    ];
  });
  return [
    ...['## Headers', renderFields({ document, linkedSchemas: new Set() }, headers), '## Events'],
    'The fields of `data` of each event, and a whole body.',
    ...events,
  ]
    .filter((part) => part)
    .join('\n\n');
}
