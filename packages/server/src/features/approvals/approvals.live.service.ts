import type { Clock, Outbox, Tx } from "#core/ports/index.ts";
import { approvalChanged, delegationsChanged } from "./approvals.live.contract.ts";
import * as delegations from "./approvals.delegations.repo.ts";
import { accountsIn } from "./approvals.policy.ts";
import * as repo from "./approvals.repo.ts";

export interface LiveDeps {
  readonly clock: Clock;
  readonly outbox: Outbox;
}

/** The most delegates that an event names, so that it stays small; the newest delegations first. */
const mostDelegates = 2000;

/** Says in the unit of work of a change whose lists it concerns. */
export class ApprovalEvents {
  readonly #deps: LiveDeps;

  constructor(deps: LiveDeps) {
    this.#deps = deps;
  }

  /** After its rows were written. */
  async changed(tx: Tx, row: repo.RequestRow): Promise<void> {
    const { clock, outbox } = this.#deps;
    const { id, kind, step, version, requester_account_id: requester } = row;
    const reached = (await repo.decidersOf(tx, [id])).filter((one) => one.step <= step);
    const people = new Set(accountsIn(await repo.decisionsOf(tx, [id])));
    if (requester !== null) people.add(requester);
    const lent = (await delegations.inForce(tx, clock.now(), mostDelegates)).filter(({ kinds }) =>
      (JSON.parse(kinds) as string[]).includes(kind),
    );
    await outbox.emit(tx, approvalChanged, {
      key: `approval/${id}`,
      version,
      payload: {
        id,
        kind,
        deciders: reached.map(({ decider }) => decider),
        accountIds: [...people],
        delegateIds: [...new Set(lent.map((one) => one.to_account_id))],
      },
    });
  }

  async delegated(tx: Tx, { id, accountIds }: { readonly id: number; readonly accountIds: number[] }): Promise<void> {
    const { clock, outbox } = this.#deps;
    const key = `delegation/${id}`;
    await outbox.emit(tx, delegationsChanged, { key, version: clock.now(), payload: { accountIds } });
  }
}
