import type { Clock, Outbox, Tx } from "#core/ports/index.ts";
import { accountsChanged, accountsPurged } from "./accounts.contract.ts";
import * as panel from "./accounts.panel.repo.ts";
import * as repo from "./accounts.repo.ts";

export interface AccountChangesDeps {
  readonly clock: Clock;
  readonly outbox: Outbox;
}

/** The most that the payload of `accounts.purged` takes. */
const purgedPerEvent = 100;

/** What every change of accounts does besides the change itself: events, and the end of sessions. */
export class AccountChanges {
  readonly #deps: AccountChangesDeps;

  constructor(deps: AccountChangesDeps) {
    this.#deps = deps;
  }

  /** Publishes that accounts changed. With `endSessions` no session opened before is accepted after the commit. */
  async emitChanged(tx: Tx, accountIds: readonly number[], endSessions: boolean): Promise<void> {
    if (accountIds.length === 0) return;
    const { clock, outbox } = this.#deps;
    if (endSessions) await repo.raiseSessionEpoch(tx, accountIds);
    await outbox.emit(tx, accountsChanged, {
      key: `account/${accountIds[0]}`,
      version: clock.now(),
      payload: { accountIds: [...accountIds], endSessions },
    });
  }

  /** Removes accounts for good; other features delete what they store of them when they receive the event. */
  async purge(tx: Tx, ids: readonly number[]): Promise<void> {
    const { clock, outbox } = this.#deps;
    await panel.remove(tx, ids);
    for (let i = 0; i < ids.length; i += purgedPerEvent) {
      const accountIds = ids.slice(i, i + purgedPerEvent);
      await outbox.emit(tx, accountsPurged, { key: `account/${accountIds[0]}`, version: clock.now(), payload: { accountIds } });
    }
  }
}
