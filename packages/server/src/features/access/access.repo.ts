import { dialectOf, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { AttributeValue } from "#core/contract/index.ts";
import type { Grant, Role } from "./access.policy.ts";
import type { AccessTables } from "./access.schema.ts";

const epochRow = 1;

export async function readEpoch(tx: Tx): Promise<number> {
  const row = await queries<AccessTables>(tx)
    .selectFrom("access_epochs")
    .select("epoch")
    .where("id", "=", epochRow)
    .executeTakeFirst();
  return row?.epoch ?? 0;
}

export async function raiseEpoch(tx: Tx): Promise<number> {
  const insert = queries<AccessTables>(tx).insertInto("access_epochs").values({ id: epochRow, epoch: 0 });
  await dialectOf(tx).ignoreConflicts(insert).execute();
  await queries<AccessTables>(tx)
    .updateTable("access_epochs")
    .set((set) => ({ epoch: set("epoch", "+", 1) }))
    .where("id", "=", epochRow)
    .execute();
  return await readEpoch(tx);
}

export async function readRoles(tx: Tx): Promise<Role[]> {
  const rows = await queries<AccessTables>(tx)
    .selectFrom("access_roles")
    .leftJoin("access_grants", "access_grants.role_id", "access_roles.id")
    .select([
      "access_roles.id",
      "access_roles.job",
      "access_roles.grade",
      "access_grants.permission",
      "access_grants.allow",
      "access_grants.attributes",
    ])
    .execute();
  const roles = new Map<number, { job: string; grade: number; grants: Map<string, Grant> }>();
  for (const row of rows) {
    const role = roles.get(row.id) ?? { job: row.job, grade: row.grade, grants: new Map<string, Grant>() };
    roles.set(row.id, role);
    if (row.permission === null) continue;
    const attributes = JSON.parse(row.attributes ?? "{}") as Record<string, AttributeValue>;
    role.grants.set(row.permission, { allow: row.allow === 1, attributes });
  }
  return [...roles.values()];
}

export async function findRole(tx: Tx, job: string, grade: number): Promise<number | null> {
  const row = await queries<AccessTables>(tx)
    .selectFrom("access_roles")
    .select("id")
    .where("job", "=", job)
    .where("grade", "=", grade)
    .executeTakeFirst();
  return row?.id ?? null;
}

export async function insertRole(tx: Tx, job: string, grade: number, at: number): Promise<number> {
  await queries<AccessTables>(tx)
    .insertInto("access_roles")
    .values({ job, grade, version: 1, created_at: at, updated_at: at })
    .execute();
  const id = await findRole(tx, job, grade);
  if (id === null) throw new Error("the role just inserted is not there");
  return id;
}

export async function touchRole(tx: Tx, id: number, at: number): Promise<void> {
  await queries<AccessTables>(tx)
    .updateTable("access_roles")
    .set((set) => ({ version: set("version", "+", 1), updated_at: at }))
    .where("id", "=", id)
    .execute();
}

export async function putGrant(tx: Tx, roleId: number, permission: string, grant: Grant): Promise<void> {
  const insert = queries<AccessTables>(tx)
    .insertInto("access_grants")
    .values({
      role_id: roleId,
      permission,
      allow: grant.allow ? 1 : 0,
      attributes: JSON.stringify(grant.attributes),
    });
  await dialectOf(tx).upsert(insert, ["role_id", "permission"], ["allow", "attributes"]).execute();
}

export async function removeGrant(tx: Tx, roleId: number, permission: string): Promise<void> {
  await queries<AccessTables>(tx)
    .deleteFrom("access_grants")
    .where("role_id", "=", roleId)
    .where("permission", "=", permission)
    .execute();
}

/** The default role moves with `game.startJobGrade`. */
export async function moveDefaultRole(tx: Tx, job: string, grade: number): Promise<void> {
  await queries<AccessTables>(tx).updateTable("access_roles").set({ grade }).where("job", "=", job).execute();
}
