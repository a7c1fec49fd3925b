import { abortError, onAbort } from './abort.ts';

/** Calls back when a stream was garbage-collected. */
const collected = new FinalizationRegistry<() => void>((stop) => stop());

/**
 * Copies a response. `signal` aborts its request until the body was read, failed, was cancelled or
 * was garbage-collected; after that, no listener is left.
 */
export function watchBody(
  response: Response,
  signal: AbortSignal | undefined,
  controller: AbortController,
): Response {
  const { body, status, statusText, headers, url } = response;
  if (signal === undefined || !(body instanceof ReadableStream)) return response;
  const removeListener = onAbort(signal, () => controller.abort(abortError(signal)));
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  reader.closed.then(removeListener, removeListener);
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(output) {
        const { done, value } = await reader.read();
        if (done) output.close();
        else output.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // Reads nothing ahead, because a pending read would keep the stream from being collected.
    { highWaterMark: 0 },
  );
  collected.register(stream, () => {
    removeListener();
    controller.abort();
  });
  const copy = new Response(stream, { status, statusText, headers });
  return Object.defineProperty(copy, 'url', { value: url });
}
