import type { Actor, Viewer } from "#core/actor.ts";
import { apiToken } from "#core/feature.ts";
import type { Tx } from "#core/ports/index.ts";
import type { GroupContent, GroupRule } from "./jobgroups.base.contract.ts";

/** That somebody meets a rule. */
export interface MetRule {
  readonly citizenId: number;
  /** One of the rules that were asked about. */
  readonly rule: GroupRule;
  /** The first instant at which it is no longer met; null where none is known. */
  readonly until: number | null;
}

/** A kind of rules, registered by the feature that knows who meets them. */
export interface RuleKind {
  readonly kind: string;
  /** Of these citizens of the job, who meets which rules at an instant. A constant number of statements. */
  holders(
    tx: Tx,
    job: string,
    rules: readonly GroupRule[],
    citizenIds: readonly number[],
    at: number,
  ): Promise<readonly MetRule[]>;
  /** Whether the viewer may know what rules of this kind are about: of somebody of their job, or at all. */
  sees(viewer: Viewer, citizen: { readonly id: number; readonly grade: number } | null): boolean;
  /** What rules of this kind may name. */
  options(tx: Tx, job: string): Promise<readonly { readonly id: number; readonly name: string }[]>;
}

export interface JobgroupsApi {
  registerRules(kind: RuleKind): void;
  /** What rules are about changed for these people of the job; only their rows are computed again. */
  peopleChanged(tx: Tx, job: string, citizenIds: readonly number[]): Promise<void>;
  /** What rules are about changed for anybody in the job: a task computes all in batches. */
  jobChanged(tx: Tx, job: string): Promise<void>;
  /** What rules of the job are about has another name, and nothing else: open pages show it. */
  renamed(tx: Tx, job: string): Promise<void>;
  /** Groups of the job in which a character is now; from memory where it was asked before. */
  heldBy(characterId: number, job: string): Promise<readonly number[]>;
  /** Whether a group is one of the viewer's job that they see; deleted ones are not. */
  sees(tx: Tx, viewer: Viewer, groupId: number): Promise<boolean>;
  /** Whether a group is one of the viewer's job whose members they may see. */
  seesMembers(tx: Tx, viewer: Viewer, groupId: number): Promise<boolean>;
  /** Adds a group behind the others, without checks: for the demo city. */
  add(tx: Tx, actor: Actor, job: string, content: GroupContent): Promise<number>;
}

export const jobgroupsApi = apiToken<JobgroupsApi>("jobgroups");
