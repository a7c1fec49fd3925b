/**
 * Uses every operation of the client against a running server, and its error handling against one
 * that misbehaves. Plain JavaScript, so that it runs everywhere.
 */
export async function useClient(sdk, { url, misbehavingUrl, apiKey, inspect }) {
  const client = new sdk.Nameplate({ apiKey, baseUrl: url });
  const secret = apiKey.split('.')[1];

  const name = `runtime ${Math.random().toString(36).slice(2, 10)} x`;
  const renamed = await client.account.updateDisplayName({ display_name: name }).withResponse();
  equal(renamed.status, 200);
  equal(typeof renamed.requestId, 'string');
  equal((await client.account.getDisplayName()).display_name, name.replaceAll(' ', '-'));

  const blocks = [{ type: 'text', content: 'Grüße 🌞', further: [1] }];
  await client.site.updateSiteConfiguration({ bio: 'Töpferin 🏺', blocks });
  const { site, blocks: storedBlocks } = await client.site.getSiteConfiguration();
  equal(site.bio, 'Töpferin 🏺');
  equal(storedBlocks[0].content, 'Grüße 🌞');
  await client.site.updateSiteConfiguration({ ...site, blocks: storedBlocks });

  const { enabled } = await client.site.getSiteStatus();
  equal((await client.site.toggleSiteVisibility()).newStatus, !enabled);
  const idempotencyKey = crypto.randomUUID();
  const first = await client.site.toggleSiteVisibility({ idempotencyKey });
  const repeat = await client.site.toggleSiteVisibility({ idempotencyKey }).withResponse();
  equal(repeat.data.newStatus, first.newStatus);
  equal(repeat.headers.get('idempotent-replayed'), 'true');

  const email = 'jane@example.com';
  const forwarding = await client.emailForwarding.emailForwardingToggle({ enabled: true, email });
  equal(forwarding.email, email);

  const { projects } = await client.stats.getProjects();
  const projectId = projects[0].id;
  await client.stats.ingestMetrics({ projectId, payload: { visitors: 1 } });
  const buffer = new sdk.MetricsBuffer(client);
  for (let visitors = 0; visitors < 20; visitors += 1)
    buffer.add({ projectId, payload: { visitors } });
  equal((await buffer.close()).sent, 20);
  equal(buffer.sent, 20);
  equal(buffer.dropped, 0);

  const rotating = client.withOptions({ apiKey: async () => apiKey });
  const { enabled: enabledOfRotating } = await rotating.request('GET', '/site/get-site-status');
  equal(enabledOfRotating, (await client.site.getSiteStatus()).enabled);

  const webhookUrl = 'https://example.com/api/webhooks/1/token';
  const payload = { content: 'Hello!' };
  await expectError(client.hooks.sendChatWebhook({ webhookUrl, payload }), 'BadRequestError', 400);
  await expectError(
    client.hooks.editChatWebhook({ webhookUrl, messageId: '1', payload }),
    'BadRequestError',
    400,
  );
  const stranger = new sdk.Nameplate({ apiKey: 'np_nobody.nothing', baseUrl: url });
  await expectError(stranger.site.getSiteStatus(), 'AuthenticationError', 401);
  await expectError(
    client.stats.ingestMetrics({ projectId: crypto.randomUUID(), payload: {} }),
    'PermissionDeniedError',
    403,
  );
  await expectError(
    client.account.updateDisplayName({ display_name: 'admin' }),
    'ConflictError',
    409,
  );

  function callMisbehavingServer(kind, options = {}) {
    const misbehavingClient = new sdk.Nameplate({
      apiKey,
      baseUrl: `${misbehavingUrl}/${kind}`,
      ...options,
    });
    return misbehavingClient.site.toggleSiteVisibility();
  }
  equal((await callMisbehavingServer('busy')).isRetry, true);
  equal((await callMisbehavingServer('lost')).isRetry, true);
  await expectError(callMisbehavingServer('redirect'), 'RedirectError', 307);
  await expectError(callMisbehavingServer('html'), 'InternalServerError', 502);
  await expectError(callMisbehavingServer('silent', { timeout: 200 }), 'APITimeoutError');
  await expectError(callMisbehavingServer('endless', { timeout: 200 }), 'APITimeoutError');
  await expectError(
    new sdk.Nameplate({
      apiKey,
      baseUrl: 'http://127.0.0.1:1',
      maxRetries: 0,
    }).site.getSiteStatus(),
    'APIConnectionError',
  );
  const signal = AbortSignal.timeout(100);
  const silentClient = new sdk.Nameplate({ apiKey, baseUrl: `${misbehavingUrl}/silent` });
  await expectError(silentClient.site.getSiteStatus({ signal }), 'APIAbortError');

  async function expectError(call, expected, status) {
    const error = await call.then(
      () => undefined,
      (thrown) => thrown,
    );
    if (!(error instanceof sdk[expected])) throw error ?? new Error(`Not thrown: ${expected}`);
    equal(error.name, expected);
    equal(error.status, status);
    equal(error.path.startsWith('/'), true);
    expectNoSecret(error);
  }

  function expectNoSecret(value) {
    for (const printed of [inspect(value), JSON.stringify(value), String(value)])
      if (printed.includes(secret)) throw new Error(`The key is printed: ${printed}`);
  }
  expectNoSecret(client);
  expectNoSecret(buffer);
}

/** The published vector of Standard Webhooks, and a body that was changed. */
export async function useWebhooks({ verifyWebhook, WebhookVerificationError }) {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const headers = {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  };
  const options = { toleranceSeconds: Infinity };
  const event = await verifyWebhook('{"test": 2432232314}', headers, secret, options);
  equal(event.test, 2432232314);
  const error = await verifyWebhook('{}', new Headers(headers), secret, options).catch((e) => e);
  equal(error instanceof WebhookVerificationError, true);
}

function equal(actual, expected) {
  if (actual !== expected) throw new Error(`${String(actual)} is not ${String(expected)}`);
}
