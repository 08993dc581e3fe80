import { isolateFailures } from '../../core/errors/isolate-failures.ts';
import type { MatchPorts } from './ports.ts';

/**
 * Reads the routes of all services together or, if that fails, of each alone. A service whose own call fails
 * is `untaken`.
 *
 * @param records of any number for each service
 */
export async function routesOf(
  records: readonly { readonly service_id: string }[],
  ports: Pick<MatchPorts, 'routesOf' | 'internalError'>,
): Promise<Awaited<ReturnType<MatchPorts['routesOf']>>> {
  const serviceIds = records.map(({ service_id }) => service_id);
  const { answers, failed } = await isolateFailures([...new Set(serviceIds)], (some) => ports.routesOf(some));
  for (const [service, error] of failed) {
    ports.internalError(error, serviceIds.filter((id) => id === service).length);
  }
  const untaken = answers.flatMap((answer) => [...answer.untaken]);
  if (untaken.length > 0) {
    const events = serviceIds.filter((id) => untaken.includes(id)).length;
    ports.internalError(
      new Error(`routes of ${untaken.join(', ')}: could not be read, too much at once`),
      events,
    );
  }
  return {
    routes: new Map(answers.flatMap(({ routes }) => [...routes])),
    unreadable: new Map(answers.flatMap(({ unreadable }) => [...unreadable])),
    untaken: new Set([...untaken, ...failed.keys()]),
  };
}
