import { dialectOf, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { AttributeValue } from "#core/contract/index.ts";
import type { Grant, Grants, Role } from "./access.policy.ts";
import type { AccessTables } from "./access.schema.ts";

/** A role as stored. */
export interface StoredRole extends Role {
  readonly id: number;
  readonly version: number;
  readonly updatedAt: number;
}

export interface StoredRevision {
  readonly version: number;
  readonly at: number;
  readonly by: string;
  readonly was: Grants | null;
  readonly became: Grants | null;
}

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

export async function readRoles(tx: Tx, job?: string): Promise<StoredRole[]> {
  let select = queries<AccessTables>(tx)
    .selectFrom("access_roles")
    .leftJoin("access_grants", "access_grants.role_id", "access_roles.id")
    .select([
      "access_roles.id",
      "access_roles.job",
      "access_roles.grade",
      "access_roles.version",
      "access_roles.updated_at",
      "access_grants.permission",
      "access_grants.allow",
      "access_grants.attributes",
    ]);
  if (job !== undefined) select = select.where("access_roles.job", "=", job);
  const roles = new Map<number, StoredRole & { grants: Map<string, Grant> }>();
  for (const row of await select.execute()) {
    const { id, job: of, grade, version } = row;
    const role = roles.get(id) ?? { id, job: of, grade, version, updatedAt: row.updated_at, grants: new Map<string, Grant>() };
    roles.set(id, role);
    if (row.permission === null) continue;
    const attributes = JSON.parse(row.attributes ?? "{}") as Record<string, AttributeValue>;
    role.grants.set(row.permission, { allow: row.allow === 1, attributes });
  }
  return [...roles.values()];
}

export async function insertRole(tx: Tx, job: string, grade: number, version: number, at: number): Promise<number> {
  await queries<AccessTables>(tx)
    .insertInto("access_roles")
    .values({ job, grade, version, created_at: at, updated_at: at })
    .execute();
  const row = await queries<AccessTables>(tx)
    .selectFrom("access_roles")
    .select("id")
    .where("job", "=", job)
    .where("grade", "=", grade)
    .executeTakeFirstOrThrow();
  return row.id;
}

export async function touchRole(tx: Tx, id: number, version: number, at: number): Promise<void> {
  await queries<AccessTables>(tx).updateTable("access_roles").set({ version, updated_at: at }).where("id", "=", id).execute();
}

export async function deleteRole(tx: Tx, id: number): Promise<void> {
  await queries<AccessTables>(tx).deleteFrom("access_grants").where("role_id", "=", id).execute();
  await queries<AccessTables>(tx).deleteFrom("access_roles").where("id", "=", id).execute();
}

export async function putGrants(tx: Tx, roleId: number, grants: readonly (readonly [string, Grant])[]): Promise<void> {
  if (grants.length === 0) return;
  const insert = queries<AccessTables>(tx)
    .insertInto("access_grants")
    .values(
      grants.map(([permission, { allow, attributes }]) => ({
        role_id: roleId,
        permission,
        allow: allow ? (1 as const) : (0 as const),
        attributes: JSON.stringify(attributes),
      })),
    );
  await dialectOf(tx).upsert(insert, ["role_id", "permission"], ["allow", "attributes"]).execute();
}

export async function removeGrants(tx: Tx, roleId: number, permissions: readonly string[]): Promise<void> {
  if (permissions.length === 0) return;
  await queries<AccessTables>(tx)
    .deleteFrom("access_grants")
    .where("role_id", "=", roleId)
    .where("permission", "in", permissions)
    .execute();
}

const grantsText = (grants: Grants | null) =>
  grants === null ? null : JSON.stringify({ v: 1, grants: Object.fromEntries(grants) });

function grantsOf(text: string | null): Grants | null {
  if (text === null) return null;
  return new Map(Object.entries((JSON.parse(text) as { grants: Record<string, Grant> }).grants));
}

export async function insertRevision(tx: Tx, job: string, grade: number, revision: StoredRevision): Promise<void> {
  await queries<AccessTables>(tx)
    .insertInto("access_revisions")
    .values({
      job,
      grade,
      version: revision.version,
      at: revision.at,
      changed_by: revision.by,
      was: grantsText(revision.was),
      became: grantsText(revision.became),
    })
    .execute();
}

/** The newest `limit` revisions, newest first. */
export async function newestRevisions(tx: Tx, job: string, grade: number, limit: number): Promise<StoredRevision[]> {
  const rows = await queries<AccessTables>(tx)
    .selectFrom("access_revisions")
    .selectAll()
    .where("job", "=", job)
    .where("grade", "=", grade)
    .orderBy("version", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ version, at, changed_by, was, became }) => ({
    version,
    at,
    by: changed_by,
    was: grantsOf(was),
    became: grantsOf(became),
  }));
}

export async function findRevision(tx: Tx, job: string, grade: number, version: number): Promise<StoredRevision | null> {
  const row = await queries<AccessTables>(tx)
    .selectFrom("access_revisions")
    .selectAll()
    .where("job", "=", job)
    .where("grade", "=", grade)
    .where("version", "=", version)
    .executeTakeFirst();
  if (!row) return null;
  return { version, at: row.at, by: row.changed_by, was: grantsOf(row.was), became: grantsOf(row.became) };
}

/** The default role moves with `game.startJobGrade`. */
export async function moveDefaultRole(tx: Tx, job: string, grade: number): Promise<void> {
  await queries<AccessTables>(tx).updateTable("access_roles").set({ grade }).where("job", "=", job).execute();
}
