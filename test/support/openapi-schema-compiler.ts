import formats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** Returns the validation errors, or undefined if the value is valid. */
type SchemaValidator = (value: unknown) => string | undefined;

export function createSchemaCompiler(document: object): (reference: string) => SchemaValidator {
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, code: { optimize: false } });
  formats.default(ajv);
  ajv.addVocabulary([...Object.keys(document), 'discriminator']);
  ajv.addSchema(document, 'openapi');
  return (reference) => {
    const validate = ajv.getSchema(`openapi${reference}`);
    if (!validate) throw new Error(`The document does not contain ${reference}.`);
    return (value) => (validate(value) ? undefined : ajv.errorsText(validate.errors));
  };
}
