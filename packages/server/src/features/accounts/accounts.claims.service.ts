import { createHash } from "node:crypto";
import type { Actor } from "#core/actor.ts";
import type { Approvals, NewApproval, Tx } from "#core/ports/index.ts";
import { adminPowerApproval } from "./accounts.contract.ts";

type Power = "config" | "job";

/** Admin powers that the groups of an account would add. */
export interface Claim {
  readonly accountId: number;
  /** User name, or the licence before registration. */
  readonly name: string;
  readonly power: Power;
  /** Those that await the confirmation. */
  readonly groups: readonly string[];
}

/** Kept short for lists; the account shows all of them. */
const longestGroups = 300;

export const subjectOf = (accountId: number) => String(accountId);

/** The same for the same powers from the same groups, in whatever order the game server sends them. */
export function fingerprintOf({ power, groups }: Pick<Claim, "power" | "groups">): string {
  return createHash("sha256")
    .update(JSON.stringify([power, groups.toSorted()]))
    .digest("hex");
}

function requestOf(claim: Claim): NewApproval {
  const { accountId, name, power, groups } = claim;
  return {
    subject: subjectOf(accountId),
    about: name,
    claim: fingerprintOf(claim),
    params: { account: name, power, groups: groups.join(", ").slice(0, longestGroups) },
    link: `/panel/accounts/${accountId}`,
    requester: { accountId, characterId: null, name },
  };
}

/** Keeps a request with approval for each account whose groups from the game server claim admin powers. */
export class AdminClaims {
  readonly #approvals: () => Approvals;

  constructor(approvals: () => Approvals) {
    this.#approvals = approvals;
  }

  /** Nothing happens while the claim stays the same, also when it was refused. `quiet`: config admins are notified by the caller. */
  async ask(tx: Tx, actor: Actor, claim: Claim, quiet: boolean): Promise<void> {
    await this.#approvals().request(tx, actor, adminPowerApproval, { ...requestOf(claim), quiet });
  }

  /** The claim is gone. */
  async withdraw(tx: Tx, actor: Actor, accountId: number): Promise<void> {
    await this.#approvals().withdraw(tx, actor, adminPowerApproval, subjectOf(accountId));
  }

  /** Approves the claim, also one that was refused before. */
  async approve(tx: Tx, actor: Actor, claim: Claim): Promise<void> {
    const approvals = this.#approvals();
    await approvals.request(tx, actor, adminPowerApproval, { ...requestOf(claim), quiet: true, again: true });
    await approvals.decide(tx, actor, adminPowerApproval, subjectOf(claim.accountId), { approve: true });
  }
}
