import { expect, test } from "vitest";
import type { OperationDefinition } from "#core/contract/index.ts";
import { bulkInsert } from "#core/db/index.ts";
import { mostDeleted } from "#core/ordered.ts";
import * as absences from "#features/absences/absences.contract.ts";
import { columnsOf as absenceColumns } from "#features/absences/absences.kinds.service.ts";
import { absencesKinds } from "#features/absences/absences.schema.ts";
import { newJob } from "#features/absences/absences.testkit.ts";
import * as calls from "#features/calls/calls.contract.ts";
import { callsTypes } from "#features/calls/calls.schema.ts";
import { columnsOfType } from "#features/calls/calls.types.policy.ts";
import * as conduct from "#features/conduct/conduct.contract.ts";
import { columnsOf as conductColumns } from "#features/conduct/conduct.kinds.service.ts";
import { conductKinds } from "#features/conduct/conduct.schema.ts";
import { columnsOf as groupColumns } from "#features/jobgroups/jobgroups.content.policy.ts";
import * as jobgroups from "#features/jobgroups/jobgroups.contract.ts";
import { jobgroups as groups } from "#features/jobgroups/jobgroups.schema.ts";
import * as units from "#features/units/units.contract.ts";
import { units as unitsTable, unitsStatuses } from "#features/units/units.schema.ts";
import { columnsOf as unitColumns } from "#features/units/units.service.ts";
import * as statuses from "#features/units/units.statuses.contract.ts";
import { noFormer } from "#features/units/units.store.service.ts";
import { foldLetters } from "#core/contract/fold.ts";
import type { Tx } from "#core/ports/index.ts";
import { describeApps } from "#testkit/suite.ts";

const rights = {
  ...{ "absences.kinds": {}, "conduct.kinds": {}, "jobgroups.list": {}, "jobgroups.manage": {} },
  ...{ "calls.view": {}, "calls.setup": {}, "units.view": {}, "units.manage": {} },
};
const group = { ...jobgroups.exampleContent, rules: [], membership: "hand" as const };

interface Case {
  readonly code: string;
  readonly create: OperationDefinition;
  readonly body: object;
  fill(tx: Tx, job: string, count: number): Promise<unknown>;
}

/** A deleted row, of which there may be many of one name. */
const rowsOf = <C extends object>(count: number, job: string, columns: C) =>
  Array.from({ length: count }, (_, at) => {
    const marks = { deleted_marker: at + 1_000_000, deleted_at: 1, deleted_by: null };
    return { ...columns, job, position: at + 1, version: 1, ...marks };
  });

const removedUnit = {
  ...unitColumns(units.exampleContent),
  ...noFormer,
  ...{ temporary: 0 as const, base: "unavailable", status_id: null, status_at: 1, has_work: 0 as const },
  ...{ empty_since: 1, created_at: 1, created_by: null },
};

const cases: readonly Case[] = [
  {
    code: absences.absencesErrors.deletedFull.code,
    create: absences.createKind,
    body: absences.exampleKindContent,
    fill: async (tx, job, count) =>
      await bulkInsert(tx, absencesKinds, rowsOf(count, job, absenceColumns(absences.exampleKindContent))),
  },
  {
    code: conduct.conductErrors.deletedFull.code,
    create: conduct.createKind,
    body: conduct.exampleKindContent,
    fill: async (tx, job, count) =>
      await bulkInsert(tx, conductKinds, rowsOf(count, job, conductColumns(conduct.exampleKindContent))),
  },
  {
    code: jobgroups.jobgroupsErrors.deletedFull.code,
    create: jobgroups.createGroup,
    body: group,
    fill: async (tx, job, count) => await bulkInsert(tx, groups, rowsOf(count, job, groupColumns(group))),
  },
  {
    code: calls.callsErrors.deletedFull.code,
    create: calls.createType,
    body: calls.exampleTypeContent,
    fill: async (tx, job, count) => await bulkInsert(tx, callsTypes, rowsOf(count, job, columnsOfType(calls.exampleTypeContent))),
  },
  {
    code: units.unitsErrors.deletedFull.code,
    create: units.createUnit,
    body: { ...units.exampleContent, homePostal: null },
    fill: async (tx, job, count) => await bulkInsert(tx, unitsTable, rowsOf(count, job, removedUnit)),
  },
  {
    code: units.unitsErrors.statusesDeletedFull.code,
    create: statuses.createStatus,
    body: statuses.exampleStatusContent,
    fill: async (tx, job, count) => {
      const columns = { ...statuses.exampleStatusContent, name_key: foldLetters(statuses.exampleStatusContent.name) };
      await bulkInsert(tx, unitsStatuses, rowsOf(count, job, columns));
    },
  },
];

describeApps("rows that a job creates and deletes again and again", (get) => {
  test.each(cases.map((one) => [one.create.id, one] as const))("%s stops at so many deleted ones", async (_id, one) => {
    const { app, world } = get();
    const { db } = app.process.container;
    const createBehind = async (deleted: number) => {
      const job = newJob("deleted");
      const { token } = await world.actor({ job, rights });
      await db.write("test.fill", async (tx) => await one.fill(tx, job, deleted));
      return await app.request("POST", one.create.path, { body: one.body, token });
    };
    expect((await createBehind(mostDeleted - 1)).status).toBe(200);
    const refused = await createBehind(mostDeleted);
    expect([refused.status, refused.body]).toMatchObject([409, { code: one.code, params: { most: mostDeleted } }]);
  });
});
