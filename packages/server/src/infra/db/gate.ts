import { DatabaseUnavailable } from "#core/db/errors.ts";
import type { Clock } from "#core/ports/clock.ts";
import type { Database, DatabaseState } from "#core/ports/database.ts";

export interface GatedDatabase {
  readonly db: Database;
  /** Allows work from now on. */
  open(): void;
}

const notPrepared = "its schema is not prepared yet";

/**
 * A database for features that counts as down until its schema is migrated: a process that serves before
 * that (`ignoreRequirements`) answers as in an outage, instead of failing on missing tables.
 */
export function gateDatabase(db: Database, clock: Pick<Clock, "now">): GatedDatabase {
  const since = clock.now();
  const listeners = new Set<(state: DatabaseState) => void>();
  let isOpen = false;

  function state(): DatabaseState {
    const real = db.state();
    return isOpen || !real.up ? real : { up: false, since, reason: notPrepared };
  }

  function assertOpen(): void {
    if (!isOpen) throw new DatabaseUnavailable(db.state().reason ?? notPrepared);
  }

  return {
    db: {
      kind: db.kind,
      async read(name, work) {
        assertOpen();
        return await db.read(name, work);
      },
      async write(name, work) {
        assertOpen();
        return await db.write(name, work);
      },
      now: (tx) => db.now(tx),
      state,
      onStateChange(listener) {
        const stop = db.onStateChange(() => listener(state()));
        listeners.add(listener);
        return () => {
          listeners.delete(listener);
          stop();
        };
      },
      ping: () => db.ping(),
      close: () => db.close(),
    },
    open() {
      if (isOpen) return;
      isOpen = true;
      for (const listener of listeners) listener(state());
    },
  };
}
