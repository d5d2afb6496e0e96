import type { Clock, Outbox, Tx } from "#core/ports/index.ts";
import { type AccountPart, accountsChanged, accountsPurged } from "./accounts.contract.ts";
import * as panel from "./accounts.panel.repo.ts";
import * as repo from "./accounts.repo.ts";
import type { AccountTables } from "./accounts.schema.ts";
import type { AccountTokens } from "./accounts.tokens.service.ts";

export interface AccountChangesDeps {
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly tokens: Pick<AccountTokens, "purge">;
}

/** The most that the payload of `accounts.purged` takes. */
const purgedPerEvent = 100;

/** Each part is a column, under its name. */
export type ChangedColumn = AccountPart & keyof AccountTables["accounts"];

/** What every change of accounts does besides the change itself: events, and the end of sessions. */
export class AccountChanges {
  readonly #deps: AccountChangesDeps;

  constructor(deps: AccountChangesDeps) {
    this.#deps = deps;
  }

  /** Publishes what changed of accounts. With `endSessions` no session opened before is accepted after the commit. */
  async emitChanged(tx: Tx, accountIds: readonly number[], parts: readonly ChangedColumn[], endSessions = false): Promise<void> {
    if (accountIds.length === 0) return;
    const { clock, outbox } = this.#deps;
    if (endSessions) await repo.raiseSessionEpoch(tx, accountIds);
    const changed: AccountPart[] = endSessions ? [...parts, "session_epoch"] : [...parts];
    await outbox.emit(tx, accountsChanged, {
      key: `account/${accountIds[0]}`,
      version: clock.now(),
      payload: { accountIds: [...accountIds], endSessions, changed },
    });
  }

  /** Removes accounts for good; other features delete what they store of them when they receive the event. */
  async purge(tx: Tx, ids: readonly number[]): Promise<void> {
    const { clock, outbox, tokens } = this.#deps;
    await tokens.purge(tx, ids);
    await panel.remove(tx, ids);
    for (let i = 0; i < ids.length; i += purgedPerEvent) {
      const accountIds = ids.slice(i, i + purgedPerEvent);
      await outbox.emit(tx, accountsPurged, { key: `account/${accountIds[0]}`, version: clock.now(), payload: { accountIds } });
    }
  }
}
