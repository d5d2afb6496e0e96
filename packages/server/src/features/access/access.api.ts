import type { Actor, Rights } from "#core/actor.ts";
import type { AttributeValue } from "#core/contract/index.ts";
import { apiToken } from "#core/feature.ts";
import type { Tx } from "#core/ports/index.ts";
import type { Role, RightsOf } from "./access.policy.ts";

export interface AdminPowers {
  readonly configAdmin: boolean;
  readonly mayJobAdmin: boolean;
}

export interface GrantChange {
  /** Empty for the default role. */
  readonly job: string;
  /** `game.startJobGrade` when left out. */
  readonly grade?: number;
  /** Null takes the mention away, so that the right is inherited again. */
  readonly grants: Readonly<Record<string, { allow: boolean; attributes?: Record<string, AttributeValue> } | null>>;
}

export interface AccessApi {
  /** Resolved from this process's copy of the roles, which is at most two seconds old. */
  rightsOf(who: RightsOf): Promise<Rights>;
  /** What `auth.*` and the lists of the panel give an account, by licence and groups. */
  powersOf(account: { licence: string; groups: readonly string[] }): AdminPowers;
  change(tx: Tx, actor: Actor, change: GrantChange): Promise<void>;
  roles(tx: Tx): Promise<Role[]>;
  /** Called in this process after its copy of the roles changed. */
  onChange(listener: () => void): void;
}

export const accessApi = apiToken<AccessApi>("access");
export type { Role, RightsOf };
