import { subscribe } from 'node:diagnostics_channel';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  context,
  propagation,
  type ProxyTracerProvider,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import packageJson from '../../package.json' with { type: 'json' };
import { STATEMENTS, summarize } from '#db/connections/statements.ts';

const tracer = trace.getTracer(packageJson.name, packageJson.version);

const FLUSH_TIMEOUT_MS = 1_000;

/**
 * Traces the requests of servers created from now on, and their SQL statements. Spans contain no
 * data from clients and no error messages, which may repeat such data.
 */
export function startTracing(): { flush: () => Promise<void> } {
  subscribe('fastify.initialization', (message) =>
    traceRequests((message as { fastify: FastifyInstance }).fastify),
  );
  traceStatements();
  return { flush };
}

function traceRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { method, headers, routeOptions, id } = request;
    const route = routeOptions.url;
    const active = context.active();
    const isInner = trace.getSpan(active) !== undefined;
    const span = tracer.startSpan(
      route === undefined ? method : `${method} ${route}`,
      {
        kind: isInner ? SpanKind.INTERNAL : SpanKind.SERVER,
        attributes: {
          'http.request.method': method,
          'nameplate.request_id': id,
          ...(route !== undefined && { 'http.route': route }),
        },
      },
      isInner ? active : propagation.extract(active, headers),
    );
    reply.raw.once('close', () => endRequest(span, request, reply));
    context.with(trace.setSpan(active, span), done);
  });
}

function endRequest(span: Span, request: FastifyRequest, { raw, statusCode }: FastifyReply): void {
  const reason = request.refused?.reason;
  if (reason !== undefined) span.setAttribute('nameplate.reason', reason);
  // Without sent headers, the client disconnected before there was a status.
  if (raw.headersSent) span.setAttribute('http.response.status_code', statusCode);
  if (raw.headersSent && statusCode >= 500) fail(span, String(statusCode));
  span.end();
}

function traceStatements(): void {
  const spans = new WeakMap<object, Span>();
  STATEMENTS.start.subscribe((message) => {
    // Only statements of requests are traced.
    if (trace.getActiveSpan() === undefined) return;
    const statement = message as { text: string };
    const attributes = { 'db.system.name': 'postgresql', 'db.query.text': statement.text };
    const name = summarize(statement.text);
    spans.set(statement, tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }));
  });
  STATEMENTS.error.subscribe((message) => {
    const { error } = message as { error: { code?: string } };
    const span = spans.get(message as object);
    if (span) fail(span, error.code ?? 'unknown');
  });
  STATEMENTS.asyncEnd.subscribe((message) => spans.get(message as object)?.end());
}

function fail(span: Span, type: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute('error.type', type);
}

/** Uses the SDK's own provider, because the OpenTelemetry API has no flush. */
async function flush(): Promise<void> {
  // The SDK may have its own copy of the API package.
  const provider = trace.getTracerProvider() as Partial<ProxyTracerProvider>;
  const sdk = (provider.getDelegate?.() ?? provider) as { forceFlush?: () => Promise<void> };
  // An unreachable collector must not block the exit.
  await Promise.race([sdk.forceFlush?.().catch(() => {}), sleep(FLUSH_TIMEOUT_MS)]);
}
