import type { Actor, Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { Database, Tx } from "#core/ports/index.ts";
import type { CallContext } from "#core/feature.ts";
import type { OutputOf } from "#core/contract/index.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import { accessErrors, type AccessRevision, type listRoles, type RoleDetails, type RoleGrants } from "./access.contract.ts";
import {
  differences,
  editsRole,
  escalations,
  knownGrants,
  ownLosses,
  seesJob,
  seesRole,
  takeBack,
  withRole,
} from "./access.editing.policy.ts";
import { type Decision, defaultJob, explainRights, type Grants, type Rules } from "./access.policy.ts";
import * as repo from "./access.repo.ts";
import type { AccessService } from "./access.service.ts";
import { historyGrade, type RoleChange } from "./access.store.service.ts";

const shownRevisions = 100;

export interface RolesDeps {
  readonly db: Database;
  readonly access: AccessService;
  readonly jobs: JobsApi;
  readonly startJobGrade: number;
}

interface Named {
  readonly job: string;
  readonly grade: number;
}

const plain = (grants: Grants | null | undefined): RoleGrants => structuredClone(Object.fromEntries(grants ?? []));
const grantsOf = (grants: RoleGrants): Grants => new Map(Object.entries(grants));

/** A decision as the contract sends it. */
export function decisionOf({ attributes, ...decision }: Decision) {
  return {
    ...decision,
    attributes: attributes.map(({ unclipped, ...one }) => (unclipped === null ? one : { ...one, unclipped })),
  };
}

export function createRolesService({ db, access, jobs, startJobGrade }: RolesDeps) {
  const unknownRole = (job: string, grade: number) => new AppError(accessErrors.roleUnknown, { params: { job, grade } });

  function details(rules: Rules, viewer: Viewer, { job, grade }: Named): RoleDetails {
    const role = rules.roles.find((one) => one.job === job && one.grade === grade) as repo.StoredRole | undefined;
    const who = { job, grade, jobAdmin: false };
    const without = { ...rules, roles: withRole(rules.roles, job, grade, null) };
    const limits = rules.limits.get(job);
    return {
      job,
      grade,
      version: role?.version ?? 0,
      grants: plain(role && knownGrants(rules.permissions, role.grants)),
      decisions: explainRights(rules, who).map(decisionOf),
      inherited: explainRights(without, who).map(decisionOf),
      limits: limits ? structuredClone(Object.fromEntries(limits)) : null,
      mayEdit: editsRole(viewer, job, grade),
    };
  }

  /** Throws 404 for a grade that the viewer does not see or that is not there. */
  async function see(tx: Tx, viewer: Viewer, { job, grade }: Named): Promise<Rules> {
    if (!seesRole(viewer, job, grade)) throw unknownRole(job, grade);
    const rules = await access.rulesIn(tx);
    const info = await jobs.job(tx, job);
    const there = info?.grades.some((one) => one.grade === grade) ?? (job === viewer.job && viewer.grade === grade);
    if (!there && !rules.roles.some((role) => role.job === job && role.grade === grade)) throw unknownRole(job, grade);
    return rules;
  }

  function mustEdit(viewer: Viewer, { job, grade }: Named): void {
    if (!seesRole(viewer, job, grade)) throw unknownRole(job, grade);
    if (editsRole(viewer, job, grade)) return;
    throw new AppError(accessErrors.gradeNotBelow, { params: { grade, own: viewer.grade } });
  }

  /** Writes the role unless that would give away what the editor does not hold, or lock him out. */
  async function write(tx: Tx, viewer: Viewer, actor: Actor, change: RoleChange): Promise<void> {
    const { job, grade, after } = change;
    const rules = await access.rulesIn(tx);
    const roles = withRole(rules.roles, job, grade, after);
    const beyond = viewer.jobAdmin === null ? escalations(rules, roles, job, grade, viewer.rights.all()) : [];
    if (beyond.length > 0) throw new AppError(accessErrors.beyondYourRights, { params: { permission: beyond[0]! } });
    const [lost] = ownLosses(rules, roles, viewer);
    if (lost !== undefined) throw new AppError(accessErrors.takesFromYourself, { params: { permission: lost } });
    await access.store.put(tx, actor, change);
  }

  async function changed(
    call: CallContext,
    named: Named,
    name: string,
    work: (tx: Tx, role: repo.StoredRole | null) => Promise<Grants | null>,
  ): Promise<RoleDetails> {
    const viewer = call.viewer();
    mustEdit(viewer, named);
    return await db.write(name, async (tx) => {
      const role = await access.store.lock(tx, named.job, named.grade);
      const after = await work(tx, role);
      await write(tx, viewer, call.actor, { action: name, ...named, role, after });
      return details(await access.rulesIn(tx), viewer, named);
    });
  }

  async function revisions(tx: Tx, { job, grade }: Named): Promise<{ revisions: AccessRevision[] }> {
    const found = await repo.newestRevisions(tx, job, historyGrade(job, grade), shownRevisions);
    return {
      revisions: found.map(({ version, at, by, was, became }) => ({
        version,
        at,
        by,
        changes: structuredClone(differences(was, became)) as AccessRevision["changes"],
      })),
    };
  }

  /** What a role would say without one of its changes; null when that change created it and nothing else is in it. */
  async function undone(tx: Tx, { job, grade }: Named, role: repo.StoredRole | null, version: number): Promise<Grants | null> {
    const revision = await repo.findRevision(tx, job, historyGrade(job, grade), version);
    if (!revision) throw new AppError(accessErrors.revisionUnknown, { params: { version } });
    const after = takeBack(role?.grants ?? new Map(), differences(revision.was, revision.became));
    return revision.was === null && after.size === 0 ? null : after;
  }

  const everyone: Named = { job: defaultJob, grade: startJobGrade };
  const checkGrants = (grants: RoleGrants) =>
    access.check(Object.entries(grants).map(([permission, { attributes }]) => [permission, attributes]));

  async function changedDefault(
    call: CallContext,
    name: string,
    work: (tx: Tx, role: repo.StoredRole | null) => Promise<Grants | null>,
  ) {
    return await db.write(name, async (tx) => {
      const role = await access.store.lock(tx, defaultJob, startJobGrade);
      const after = await work(tx, role);
      await access.store.put(tx, call.actor, { action: name, ...everyone, role, after: after ?? new Map() });
      return await readDefault(tx);
    });
  }

  async function readDefault(tx: Tx) {
    const { permissions, roles } = await access.rulesIn(tx);
    const role = roles.find(({ job }) => job === defaultJob) as repo.StoredRole | undefined;
    return { version: role?.version ?? 0, grants: plain(role && knownGrants(permissions, role.grants)) };
  }

  return {
    list: async (call: CallContext, job: string): Promise<OutputOf<typeof listRoles>> => {
      const viewer = call.viewer();
      return await db.read("access.listRoles", async (tx) => {
        const rules = await access.rulesIn(tx);
        const info = seesJob(viewer, job) ? await jobs.job(tx, job) : null;
        const roles = rules.roles.filter((role) => role.job === job) as repo.StoredRole[];
        if (!seesJob(viewer, job) || (job !== viewer.job && !info && roles.length === 0))
          throw new AppError(accessErrors.jobUnknown, { params: { job } });
        const labels = await jobs.labels(tx);
        const numbers = [
          ...(info?.grades ?? []).map(({ grade }) => grade),
          ...roles.map(({ grade }) => grade),
          ...(info || job !== viewer.job ? [] : [viewer.grade]),
        ];
        const shown = [...new Set(numbers)].filter((grade) => seesRole(viewer, job, grade)).toSorted((a, b) => b - a);
        return {
          job,
          label: labels.label(job),
          limited: rules.limits.has(job),
          grades: shown.map((grade) => {
            const role = roles.find((one) => one.grade === grade);
            const said = [...(role?.grants.values() ?? [])];
            const allowed = said.filter(({ allow }) => allow).length;
            const mayEdit = editsRole(viewer, job, grade);
            return {
              grade,
              label: labels.badge(job, grade).gradeLabel,
              role: role ? { version: role.version, updatedAt: role.updatedAt, allowed, denied: said.length - allowed } : null,
              mayEdit,
              mayDelete: mayEdit && role !== undefined,
            };
          }),
        };
      });
    },

    get: async (call: CallContext, named: Named) =>
      await db.read("access.getRole", async (tx) => details(await see(tx, call.viewer(), named), call.viewer(), named)),

    create: async (call: CallContext, named: Named) =>
      await changed(call, named, "access.createRole", async (tx, role) => {
        access.checkGrade(named.grade);
        const info = await jobs.job(tx, named.job);
        if (info && !info.grades.some(({ grade }) => grade === named.grade))
          throw new AppError(accessErrors.gradeUnknown, { params: { ...named } });
        if (role) throw new AppError(accessErrors.roleExists, { params: { grade: named.grade } });
        return new Map();
      }),

    put: async (call: CallContext, named: Named, { version, grants }: { version: number; grants: RoleGrants }) => {
      mustEdit(call.viewer(), named);
      checkGrants(grants);
      return await changed(call, named, "access.putRole", async (tx, role) => {
        if (!role) throw unknownRole(named.job, named.grade);
        if (role.version !== version)
          throw new AppError(accessErrors.stale, { extra: { current: details(await access.rulesIn(tx), call.viewer(), named) } });
        return grantsOf(grants);
      });
    },

    async remove(call: CallContext, named: Named): Promise<void> {
      await changed(call, named, "access.deleteRole", async (_tx, role) => {
        if (!role) throw unknownRole(named.job, named.grade);
        return null;
      });
    },

    history: async (call: CallContext, named: Named) =>
      await db.read("access.roleHistory", async (tx) => {
        await see(tx, call.viewer(), named);
        return await revisions(tx, named);
      }),

    undo: async (call: CallContext, named: Named, version: number) =>
      await changed(call, named, "access.undoRole", async (tx, role) => await undone(tx, named, role, version)),

    getDefault: async () => await db.read("access.getDefault", readDefault),

    async putDefault(call: CallContext, { version, grants }: { version: number; grants: RoleGrants }) {
      checkGrants(grants);
      return await changedDefault(call, "access.putDefault", async (tx, role) => {
        if ((role?.version ?? 0) !== version)
          throw new AppError(accessErrors.stale, { extra: { current: await readDefault(tx) } });
        return grantsOf(grants);
      });
    },

    defaultHistory: async () => await db.read("access.defaultHistory", async (tx) => await revisions(tx, everyone)),

    undoDefault: async (call: CallContext, version: number) =>
      await changedDefault(call, "access.undoDefault", async (tx, role) => await undone(tx, everyone, role, version)),
  };
}

export type RolesService = ReturnType<typeof createRolesService>;
