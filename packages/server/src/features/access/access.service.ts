import { createHash } from "node:crypto";
import type { Actor, Rights } from "#core/actor.ts";
import type { AttributeValue, PermissionDefinition } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { Clock, Database, Log, Outbox, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { SettingsApi } from "#features/settings/settings.api.ts";
import {
  adminPowers,
  type AdminLists,
  mergeLists,
  powerEntries,
  type PowerSource,
  powerSources,
} from "./access.admins.policy.ts";
import type { AccessApi, GrantChange } from "./access.api.ts";
import { accessErrors } from "./access.contract.ts";
import { readLimits } from "./access.limits.repo.ts";
import {
  createRights,
  defaultJob,
  explainRights,
  heldRights,
  type Decision,
  type RightsOf,
  type Rules,
} from "./access.policy.ts";
import * as repo from "./access.repo.ts";
import { createRoleStore, type RoleStore } from "./access.store.service.ts";
import { fits } from "./access.values.policy.ts";

/** A copy of the roles is trusted this long when no event said that it is old. */
const copyMs = 2000;

export interface AccessDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly audit: AuditApi;
  readonly settings: SettingsApi;
  readonly admins: AdminLists;
  readonly startJobGrade: number;
  readonly permissions: () => readonly PermissionDefinition[];
  /** Subsystem `perms`. */
  readonly log: Log;
}

interface Copy {
  readonly epoch: number;
  readonly rules: Rules;
  readonly checkedAt: number;
  readonly rights: Map<string, Rights>;
}

type Attributes = Readonly<Record<string, AttributeValue>>;

export interface AccessService extends AccessApi {
  readonly store: RoleStore;
  /** Throws unless these permissions and attributes exist and take these values. */
  check(grants: Iterable<readonly [string, Attributes]>): void;
  checkGrade(grade: number): void;
  rulesIn(tx: Tx): Promise<Rules>;
  explain(who: RightsOf): Promise<Decision[]>;
  /** The entries of config.yaml and of the panel that name this account. */
  powerSourcesOf(account: { licence: string; groups: readonly string[] }): PowerSource[];
  panelAdmins(): Promise<PowerSource[]>;
  heardChange(): void;
  start(): Promise<void>;
}

/** Keeps this process's copy of roles and limits, and answers from it. */
export function createAccessService(deps: AccessDeps): AccessService {
  const { permissions } = deps;
  let copy: Copy | null = null;
  let reading: Promise<Copy> | null = null;
  let forgotten = 0;
  const listeners: (() => void)[] = [];
  const tellAll = () => listeners.forEach((listener) => listener());

  async function rulesIn(tx: Tx): Promise<Rules> {
    const roles = await repo.readRoles(tx);
    const limits = await readLimits(tx);
    const inForce = [...limits].flatMap(([job, stored]) => (stored.limits === null ? [] : [[job, stored.limits] as const]));
    return { permissions: permissions(), roles, limits: new Map(inForce) };
  }

  async function read(): Promise<Copy> {
    const began = forgotten;
    const now = deps.clock.monotonic();
    const fresh = await deps.db.read("access.roles", async (tx) => {
      const epoch = await repo.readEpoch(tx);
      return copy?.epoch === epoch ? null : { epoch, rules: await rulesIn(tx) };
    });
    const changed = fresh !== null && copy !== null;
    // What was said to be old while this was read may be older than what said so.
    const checkedAt = began === forgotten ? now : Number.NEGATIVE_INFINITY;
    const next: Copy = fresh === null ? { ...(copy as Copy), checkedAt } : { ...fresh, rights: new Map(), checkedAt };
    copy = next;
    if (fresh !== null) deps.log.debug({ epoch: fresh.epoch, roles: fresh.rules.roles.length }, "roles read");
    if (changed) tellAll();
    return next;
  }

  async function current(): Promise<Copy> {
    if (copy !== null && deps.clock.monotonic() - copy.checkedAt < copyMs) return copy;
    reading ??= read().finally(() => (reading = null));
    return await reading;
  }

  function forget(): void {
    forgotten += 1;
    if (copy) copy = { ...copy, checkedAt: Number.NEGATIVE_INFINITY };
  }

  function check(grants: Iterable<readonly [string, Attributes]>): void {
    for (const [permission, attributes] of grants) {
      const definition = permissions().find(({ id }) => id === permission);
      if (!definition) throw new AppError(accessErrors.permissionUnknown, { params: { permission } });
      for (const [attribute, value] of Object.entries(attributes)) {
        const known = definition.attributes[attribute];
        if (!known) throw new AppError(accessErrors.attributeUnknown, { params: { permission, attribute } });
        if (fits(known, value)) continue;
        throw new AppError(accessErrors.attributeValueInvalid, {
          params: { permission, attribute, value: JSON.stringify(value).slice(0, 200) },
        });
      }
    }
  }

  function checkGrade(grade: number): void {
    if (grade >= deps.startJobGrade) return;
    throw new AppError(accessErrors.gradeTooLow, { params: { grade, minimum: deps.startJobGrade } });
  }

  const panelLists = (): AdminLists => deps.settings.known().auth;
  const store = createRoleStore({ ...deps, forget });
  deps.settings.onChange(tellAll);

  return {
    store,
    check,
    checkGrade,
    rulesIn,
    async rightsOf(who) {
      const { rights, rules } = await current();
      const key = who.jobAdmin ? "admin" : `${who.grade}${who.within === undefined ? "" : `<${who.within}`} ${who.job}`;
      const known = rights.get(key);
      if (known) return known;
      const held = heldRights(rules, who);
      const digest = createHash("sha256").update(JSON.stringify(held)).digest("base64url").slice(0, 16);
      const resolved = createRights(held, `${digest}:${key}`);
      rights.set(key, resolved);
      return resolved;
    },
    explain: async (who) => explainRights((await current()).rules, who),
    powersOf: (account) => adminPowers(mergeLists(deps.admins, panelLists()), account),
    powerSourcesOf: (account) =>
      powerSources([...powerEntries(deps.admins, "config"), ...powerEntries(panelLists(), "panel")], account),
    panelAdmins: async () => powerEntries((await deps.settings.current()).auth, "panel"),
    async change(tx: Tx, actor: Actor, { job, grade: wanted, grants }: GrantChange) {
      const grade = job === defaultJob ? deps.startJobGrade : (wanted ?? deps.startJobGrade);
      checkGrade(grade);
      check(Object.entries(grants).map(([permission, grant]) => [permission, grant?.attributes ?? {}]));
      const role = await store.lock(tx, job, grade);
      const after = new Map(role?.grants);
      for (const [permission, grant] of Object.entries(grants)) {
        if (grant === null) after.delete(permission);
        else after.set(permission, { allow: grant.allow, attributes: grant.attributes ?? {} });
      }
      await store.put(tx, actor, { action: "access.change", job, grade, role, after });
    },
    roles: async (tx) => await repo.readRoles(tx),
    onChange: (listener) => void listeners.push(listener),
    heardChange() {
      forget();
      const again = (reading ?? Promise.resolve(null)).catch(() => null).then(current);
      void again.catch(() => undefined);
    },
    async start() {
      await deps.db.write(
        "access.alignDefaultRole",
        async (tx) => await repo.moveDefaultRole(tx, defaultJob, deps.startJobGrade),
      );
    },
  };
}
