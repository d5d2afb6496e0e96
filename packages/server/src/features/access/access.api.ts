import type { Actor, Rights } from "#core/actor.ts";
import type { AttributeValue } from "#core/contract/index.ts";
import { apiToken } from "#core/feature.ts";
import type { Tx } from "#core/ports/index.ts";
import type { Settings } from "#features/settings/settings.contract.ts";
import type { Role, RightsOf } from "./access.policy.ts";

export interface AdminPowers {
  readonly configAdmin: boolean;
  readonly mayJobAdmin: boolean;
}

/** The four lists of `auth.*`. */
export interface AdminLists {
  readonly jobAdminGroups: readonly string[];
  readonly jobAdminUsers: readonly string[];
  readonly configAdminGroups: readonly string[];
  readonly configAdminUsers: readonly string[];
}

/** What decides about the admin powers of an account. */
export interface AdminClaim {
  readonly licence: string;
  /** Staff groups as the game or an operator set them. */
  readonly groups: readonly string[];
  /** Groups that were set while no confirmation was required, or that were confirmed since. */
  readonly confirmedGroups: readonly string[];
}

export interface AdminStanding extends AdminPowers {
  /** The power that the unconfirmed groups would add. */
  readonly waiting: "config" | "job" | null;
}

export interface GrantChange {
  /** Empty for the default role. */
  readonly job: string;
  /** `game.startJobGrade` when left out. */
  readonly grade?: number;
  /** By permission; null removes it from the role, so that it is inherited again. */
  readonly grants: Readonly<Record<string, { allow: boolean; attributes?: Record<string, AttributeValue> } | null>>;
}

export interface AccessApi {
  /** Resolved from the roles that this process caches, at most two seconds old. */
  rightsOf(who: RightsOf): Promise<Rights>;
  /** The same inside a unit of work, from the roles as it sees them; one read for as many callers as needed. */
  rightsIn(tx: Tx): Promise<(who: RightsOf) => Rights>;
  /**
   * What `auth.*` and the lists of the panel give an account, by licence and groups. Without
   * `settings`, the ones that this process caches count.
   */
  powersOf(account: AdminClaim, settings?: Settings["auth"]): AdminStanding;
  /** The groups of an account that count for admin powers, by the settings that this process caches. */
  groupsInForce(account: AdminClaim): readonly string[];
  change(tx: Tx, actor: Actor, change: GrantChange): Promise<void>;
  roles(tx: Tx): Promise<Role[]>;
}

export const accessApi = apiToken<AccessApi>("access");
export type { Role, RightsOf };
