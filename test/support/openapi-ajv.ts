import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/** Says what is wrong with a value; undefined if it is as the schema wants it. */
export type Validate = (value: unknown) => string | undefined;

/** Reads the schemas of an OpenAPI 3.1 document by their `$ref`, as JSON Schema 2020-12. */
export function schemaReader(document: object): (reference: string) => Validate {
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, code: { optimize: false } });
  formats.default(ajv);
  ajv.addVocabulary(Object.keys(document));
  ajv.addSchema(document, 'openapi');
  return (reference) => {
    const validate = ajv.getSchema(`openapi${reference}`);
    if (!validate) throw new Error(`The document has no ${reference}.`);
    return (value) => (validate(value) ? undefined : ajv.errorsText(validate.errors));
  };
}
