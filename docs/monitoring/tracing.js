// Loaded before the server: see docs/monitoring.md.
import { NodeSDK } from '@opentelemetry/sdk-node';

process.env.OTEL_SERVICE_NAME ??= 'nameplate';
new NodeSDK().start();
