// Loaded before the server: see docs/monitoring.md.
import { subscribe } from 'node:diagnostics_channel';
import { register } from 'node:module';
import { trace } from '@opentelemetry/api';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import { NodeSDK } from '@opentelemetry/sdk-node';

register('@opentelemetry/instrumentation/hook.mjs', import.meta.url);
process.env.OTEL_SERVICE_NAME ??= 'nameplate';
// Some addresses are secrets, such as those of webhooks and of links in mails.
const hideAddress = () => ({ 'url.full': '', 'url.path': '', 'url.query': '' });
new NodeSDK({
  instrumentations: [
    new HttpInstrumentation({
      startIncomingSpanHook: hideAddress,
      startOutgoingSpanHook: hideAddress,
    }),
    new PgInstrumentation({ requireParentSpan: true }),
    new UndiciInstrumentation({ startSpanHook: hideAddress }),
  ],
}).start();
subscribe('fastify.initialization', ({ fastify }) =>
  fastify.addHook('onRequest', async ({ id, method, routeOptions: { url = '' } }) => {
    trace.getActiveSpan()?.updateName(`${method} ${url}`).setAttribute('nameplate.request_id', id);
  }),
);
