import type { Clock } from "#core/ports/clock.ts";
import type { Lease } from "#core/ports/leases.ts";
import type { Log } from "#core/ports/log.ts";

/**
 * Renews `lease` every third of its TTL until it is lost or `stop` is called. While the database is
 * down it keeps trying; the lease's own signal is aborted when it expires.
 */
export function keepLease(lease: Lease, options: { ttlMs: number; clock: Clock; log: Log }): { stop(): void } {
  const { ttlMs, clock, log } = options;
  let timer: { cancel(): void } | null = null;
  let stopped = false;
  const renew = async () => {
    try {
      await lease.renew();
    } catch (error) {
      log.warn({ lease: lease.name, err: error }, "a lease could not be renewed");
    }
    schedule();
  };
  const schedule = () => {
    if (stopped || lease.signal.aborted) return;
    timer = clock.setTimeout(() => void renew(), ttlMs / 3);
  };
  schedule();
  return {
    stop() {
      stopped = true;
      timer?.cancel();
    },
  };
}
