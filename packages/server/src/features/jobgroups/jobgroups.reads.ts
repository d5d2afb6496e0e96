import { queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { JobgroupTables } from "./jobgroups.schema.ts";

/** Ids of those who are in a group now; the reader has asked whether the viewer sees it. */
export function membersOfGroup(tx: Tx, groupId: number) {
  return queries<JobgroupTables>(tx)
    .selectFrom("jobgroups_members")
    .select("jobgroups_members.citizen_id")
    .where("jobgroups_members.group_id", "=", groupId);
}
