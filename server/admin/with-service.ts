import type { Service, ServiceOptions } from './open-service.ts';
import { undertake } from './undertake.ts';

/** Does something with the service that the settings name, its database brought to this version's schema. */
export function withService<Result>(
  failure: string,
  use: (service: Service) => Promise<Result>,
  options?: ServiceOptions,
): Promise<Result> {
  const open = async () => {
    // Loaded when it is needed: help does not wait for databases.
    const { openService } = await import('./open-service.ts');
    return openService(options);
  };
  return undertake(failure, open, use);
}
