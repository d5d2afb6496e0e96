import { createHash } from "node:crypto";
import type { Actor, Rights } from "#core/actor.ts";
import type { AttributeValue, PermissionDefinition } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { Clock, Database, Log, Outbox, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { SettingsApi } from "#features/settings/settings.api.ts";
import {
  adminStanding,
  groupsInForce,
  mergeLists,
  powerEntries,
  type PowerSource,
  powerSources,
} from "./access.admins.policy.ts";
import type { AccessApi, AdminClaim, AdminLists, AdminStanding, GrantChange } from "./access.api.ts";
import { accessErrors } from "./access.contract.ts";
import { createRights, defaultJob, explainRights, heldRights, type Decision, type Role, type RightsOf } from "./access.policy.ts";
import * as repo from "./access.repo.ts";
import { valuesOfGrants } from "./access.rows.policy.ts";
import type { AttributeRows } from "./access.rows.service.ts";
import { type CachedRules, RulesCache, type StoredRules } from "./access.rules.service.ts";
import { RoleStore } from "./access.store.service.ts";
import { isValidValue, withoutUnset } from "./access.values.policy.ts";

type Attributes = Readonly<Record<string, AttributeValue>>;

export interface AccessDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly audit: AuditApi;
  readonly settings: SettingsApi;
  /** The lists of config.yaml; those of the panel come from the settings. */
  readonly admins: AdminLists;
  readonly startJobGrade: number;
  readonly permissions: () => readonly PermissionDefinition[];
  readonly rows: AttributeRows;
  /** Subsystem `perms`. */
  readonly log: Log;
}

function resolve({ rights, rules }: CachedRules, who: RightsOf): Rights {
  const key = who.jobAdmin ? "admin" : `${who.grade}${who.within === undefined ? "" : `<${who.within}`} ${who.job}`;
  const known = rights.get(key);
  if (known) return known;
  const held = heldRights(rules, who);
  const digest = createHash("sha256").update(JSON.stringify(held, withoutUnset)).digest("base64url").slice(0, 16);
  const resolved = createRights(held, `${digest}:${key}`);
  rights.set(key, resolved);
  return resolved;
}

/** Resolves rights and admin powers, from the roles and settings that this process caches. */
export class AccessService implements AccessApi {
  readonly store: RoleStore;
  readonly #deps: AccessDeps;
  readonly #rules: RulesCache;

  constructor(deps: AccessDeps) {
    this.#deps = deps;
    this.#rules = new RulesCache(deps);
    this.store = new RoleStore({ ...deps, rules: async (tx) => await this.#rules.readIn(tx) });
  }

  async rightsOf(who: RightsOf): Promise<Rights> {
    return resolve(await this.#rules.get(), who);
  }

  async rightsIn(tx: Tx): Promise<(who: RightsOf) => Rights> {
    const cached = await this.#rules.getIn(tx);
    return (who) => resolve(cached, who);
  }

  async explain(who: RightsOf): Promise<Decision[]> {
    return explainRights((await this.#rules.get()).rules, who);
  }

  powersOf(account: AdminClaim, settings = this.#panelSettings()): AdminStanding {
    return adminStanding(mergeLists(this.#deps.admins, settings), account, settings.confirmGameAdmins);
  }

  groupsInForce(account: AdminClaim): readonly string[] {
    return groupsInForce(account, this.#panelSettings().confirmGameAdmins);
  }

  /** The entries of config.yaml and of the panel that name this account. */
  powerSourcesOf(account: { licence: string; groups: readonly string[] }): PowerSource[] {
    const lists = [...powerEntries(this.#deps.admins, "config"), ...powerEntries(this.#panelSettings(), "panel")];
    return powerSources(lists, account);
  }

  async panelAdmins(): Promise<PowerSource[]> {
    return powerEntries((await this.#deps.settings.current()).auth, "panel");
  }

  async rulesIn(tx: Tx): Promise<StoredRules> {
    return await this.#rules.readIn(tx);
  }

  async roles(tx: Tx): Promise<Role[]> {
    return await repo.readRoles(tx);
  }

  async change(tx: Tx, actor: Actor, { job, grade: wanted, grants }: GrantChange): Promise<void> {
    const { startJobGrade } = this.#deps;
    const grade = job === defaultJob ? startJobGrade : (wanted ?? startJobGrade);
    this.checkGrade(grade);
    this.check(Object.entries(grants).map(([permission, grant]) => [permission, grant?.attributes ?? {}]));
    const role = await this.store.lock(tx, job, grade);
    const after = new Map(role?.grants);
    for (const [permission, grant] of Object.entries(grants)) {
      if (grant === null) after.delete(permission);
      else after.set(permission, { allow: grant.allow, attributes: grant.attributes ?? {} });
    }
    await this.#deps.rows.check(tx, valuesOfGrants(role?.grants), valuesOfGrants(after));
    await this.store.put(tx, actor, { action: "access.change", job, grade, role, after });
  }

  /** Throws unless these permissions and attributes exist and take these values. */
  check(grants: Iterable<readonly [string, Attributes]>): void {
    for (const [permission, attributes] of grants) {
      const definition = this.#deps.permissions().find(({ id }) => id === permission);
      if (!definition) throw new AppError(accessErrors.permissionUnknown, { params: { permission } });
      for (const [attribute, value] of Object.entries(attributes)) {
        const known = definition.attributes[attribute];
        if (!known) throw new AppError(accessErrors.attributeUnknown, { params: { permission, attribute } });
        if (isValidValue(known, value)) continue;
        throw new AppError(accessErrors.attributeValueInvalid, {
          params: { permission, attribute, value: JSON.stringify(value).slice(0, 200) },
        });
      }
    }
  }

  /** Throws for a grade below `game.startJobGrade`. */
  checkGrade(grade: number): void {
    const { startJobGrade } = this.#deps;
    if (grade >= startJobGrade) return;
    throw new AppError(accessErrors.gradeTooLow, { params: { grade, minimum: startJobGrade } });
  }

  /** The next call that needs the roles loads them. */
  invalidateRoles(): void {
    this.#rules.invalidate();
  }

  async start(): Promise<void> {
    await this.#deps.db.write(
      "access.alignDefaultRole",
      async (tx) => await repo.moveDefaultRole(tx, defaultJob, this.#deps.startJobGrade),
    );
  }

  #panelSettings() {
    return this.#deps.settings.known().auth;
  }
}
