import { doorErrors } from "#core/contract/index.ts";
import type { Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { PermissionDefinition } from "#core/contract/index.ts";
import type { Database } from "#core/ports/index.ts";
import type { CitizensApi } from "#features/citizens/citizens.api.ts";
import { bundlesOf } from "./access.bundles.policy.ts";
import { accessErrors } from "./access.contract.ts";
import { seesRole } from "./access.editing.policy.ts";
import type { Decision } from "./access.policy.ts";
import { decisionOf } from "./access.roles.service.ts";
import type { AccessService } from "./access.service.ts";

export interface ExplainDeps {
  readonly db: Database;
  readonly access: AccessService;
  readonly citizens: CitizensApi;
  readonly permissions: () => readonly PermissionDefinition[];
}

interface Asked {
  readonly citizenId?: number;
  readonly job?: string;
  readonly grade?: number;
}

/** What rights there are, and why somebody holds them or not. */
export function createExplainService({ db, access, citizens, permissions }: ExplainDeps) {
  /** Seen as a lower grade, nothing is held that the own grade does not hold. */
  function asSeen(viewer: Viewer, decision: Decision) {
    const seen = decisionOf(decision);
    if (!decision.held) return seen;
    if (!viewer.rights.has(decision.permission)) return { ...seen, held: false, reason: "ownGrade" as const, attributes: [] };
    const attributes = seen.attributes.map((one) => ({
      ...one,
      value: viewer.rights.attribute(decision.permission, one.name) ?? [],
    }));
    return { ...seen, attributes };
  }

  async function who(viewer: Viewer, { citizenId, job, grade }: Asked) {
    if (citizenId !== undefined) {
      const found = await db.read("access.rightsOf", async (tx) => await citizens.character(tx, citizenId));
      if (!found || !seesRole(viewer, found.job.name, found.job.grade)) throw new AppError(accessErrors.personUnknown);
      const name = `${found.firstName} ${found.lastName}`.trim();
      return { job: found.job.name, grade: found.job.grade, citizen: { id: found.id, name } };
    }
    if (job === undefined || grade === undefined)
      throw new AppError(doorErrors.invalidInput, { params: { field: "citizenId", problem: "or job and grade are needed" } });
    if (!seesRole(viewer, job, grade)) throw new AppError(accessErrors.jobUnknown, { params: { job } });
    return { job, grade, citizen: null };
  }

  return {
    catalogue: () => ({
      permissions: permissions().map(({ id, attributes }) => ({
        id,
        feature: id.slice(0, id.indexOf(".")),
        attributes: Object.entries(attributes).map(([name, definition]) => ({
          name,
          type: definition.type,
          values: definition.type === "strings" ? [...definition.values] : [],
        })),
      })),
      bundles: bundlesOf(permissions()),
    }),

    async mine(viewer: Viewer) {
      const { job, grade } = viewer;
      const decisions = await access.explain({ job, grade, jobAdmin: viewer.jobAdmin !== null });
      return {
        job,
        grade,
        decisions: decisions.map((decision) => asSeen(viewer, decision)),
        powers: access.powerSourcesOf(viewer),
      };
    },

    async rightsOf(viewer: Viewer, asked: Asked) {
      const found = await who(viewer, asked);
      const decisions = await access.explain({ job: found.job, grade: found.grade, jobAdmin: false });
      return { ...found, decisions: decisions.map(decisionOf) };
    },
  };
}

export type ExplainService = ReturnType<typeof createExplainService>;
