import type { CallContext } from "#core/feature.ts";
import type { OutputOf } from "#core/contract/index.ts";
import type { Database } from "#core/ports/index.ts";
import { citizensPermissions } from "#features/citizens/citizens.contract.ts";
import { countInGrades, type GradeRange, namesInGrades } from "#features/citizens/citizens.reads.ts";
import { affectedGrades, alteredPermissions } from "./access.affected.policy.ts";
import type { previewRole, RoleGrants } from "./access.contract.ts";
import { nameableGrades, withRole } from "./access.editing.policy.ts";
import { grantsOf } from "./access.output.policy.ts";
import type { RoleName } from "./access.policy.ts";
import { requireEditable } from "./access.roles.service.ts";
import type { AccessService } from "./access.service.ts";

/** People named at most; the others are a number. */
const mostNames = 6;

/** Answers whom a change of a role would affect, before it is made. */
export class PreviewService {
  readonly #db: Database;
  readonly #access: AccessService;

  constructor({ db, access }: { readonly db: Database; readonly access: AccessService }) {
    this.#db = db;
    this.#access = access;
  }

  async preview(call: CallContext, name: RoleName, grants: RoleGrants | null): Promise<OutputOf<typeof previewRole>> {
    const viewer = call.viewer();
    const { job, grade } = name;
    requireEditable(viewer, name);
    this.#access.check(Object.entries(grants ?? {}).map(([permission, { attributes }]) => [permission, attributes]));
    return await this.#db.read("access.previewRole", async (tx) => {
      const rules = await this.#access.rulesIn(tx);
      const roles = withRole(rules.roles, job, grade, grants && grantsOf(grants));
      const affected = affectedGrades(rules, { ...rules, roles }, job);
      const named: readonly GradeRange[] = viewer.rights.has(citizensPermissions.list.id) ? nameableGrades(viewer, affected) : [];
      return {
        people: await countInGrades(tx, job, affected),
        names: await namesInGrades(tx, job, named, mostNames),
        ...alteredPermissions(affected),
      };
    });
  }
}
