declare module '@usebruno/converters' {
  export function openApiToBruno(document: unknown): unknown;
}

declare module 'swagger-client' {
  interface Client {
    errors: unknown[];
    execute(options: object): Promise<{ body: { enabled: unknown } }>;
  }
  export default function SwaggerClient(options: object): Promise<Client>;
}
