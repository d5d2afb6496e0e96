import { col, defineTable, migration } from "./kit.ts";

const accessRoles = defineTable(
  "access_roles",
  {
    id: col.id(),
    job: col.key(50),
    grade: col.int(),
    version: col.int(),
    created_at: col.int(),
    updated_at: col.int(),
  },
  { primary: ["id"], unique: { access_roles_job_grade: ["job", "grade"] } },
);

const accessGrants = defineTable(
  "access_grants",
  {
    role_id: col.int(),
    permission: col.key(100),
    allow: col.flag(),
    attributes: col.longText(),
  },
  { primary: ["role_id", "permission"] },
);

const accessEpochs = defineTable("access_epochs", { id: col.int(), epoch: col.int() }, { primary: ["id"] });

export default migration(async (steps) => {
  await steps.createTable(accessRoles);
  await steps.createTable(accessGrants);
  await steps.createTable(accessEpochs);
});
